# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Checks and builds for a run on the kernel with sanitizers.

check_sanitize_options() {
	local what="--sanitize is User Mode Linux"
	[[ ! $icount ]] || usage "$what, which cannot count instructions: it excludes --icount"
	[[ ${cpus:-1} -eq 1 ]] || usage "$what, which has one processor: it excludes --cpus $cpus"
	[[ $accel == auto ]] || usage "$what, which nothing emulates: it excludes --accel $accel"
	[[ ${#qemu_extra[@]} -eq 0 ]] || usage "$what: it excludes --qemu"
	[[ ! $output ]] || usage "$what, whose guest has no folder of its own on the host: it excludes --output"
	[[ ! $modules_root ]] || usage "$what, which no system has installed: it excludes --kernels $modules_root"
	# KASAN needs memory of its own, and the other sanitizers have logs.
	[[ $memory == *G || ${memory%M} -ge 512 ]] || usage "--memory '$memory': with --sanitize the guest needs at least 512M"
}

# Brings hca.ko for the kernel with sanitizers up to date at each run, because a build only has modules for installed
# kernels.
make_sanitize_module() {
	[[ ! $bare ]] || return 0
	[[ $build ]] || fail "--sanitize needs hca.ko built for its kernel, so a build of hca: --build DIR, HCALAB_BUILD or ./build"
	[[ -e $build/Makefile ]] || fail "--build $build: holds no Makefile that could build hca.ko for $release"
	[[ -w $build/kbuild ]] || fail "$build/kbuild cannot be written by $(id -un), who is to build hca.ko for $release there"
	# The build runs in the background, because signals would have to wait for a command in the foreground.
	start env MAKEFLAGS='' KERNEL_DIR="$kernel_dir/build" flock "$build/kbuild/lock" \
		make -C "$build" HCA_KERNELS="$release" kbuild > "$dir/make.log" 2>&1 &
	children=($!)
	if ! wait $!; then
		tail -n 30 "$dir/make.log" >&2
		fail "hca.ko cannot be built for $release in $build"
	fi
	children=()
}
