# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Commands side by side, as many as there are processors; what each of them writes comes whole, in the order in which they
# were named. To be sourced by one that has two functions:
#
#     pass TITLE            what it reads, the output of a command, is to be written as this
#     report TITLE STATUS   that command has ended; what pass wrote is in $running/now
#
# Turns are shared with those commands that source this as well: a pipe, $TURNS, holds one octet for each that may begin.
# Another, $PROGRESS, tells of begins and ends, which the outermost of them follows (progress.bash).

running=$(mktemp -d) || exit
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly running tests
titles=() pids=() reported=0 follower=''
# Those that wait for a turn: their titles, and the number of words, all of which stand in a row.
waiting=() lengths=() words=()

if [[ ! ${TURNS-} || ! -p /dev/fd/$TURNS ]]; then
	exec {TURNS}<> <(:) {PROGRESS}<> <(:)
	export TURNS PROGRESS
	WITHIN='' # what an outermost one inherits is not of its own turns
	printf "%$(nproc)s" '' >&"$TURNS"
	# shellcheck source=progress.bash
	. "$tests/progress.bash"
	follow <&"$PROGRESS" &
	follower=$!
fi

# What was begun is ended with all that it has started, and waited for.
end_all() {
	local i
	for ((i = reported; i < ${#pids[@]}; i++)); do
		! runs "$i" || kill -TERM -- "-${pids[i]}" 2>/dev/null
	done
	[[ ! $follower ]] || kill "$follower" 2>/dev/null
	wait
	rm -rf "$running"
}
trap end_all EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# start TITLE COMMAND...: at once, a command that takes turns itself, whose titles begin with this one. It is in a session,
# and so a process group, of its own. Its status is kept in a file: until it is reported, its process ID may belong to
# another process, and if that is one of ours, bash has forgotten the status.
start() {
	local to=$running/${#pids[@]}
	: >"$to.out" # report_next may be quicker than the command
	# shellcheck disable=SC2016 # that shell's
	WITHIN="${WITHIN-}$1: " setsid bash -c 'trap : TERM; "${@:2}"; echo $? >"$1"' "$1" "$to.status" "${@:2}" \
		>>"$to.out" 2>"$to.err" </dev/null &
	titles+=("$1") pids+=($!)
}

# Does what was started as number I still run?
runs() { [[ ! -s $running/$1.status ]] && kill -0 "${pids[$1]}" 2>/dev/null; }

# begin TITLE COMMAND...: one that waits for a turn, which it gets from finish
begin() {
	waiting+=("$1") lengths+=($(($# - 1))) words+=("${@:2}")
}

# On a terminal each line takes the place of progress's.
shown() { if [[ $follower && -t 1 ]]; then sed -u 's/^/\x1b[K/'; else cat; fi; }

# In the background, since a trap waits for what is in the foreground.
report_next() {
	local title=${titles[reported]} pid=${pids[reported]} status follow=()
	! runs "$reported" || follow=(-s 0.2 -f --pid="$pid")
	tail -c +1 "${follow[@]}" "$running/$reported.out" | pass "$title" | tee "$running/now" | shown &
	wait $!
	wait "$pid" 2>/dev/null
	status=$?
	[[ ! -s $running/$reported.status ]] || status=$(<"$running/$reported.status")
	cat "$running/$reported.err" >&2
	reported=$((reported + 1))
	report "$title" "$status"
}

# All that wait have their turns; until all has ended and is reported.
finish() {
	local i first=0
	echo "more ${#waiting[@]}" >&"$PROGRESS"
	for i in "${!waiting[@]}"; do
		read -rn 1 -u "$TURNS"
		start "${waiting[i]}" "$tests/turn" "${WITHIN-}${waiting[i]}" "$running/${#pids[@]}.out" "${words[@]:first:lengths[i]}"
		first=$((first + lengths[i]))
		while [[ $reported -lt ${#pids[@]} ]] && ! runs "$reported"; do report_next; done
	done
	while [[ $reported -lt ${#pids[@]} ]]; do report_next; done
	[[ ! $follower ]] || { echo stop >&"$PROGRESS" && wait "$follower"; }
	follower=''
}
