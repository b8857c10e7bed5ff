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

run_machine() {
	local ended timer='' streams=()
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
	children=("${streams[@]}" $timer)
	# A change of the terminal's size interrupts the wait. The shell's report of an abort is discarded.
	until [[ ${ended-} ]]; do
		wait -n -p ended "$machine_pid" "${others[@]}" "${children[@]}"
		machine_status=$?
		! node_left "$ended" || ended=''
	done 2> /dev/null
	case $ended in
	"$machine_pid") ;;
	"$timer")    timed_out=1 ;;
	*)	     was_node "$ended" || ! kill -0 "$machine_pid" 2> /dev/null || reader_gone=1 ;;
	esac
	[[ ! $timed_out ]] || ask_what_runs
	# The shell's report of these ends is discarded, too.
	{
		kill -KILL "$machine_pid" "${others[@]}" "${watchers[@]}" $timer
		wait "$machine_pid" "${others[@]}" "${watchers[@]}" $timer
	} 2> /dev/null
	wait "${streams[@]}"
	machine_pid='' others=() watchers=() children=()
}
