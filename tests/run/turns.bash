# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Commands side by side, as many as there are processors; what each of them writes comes whole, in the order in which they
# began. To be sourced by one that has two functions:
#
#     pass TITLE            what it reads, the output of a command, is to be written as this
#     report TITLE STATUS   that command has ended; what pass wrote is in $running/now
#
# Turns are shared with those commands that source this as well: a pipe, $TURNS, holds one octet for each that may begin. A
# command may need several ($width), and begins when they are free at the same time, after those that need one. Who looks for
# that has the only octet of $FRONT, so that no two have a part each. Another pipe, $PROGRESS, tells of begins and ends, which
# the outermost of them follows (progress.bash).
#
# Virtual machines wait for a third of their time, for limits of protocols or for a cable that is out, so that for two
# processors there are three turns. But an emulated machine of two processors needs both of this machine's: beside another it
# would take far longer than after it, since processors that wait for each other would not run at the same time.

running=$(mktemp -d) || exit
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
processors=$(nproc)
turns=$((processors + processors / 2))
readonly running tests processors turns
titles=() pids=() reported=0 follower=''
# Those that wait for a turn: their titles, how many turns each needs, and the number of words, all of which stand in a row.
waiting=() widths=() lengths=() words=()
# How many processors each command that begins from now on needs, or all that there are if that is less.
width=1

if [[ ! ${TURNS-} || ! -p /dev/fd/$TURNS ]]; then
	exec {TURNS}<> <(:) {FRONT}<> <(:) {PROGRESS}<> <(:)
	export TURNS FRONT PROGRESS
	printf ' ' >&"$FRONT"
	WITHIN='' # what an outermost one inherits is not of its own turns
	printf '%*s' "$turns" '' >&"$TURNS"
	# shellcheck source=progress.bash
	. "$tests/run/progress.bash"
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

# begin TITLE COMMAND...: one that waits for its turns, which it gets from finish
begin() {
	local needed=$((width < processors ? width : processors))
	# That share of all turns which leaves it so many processors.
	((needed == 1)) || needed=$(((needed * turns + processors - 1) / processors))
	waiting+=("$1") widths+=("$needed") lengths+=($(($# - 1))) words+=("${@:2}")
}

# get_turns N
get_turns() {
	local got=0
	while ((got < $1)); do
		if (($1 == 1)); then
			read -rn 1 -u "$TURNS" && got=1
			continue
		fi
		read -rn 1 -u "$FRONT"
		while ((got < $1)) && read -t 0 -u "$TURNS"; do read -rn 1 -u "$TURNS" && got=$((got + 1)); done
		((got == $1)) || { printf '%*s' "$got" '' >&"$TURNS"; got=0; }
		printf ' ' >&"$FRONT"
		((got)) || sleep 0.2
	done
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

# All that wait have their turns, until all has ended and is reported. Those that need most begin last, when others no longer
# take one turn each: no processor is idle but while the first of them waits for its last one.
finish() {
	local i first=() words_before=0 needed
	echo "more ${#waiting[@]}" >&"$PROGRESS"
	for i in "${!waiting[@]}"; do
		first[i]=$words_before
		words_before=$((words_before + lengths[i]))
	done
	for ((needed = 1; needed <= turns; needed++)); do
		for i in "${!waiting[@]}"; do
			((widths[i] == needed)) || continue
			get_turns "$needed"
			start "${waiting[i]}" "$tests/run/turn" "$needed" "${WITHIN-}${waiting[i]}" "$running/${#pids[@]}.out" \
				"${words[@]:first[i]:lengths[i]}"
			while [[ $reported -lt ${#pids[@]} ]] && ! runs "$reported"; do report_next; done
		done
	done
	while [[ $reported -lt ${#pids[@]} ]]; do report_next; done
	[[ ! $follower ]] || { echo stop >&"$PROGRESS" && wait "$follower"; }
	follower=''
}
