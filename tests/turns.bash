# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Commands side by side, as many as there are processors; what each of them writes comes whole, in the order in which they
# were begun. To be sourced by one that has two functions:
#
#     pass TITLE            what it reads, the output of a command, is to be written as this
#     report TITLE STATUS   that command has ended; what pass wrote is in $running/now
#
# Turns are shared with those commands that source this as well: a pipe, $TURNS, holds one octet for each that may begin.

running=$(mktemp -d) || exit
readonly running
titles=() pids=() reported=0

if [[ ! ${TURNS-} || ! -p /dev/fd/$TURNS ]]; then
	exec {TURNS}<> <(:)
	export TURNS
	printf "%$(nproc)s" '' >&"$TURNS"
fi

# What was begun is ended with all that it has started, and waited for.
end_all() {
	local pid
	for pid in "${pids[@]:reported}"; do kill -TERM -- "-$pid"; done 2>/dev/null
	wait
	rm -rf "$running"
}
trap end_all EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# start TITLE COMMAND...: at once, a command that takes turns itself. It leads a session, and so a process group.
start() {
	local to=$running/${#pids[@]}
	: >"$to.out" # report_next may be quicker than the command
	setsid "${@:2}" >>"$to.out" 2>"$to.err" </dev/null &
	titles+=("$1") pids+=($!)
}

# begin TITLE COMMAND...: in its turn, for which this waits
begin() {
	read -rn 1 -u "$TURNS"
	# shellcheck disable=SC2016 # that shell's
	start "$1" bash -c 'trap : TERM; "$@"; status=$?; echo "# took $SECONDS s"; printf " " >&"$TURNS"; exit $status' \
		turn "${@:2}"
	while [[ $reported -lt ${#pids[@]} ]] && ! kill -0 "${pids[reported]}" 2>/dev/null; do report_next; done
}

# In the background, since a trap waits for what is in the foreground.
report_next() {
	local title=${titles[reported]} pid=${pids[reported]} status
	tail -s 0.2 -c +1 -f --pid="$pid" "$running/$reported.out" | pass "$title" | tee "$running/now" &
	wait $!
	wait "$pid"
	status=$?
	cat "$running/$reported.err" >&2
	reported=$((reported + 1))
	report "$title" "$status"
}

# Until all has ended and is reported.
finish() {
	while [[ $reported -lt ${#pids[@]} ]]; do report_next; done
}
