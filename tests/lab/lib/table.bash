# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2034
# A table of commands, on standard input; each row, but for empty ones and comments, is
#     command | exit status | regular expression
# and is given to the caller's function `row`, as three arguments.

table() {
	local line blank='[[:space:]]*'
	while IFS= read -r line; do
		[[ $line = '' || $line = '#'* ]] && continue
		if [[ $line =~ ^$blank([^|]*[^|[:space:]])$blank\|$blank([0-9]+)$blank\|$blank(.*)$ ]]; then
			row "${BASH_REMATCH[@]:1}" </dev/null
		else
			echo "not ok - no row of this table: $line"
			failed=1
		fi
	done
}
