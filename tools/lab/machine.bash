# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Starts a virtual machine, handles its output, and ends it. Code of one kind of machine is in qemu.bash and uml.bash.

# Runs a command that is killed with this shell, however the shell ends. $1...: the command
start() {
	if type -P setpriv > /dev/null; then
		exec setpriv --pdeathsig KILL -- "$@"
	else
		exec "$@"
	fi
}

# Copies a file that the machine writes to standard output, as it grows, until the machine ends.
stream() { start tail -s 0.05 --pid="$machine_pid" -c +1 -f "$1"; }

# Asks the current machine for its running processes, if COMMAND has started.
ask() { [[ ! $(report start) ]] || echo running 1<> "$here/ask"; }

# Prints how many machines have reported a word. $1: the word
reports() { cat "$dir/control" "$dir"/node[1-9]/control | grep -c "^$1 "; }

# Asks all machines for their running processes. The wait is limited, since a machine that hangs does not answer.
ask_what_runs() {
	local end=$((SECONDS + 20))
	ask
	for_other_nodes ask
	until [[ $(reports answered) -ge $(reports start) || $SECONDS -ge $end ]]; do sleep 0.1; done
}

make_machine_files() {
	local file
	for file in out err log control seen; do : > "$here/$file"; done
	for file in ask size folder tick; do [[ -p $here/$file ]] || mkfifo "$here/$file"; done
}

# The seconds of silence after which a kernel that starts counts as stuck.
readonly most_silence=30

# Returns whether the emulation of a starting kernel is watched: once for each run, and not if the caller may have stopped
# it, by options for QEMU.
silence_is_watched() { [[ $machine == qemu && $accel == tcg && ! $icount && ! $emulation_fault && ! ${qemu_extra[*]} ]]; }

# Notes in starting[number] whether the kernel of the current machine has not come to its first process, and in
# silent[number] the seconds since it has said something.
note_silence() {
	local size
	size=$(stat -c %s "$here/log")
	if [[ $size -gt 0 && $size == "${said[number]-}" ]]; then silent[number]=$((silent[number] + 1)); else silent[number]=0; fi
	said[number]=$size
	grep -qa 'Run .* as init process' "$here/log" && starting[number]='' silent[number]=0 || starting[number]=yes
}

readonly status_stuck=3

# Returns $status_stuck if the kernel of a machine is stuck as it starts, and 0 when all have started.
watch_silence() {
	local said=() silent=() starting=(yes) seconds
	while [[ "${starting[*]}" == *yes* ]] && kill -0 $$; do
		sleep 1
		note_silence
		for_other_nodes note_silence
		for seconds in "${silent[@]}"; do [[ $seconds -lt $most_silence ]] || return $status_stuck; done
	done
}

# Returns whether $1 is the process of watch_silence, and no kernel is stuck.
all_have_started() {
	[[ $1 && $1 == "$silence" && $machine_status -ne $status_stuck ]] || return
	silence='' children=("${streams[@]}" $timer)
}

run_machine() {
	local ended timer='' silence='' streams=()
	lost=''
	"${machine}_prepare"
	make_machine_files
	[[ ! $verbose ]] || say "${nodes:+$nodes machines: }kernel $release, $cpus processor(s), $memory, $described"
	"${machine}_start" <&0 &
	machine_pid=$!
	start_watcher
	for_other_nodes start_node
	stream "$dir/out" & streams+=($!)
	stream "$dir/err" >&2 & streams+=($!)
	if [[ $timeout =~ [1-9] ]]; then
		start sleep "$timeout" & timer=$!
	fi
	if silence_is_watched; then
		watch_silence < /dev/null > /dev/null 2>&1 & silence=$!
	fi
	children=("${streams[@]}" $timer $silence)
	# A change of the terminal's size interrupts the wait. The shell's report of an abort is discarded.
	until [[ ${ended-} ]]; do
		wait -n -p ended "$machine_pid" "${others[@]}" "${children[@]}"
		machine_status=$?
		! node_left "$ended" && ! all_have_started "$ended" || ended=''
	done 2> /dev/null
	case $ended in
	"$machine_pid") ;;
	"$timer")    timed_out=1 ;;
	"$silence")  is_stuck=1 ;;
	*)	     was_node "$ended" || ! kill -0 "$machine_pid" 2> /dev/null || reader_gone=1 ;;
	esac
	[[ ! $timed_out ]] || ask_what_runs
	# The shell's report of these ends is discarded, too.
	{
		kill -KILL "$machine_pid" "${others[@]}" "${watchers[@]}" $timer $silence
		wait "$machine_pid" "${others[@]}" "${watchers[@]}" $timer $silence
	} 2> /dev/null
	wait "${streams[@]}"
	machine_pid='' others=() watchers=() children=()
}
