# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# The cookbook: tests/lab/cookbook runs all of its blocks, each recipe is in the table at its head, and the packages that
# the table names are unpacked for the test or among those that ./run wants.

page=docs/COOKBOOK.md
sed -n '/^```/p' "$page" | grep -vxE '```(sh( hca[01]| host| lab)?)?' | holds "$page: each block is of a kind that its test runs"
{
	sed -n 's/^## //p' "$page" | while read -r recipe; do
		anchor=${recipe,,}
		grep -q "^|.*\[$recipe\](#${anchor// /-})" "$page" || echo "$recipe: not in the table"
	done
	for package in $(grep '^|.*](#' "$page" | sed 's/^|[^|]*|//' | grep -oE '`[^`]+`' | tr -d '`' | sort -u); do
		grep -qwF -- "$package" tests/lab/lib/unpack-programs tools/setup/needs || echo "$package: no package of the test"
	done
} | holds "$page: its table has each recipe, and packages that the test has"
