# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Chooses QEMU, the kernel, the build and the module to boot.

choose_busybox() {
	[[ $(uname -m) == x86_64 ]] || fail "only x86-64 machines are supported, this is $(uname -m)"
	busybox=$(type -P busybox) ||
		fail "busybox is not installed; on Debian: apt-get install busybox-static"
	type -P modprobe > /dev/null || fail "modprobe is not installed; on Debian: apt-get install kmod"
	# Busybox runs in the guest before a library is available.
	if grep -qa '/ld-linux-x86-64' "$busybox" 2>/dev/null; then
		fail "$busybox is not statically linked; on Debian: apt-get install busybox-static"
	fi
}

choose_qemu() {
	qemu=$(type -P qemu-system-x86_64) ||
		fail "qemu-system-x86_64 is not installed; on Debian: apt-get install --no-install-recommends qemu-system-x86"
}

choose_build() {
	local by=--build
	if [[ ! $build ]]; then
		build=${HCALAB_BUILD-} by=HCALAB_BUILD
		[[ $build || ! -d build/kbuild ]] || build=build
	fi
	[[ $build ]] || return 0
	[[ -d $build ]] || fail "$by $build: no such directory"
	build=$(readlink -f "$build")
	[[ -d $build/kbuild ]] ||
		fail "$by $build: holds no kbuild/, so it is not a build of hca; build it with 'make'"
	if [[ $build =~ ^/(run|proc|sys|dev)/ ]]; then
		fail "$by $build: the guest has a /${BASH_REMATCH[1]} of its own; build elsewhere"
	fi
}

# Sets $pages to the folder of manual pages, if this is the hcalab of a source tree.
choose_pages() {
	[[ ! -d $lab/../../man ]] || pages=$(readlink -f "$lab/../../man")
}

# Sets $modules_root to the system whose kernels are used: empty for this one.
choose_kernels() {
	local by=--kernels
	if [[ ! $modules_root ]]; then
		modules_root=${HCALAB_KERNELS-} by=HCALAB_KERNELS
	fi
	[[ $modules_root ]] || return 0
	[[ -d $modules_root/lib/modules ]] ||
		fail "$by $modules_root: holds no lib/modules/, so it is not a system that has kernels"
	modules_root=$(readlink -f "$modules_root")
	[[ $modules_root != / ]] || modules_root=''
}

kernel_image() {
	local image
	for image in "$modules_root/boot/vmlinuz-$1" "$modules_root/lib/modules/$1/vmlinuz"; do
		[[ -e $image ]] && { echo "$image"; return; }
	done
	return 1
}

installed_kernels() {
	local modules
	for modules in "$modules_root"/lib/modules/*/modules.dep; do
		modules=${modules%/*}
		kernel_image "${modules##*/}" >/dev/null && echo "${modules##*/}"
	done | sort -V
}

# Lists the releases for which hca.ko is built, oldest first.
built_kernels() {
	local module
	if [[ $build ]]; then
		for module in "$build"/kbuild/*/hca.ko; do
			module=${module%/*}; echo "${module##*/}"
		done
	else
		for module in $(installed_kernels); do
			modinfo -b "$modules_root/" -k "$module" -n hca >/dev/null 2>&1 && echo "$module"
		done
	fi | sort -V
}

# Prints the releases that match version $1: 6.1 matches 6.1 and 6.1.x, but not 6.12.
matching() {
	local release
	while read -r release; do
		[[ $release == "$1" || $release == "$1"[.+-]* ]] && echo "$release"
	done
}

words() { tr '\n' ' ' | sed 's/ $//'; }

choose_kernel() {
	local installed built below=${modules_root:+ below $modules_root}
	installed=$(installed_kernels)
	[[ $installed ]] ||
		fail "no kernel is installed with its modules$below; on Debian: apt-get install linux-image-amd64"
	if [[ $kernel && -z $(matching "$kernel" <<< "$installed") ]]; then
		fail "kernel '$kernel' is not installed$below; installed: $(words <<< "$installed");" \
			"on Debian 'apt-cache search linux-image' lists what can be"
	fi
	[[ $bare ]] && built=$installed || built=$(comm -12 <(built_kernels | sort) <(sort <<< "$installed") | sort -V)
	release=$(matching "${kernel:-$(head -n 1 <<< "$built" | grep -o '^[0-9]*\.[0-9]*')}" <<< "$built" | tail -n 1)
	[[ $release ]] || fail_no_module
	image=$(kernel_image "$release")
	[[ -r $image ]] || fail "$image cannot be read by $(id -un); as root: chmod +r $image"
}

fail_no_module() {
	local for_what="${kernel:+ for kernel $kernel}" below=${modules_root:+ below $modules_root} has
	has=$(built_kernels | words)
	if [[ $build ]]; then
		fail "$build/kbuild holds no hca.ko$for_what that could boot here (has: ${has:-none};" \
			"installed kernels$below: $(installed_kernels | words)); build it with 'make'," \
			"which needs that kernel's linux-headers"
	fi
	fail "hca.ko$for_what is neither built here (./build, --build DIR, HCALAB_BUILD) nor installed" \
		"(installed for: ${has:-no kernel})"
}

choose_module() {
	local magic
	[[ ! $bare && $build ]] || return 0
	module=$build/kbuild/$release/hca.ko
	[[ -r $module ]] || fail "$module cannot be read by $(id -un); its owner can: chmod +r $module"
	magic=$(modinfo -F vermagic "$module" 2>/dev/null) || fail "$module is not a kernel module"
	[[ ${magic%% *} == "$release" ]] ||
		fail "$module was built for kernel ${magic%% *}, not for $release; build it again for $release"
	# insmod, unlike modprobe, does not load the modules that a module needs.
	needs=$(modinfo -F depends "$module" | tr ',' ' ')
}
