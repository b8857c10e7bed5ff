# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2016 # backticks that are meant
# What CONTRIBUTING.md tells to run: suites of the unit tests, after the word "suite" or "suites", and cases of the lab.

suites_of_document() {
	grep -oE '\bsuites? `[a-z_]+`(, `[a-z_]+`)*' CONTRIBUTING.md | grep -oE '`[a-z_]+`' | tr -d '`'
	grep -oE 'hca-unit [a-z_]+' CONTRIBUTING.md | sed 's/.* //'
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
	grep -oE '\b(pair|control|fabric|scale|manage|ip|long)/[0-9]+[a-z0-9-]*' CONTRIBUTING.md | sort -u | while read -r case; do
		[[ $(compgen -G "tests/lab/cases/$case*") ]] || echo "there is no case $case"
	done
}

missing_suites | holds 'CONTRIBUTING.md: the suites are there'
missing_cases | holds 'CONTRIBUTING.md: the cases are there'
