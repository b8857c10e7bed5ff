# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2016 # backticks that are meant
# What CONTRIBUTING.md and docs/TESTS.md tell to run: suites of the unit tests, after the word "suite" or "suites", and cases
# of the lab.

suites_of_document() {
	grep -ohE '\bsuites? `[a-z_]+`(, `[a-z_]+`)*' CONTRIBUTING.md docs/TESTS.md | grep -oE '`[a-z_]+`' | tr -d '`'
	grep -ohE 'hca-unit [a-z_]+' CONTRIBUTING.md docs/TESTS.md | sed 's/.* //'
}

missing_suites() {
	local suite
	suites_of_document | sort -u | while read -r suite; do
		grep -q "SUITE($suite)" tests/unit/suites.h || echo "there is no suite $suite"
	done
	[[ $(suites_of_document) ]] || echo 'no suite is named'
}

missing_cases() {
	local case
	grep -ohE '\b(above|control|fabrics?|ip|long|manage|pair|scale|sdp|suites)/[0-9]+[a-z0-9-]*' CONTRIBUTING.md docs/TESTS.md | sort -u | while read -r case; do
		[[ $(compgen -G "tests/lab/cases/$case*") ]] || echo "there is no case $case"
	done
}

missing_suites | holds 'CONTRIBUTING.md, TESTS.md: the suites are there'
missing_cases | holds 'CONTRIBUTING.md, TESTS.md: the cases are there'
