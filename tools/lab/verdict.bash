# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Decides how a run has ended, from the guest's report and the kernel's log.

# Patterns of log lines, behind the time stamp, that fail the run.
complaint_patterns=(
	'(watchdog: |\[ )?BUG[ :]' 'kernel BUG at' 'WARNING: ' '-+\[ cut here \]' '.*\[#[0-9]+\]' 'Kernel panic'
	'UBSAN: ' 'ODEBUG: ' 'refcount_t: ' 'Unable to handle kernel' '.*suspicious RCU usage'
	'(rcu: )?INFO: (rcu|task|possible|inconsistent|trying to register non-static|.*stall|.*detected)'
	'(NMI )?watchdog: .*LOCKUP' 'unregister_netdevice: waiting for'
	'irq [0-9]+: nobody cared' 'sysfs: cannot create duplicate'
)
complaints="^(\[ *[0-9.]+\] )?($(IFS='|'; echo "${complaint_patterns[*]}"))"

# The first line of the kernel's answer to sysrq w.
readonly blocked='sysrq: Show Blocked State'

# Messages of kernels that cannot start because they lack something, which is not an error of hca.ko.
readonly no_start='Kernel panic - not syncing: (VFS: |No working init|Requested init|System is deadlocked on memory)'

# Bits of /proc/sys/kernel/tainted: bad page, died, warned, soft lockup.
readonly complaint_taints=$((1 << 5 | 1 << 7 | 1 << 9 | 1 << 14))

report() { sed -n "s/^$1 //p" "$here/control" | tail -n 1; }

# Prints the kernel's log as text, without the CR of the serial port.
kernel_log() { tr -d '\r' < "$here/log"; }

keep_kernel_log() {
	kernel_log > "$here/kernel.log" 2> /dev/null ||
		fail "${dir%/*} is full, so that what COMMAND wrote may be lost; TMPDIR names another place"
}

# Defects of QEMU's emulation with several processors. It may execute a breakpoint that the kernel has already removed,
# since the kernel patches its own code as it starts. It may also look up a device while the kernel moves it, and abort.
# Very rarely, processors that wait for each other stand still for good. A guest that meets one of these defects before
# hca.ko is loaded and COMMAND begins is started again.
readonly stale_breakpoint='^(\[ *[0-9.]+\] )?(Oops: )?int3: 0000 \[#1\]'
readonly stale_section="iotlb_to_section: Assertion .* failed"

died_of_breakpoint() {
	[[ ! $(report start) ]] && kernel_log | grep -qaE "$stale_breakpoint" &&
		! kernel_log | grep -qaE 'Modules linked in:.* hca( |\(|$)'
}

died_of_section() { [[ ! $(report start) ]] && grep -qa "$stale_section" "$here/machine-err"; }

# Returns whether a machine has failed because of QEMU's emulation. Sets $emulation_fault to a description.
emulation_failed() {
	[[ $machine == qemu && $accel == tcg && ! $timed_out ]] || return
	note_failure() {
		! died_of_breakpoint || emulation_fault="ran a breakpoint that the starting kernel had removed, and the guest died"
		! died_of_section || emulation_fault="lost its map of devices while the kernel started, and aborted"
		! clock_failed || emulation_fault="gave its guest a clock that was too fast ($(how_fast))"
	}
	note_failure
	for_other_nodes note_failure
	[[ ! $is_stuck ]] || emulation_fault="stood still for $most_silence s while the kernel started"
	[[ $emulation_fault ]]
}

judge() {
	local status why started about=${nodes:+node0: }
	keep_kernel_log
	for_other_nodes keep_kernel_log
	status=$(report exit) why=$(report fail) started=$(report start)
	[[ ! $verbose || ! $started ]] || say "COMMAND started after $started s of guest time and ran until" \
		"$SECONDS s after the call"
	judge_kernel
	for_other_nodes judge_kernel
	judge_clock
	for_other_nodes judge_clock
	[[ ! $why ]] || fail "$about$why"
	for_other_nodes judge_lost_node
	[[ ! $status ]] || exit "$status"
	[[ ! $timed_out ]] || judge_timeout "$started"
	# 141 is the exit status of a program that gets SIGPIPE.
	[[ ! $reader_gone ]] || exit 141
	fail_early
}

# Reports that the time limit is over. $1: the time when COMMAND started, or empty
judge_timeout() {
	if [[ ! $1 ]]; then
		say "${about}the guest did not come to start COMMAND within $timeout seconds; its kernel's last words:"
		last_words 5
		for_other_nodes judge_late_node
		exit $EX_TIMEOUT
	fi
	say "$timeout s are over; $(what_runs)"
	for_other_nodes say_what_runs
	if [[ $verbose ]]; then
		show_blocked
		for_other_nodes show_blocked
	fi
	exit $EX_TIMEOUT
}

# Prints the running processes that the current machine has reported.
what_runs() {
	local on=${nodes:+ on $name} most=10 runs=() list more=''
	readarray -t runs < <(sed -n 's/^running //p' "$here/control")
	[[ ${#runs[@]} -le $most ]] || more=", and $((${#runs[@]} - most)) more"
	printf -v list ', %s' "${runs[@]::most}"
	if [[ ! $(report answered) ]]; then
		echo "the guest does not say what still runs$on"
	elif [[ ${#runs[@]} -gt 0 ]]; then
		echo "still running$on: ${list#, }$more"
	fi
}

say_what_runs() {
	local what
	what=$(what_runs)
	[[ ! $what ]] || say "$what"
}

show_blocked() {
	if grep -qa "$blocked" "$here/kernel.log"; then
		say "${about}what waited in the kernel, and what the processors did:"
		show_log "$blocked"
	fi
}

judge_kernel() {
	local stuck taint complaints=$complaints
	# With --sanitize, the guest filters leaks (sanitize-guest), since kmemleak's list also has objects of other
	# modules.
	[[ $sanitize ]] || complaints+='|.*kmemleak: [0-9]+ new suspected'
	[[ $(report start) ]] || ! grep -qaE "$no_start" "$here/kernel.log" || fail_early
	stuck=$(report stuck) taint=$(report taint)
	if grep -qaE "$complaints" "$here/kernel.log"; then
		say "${about}the kernel complained:"
		show_log "$complaints"
	elif [[ $stuck ]]; then
		say "${about}process ${stuck/ / (}) is stuck in the kernel and could not be killed:"
		show_log "$blocked"
	elif ((taint & complaint_taints)); then
		say "${about}the kernel has tainted itself ($taint), but its log does not tell why; see --log"
	else
		return 0
	fi
	[[ ! $timed_out ]] || say "and COMMAND did not end within $timeout seconds"
	exit $EX_COMPLAINT
}

# Shows the log from the first line that matches $1, up to a limit.
show_log() {
	local lines=150 first
	first=$(grep -naE -m 1 "$1" "$here/kernel.log")
	tail -n "+${first%%:*}" "$here/kernel.log" > "$here/shown"
	head -n $lines "$here/shown" >&2
	if [[ $(wc -l < "$here/shown") -gt $lines ]]; then say "... (the rest: --log FILE)"; fi
}

# Prints the last lines of the kernel's log. $1: number of lines
last_words() {
	if [[ -s $dir/kernel.log ]]; then tail -n "$1" "$here/kernel.log" >&2; else say '(none)'; fi
}

fail_early() {
	local why
	sed 's/^/hcalab: /' "$here/machine-err" >&2
	[[ -s $dir/kernel.log ]] || fail "$about${machine^^} ended before the kernel said anything (status $machine_status)"
	why=$(sed -n 's/^.*hcalab: //p' "$here/kernel.log" | tail -n 1)
	[[ ! $why ]] || fail "$about$why"
	say "${about}the guest ended before COMMAND did; its kernel's last words:"
	last_words 20
	exit $EX_LAB
}
