# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# The clock of an emulated machine. The time stamp counter that QEMU emulates is this machine's own. Linux measures its
# frequency in the first milliseconds of a boot. If QEMU is not scheduled at that time, on a busy machine, the result is
# too low by some factor, and all clocks and timers of the guest are too fast by that factor. Therefore the frequency is
# measured once, and each guest gets it as a word of its command line (tsc_early_khz, of Linux 5.9 and later). ./clock
# is the guest's part, and compares the clocks.

tsc_khz=''

# Measures the frequency. $1: file for the frequency in kHz
# A second after its first measurement, Linux measures again by a timer of the machine, and prints the result only if
# both agree.
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

# Sets $tsc_khz. The frequency depends on the machine, not on a kernel. It is measured again after each boot of the
# machine.
choose_clock() {
	local release=host
	[[ $accel == tcg && ! $icount ]] || return 0
	cached tsc "$("$qemu" --version 2> /dev/null; cat /proc/sys/kernel/random/boot_id; grep -m 1 'model name' /proc/cpuinfo)" probe_tsc
	[[ ! -s $cached_file ]] || tsc_khz=$(< "$cached_file")
}

# Measures the frequency again, after a guest had a clock that was too fast.
renew_clock() {
	local release=host
	rm -f "$cache"/tsc-host-*
	choose_clock
}

# Returns whether the clock of the current machine was too fast before COMMAND started, without a frequency from the
# caller.
clock_failed() { [[ $(report fast) && ! $(report start) && " ${append[*]}" != *' tsc_early_khz='* ]]; }

# Prints from the guest's report how fast the clock was: seconds of the guest's clock, and the most that can have passed
# on the host.
how_fast() {
	local guest_seconds host_seconds
	read -r guest_seconds host_seconds <<< "$(report fast)"
	echo "$guest_seconds s of it went by within $host_seconds s"
}

judge_clock() { [[ ! $(report fast) ]] || fail "${about}the guest's clock was too fast: $(how_fast)"; }
