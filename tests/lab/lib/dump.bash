# shellcheck shell=bash disable=SC2154 # what tests/lab/lib/guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Captures by hcadump, which go on while a case does something else. For cases that tests/lab/lib/guest.bash runs.

# start ARGUMENT...: captures until finish, which sets $totals and $status, the exit status.
start() {
	log "\$ hcadump $* &"
	hcadump "$@" >"$tmp/lines" 2>"$tmp/totals" 3>&- &
	dump=$!
	within 10 has_begun || log "it does not begin"
}

has_begun() { [[ $(<"$tmp/totals") == listening* ]]; }

finish() {
	kill -INT "$dump"
	ends_by_itself || kill -KILL "$dump"
	wait "$dump"
	status=$?
	totals=$(tail -n 1 "$tmp/totals")
	log "$totals"
}

ends_by_itself() { within 20 eval "! kill -0 $dump 2>/dev/null"; }
