# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Results as tests/check reads them, of commands that say nothing when all is well. To be sourced.

log=$(mktemp) || exit
trap 'rm -f "$log"' EXIT
failed=0

# result TEXT COMMAND...: what COMMAND prints is shown if it fails
result() {
	local text=$1
	shift
	if "$@" >"$log" 2>&1; then
		echo "ok - $text"
		echo "# $SECONDS s"
	else
		tail -n 60 "$log" >&2
		echo "not ok - $text"
		failed=1
		return 1
	fi
}
