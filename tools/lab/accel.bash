# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Chooses KVM or emulation. Even if /dev/kvm exists, a guest may hang at its first instruction, or QEMU may abort. KVM
# is therefore used only if this kernel has booted with it.

# $1: file for the answer
probe_kvm() {
	machine_args kvm
	: > "$dir/log"
	# The braces keep the shell from reporting an abort.
	{ (start timeout -s KILL 5 "$qemu" "${args[@]}" -append "$kernel_words rdinit=/probe" < /dev/null > /dev/null); } 2> /dev/null
	if grep -qas 'hcalab: it boots' "$dir/log"; then echo kvm; else echo tcg; fi > "$1"
}

choose_accel() {
	[[ $accel == auto ]] || return 0
	accel=tcg
	[[ ! $icount && -r /dev/kvm && -w /dev/kvm ]] || return 0
	cached accel "$("$qemu" --version 2> /dev/null; uname -r; grep -m 1 'model name' /proc/cpuinfo)" probe_kvm || return 0
	accel=$(< "$cached_file")
}
