# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# The clock of an emulated machine. The time stamp counter that QEMU emulates is this machine's own. Linux measures its
# frequency in the first milliseconds of a boot; if QEMU stands still then, on a busy machine, the result is too low by a
# factor, and all clocks and timers of the guest are as much too fast. So the frequency is found once, and each guest gets
# it as a word of its command line (tsc_early_khz, of Linux 5.9 and later). ./clock is the guest's part: it compares the
# clocks.

tsc_khz=''

# $1: file for the frequency in kHz. A second after its first measurement Linux measures once more, by a timer of the
# machine, and says what it has found only if both agree.
probe_tsc() {
	local cpus=1 tries khz
	machine_args tcg
	for tries in 1 2 3; do
		: > "$dir/log"
		{ (start timeout -s KILL 120 "$qemu" "${args[@]}" -append "$kernel_words rdinit=/probe linger=3" \
			< /dev/null > /dev/null); } 2> /dev/null
		khz=$(sed -En 's/.*Refined TSC clocksource calibration: ([0-9]+)\.([0-9]{3}) MHz.*/\1\2/p' "$dir/log")
		[[ ! $khz ]] || { echo "$khz" > "$1"; return; }
	done
	return 1
}

# The frequency is that of a machine and not of a kernel. It is found again after each boot of the machine.
choose_clock() {
	local release=host
	[[ $accel == tcg && ! $icount ]] || return 0
	cached tsc "$("$qemu" --version 2> /dev/null; cat /proc/sys/kernel/random/boot_id; grep -m 1 'model name' /proc/cpuinfo)" probe_tsc
	[[ ! -s $cached_file ]] || tsc_khz=$(< "$cached_file")
}

# Finds the frequency anew, after a guest had a clock that was too fast.
renew_clock() {
	local release=host
	rm -f "$cache"/tsc-host-*
	choose_clock
}

# Whether the clock of the current machine was too fast before COMMAND was started, for which the caller has not asked.
clock_failed() { [[ $(report fast) && ! $(report start) && " ${append[*]}" != *' tsc_early_khz='* ]]; }

# Prints by how much, from the guest's report: seconds of its clock, and the most that can have gone by here.
how_fast() {
	local guest_seconds host_seconds
	read -r guest_seconds host_seconds <<< "$(report fast)"
	echo "$guest_seconds s of it went by within $host_seconds s"
}

judge_clock() { [[ ! $(report fast) ]] || fail "${about}the guest's clock was too fast: $(how_fast)"; }
