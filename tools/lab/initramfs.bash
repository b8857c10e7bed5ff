# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Makes the initial RAM file system. It has a part that is equal for every run of a kernel, which the cache keeps, and a
# small archive with the parameters of this run. The kernel unpacks both.

# Modules that the guest needs before it can mount the host's files, and those that hca.ko uses.
readonly early_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay)
readonly infiniband_modules=(ib_umad ib_uverbs rdma_ucm)

# Prints the files of modules and of their dependencies, in the order of loading, with parameters. Runs in a subshell.
# $1...: modules
module_files() {
	local module
	set -o pipefail
	for module; do
		modprobe -d "${modules_root:-/}" -S "$release" --show-depends "$module" 2> "$dir/modprobe-err" ||
			fail "kernel $release: $(head -n 1 "$dir/modprobe-err")"
	done | sed -n 's/^insmod //p' | awk '!seen[$1]++'
}

unpack() {
	case $1 in
	*.ko)	  cat "$1" ;;
	*.ko.xz)  "$busybox" xzcat "$1" ;;
	*.ko.gz)  "$busybox" zcat "$1" ;;
	*.ko.zst) zstd -dcq "$1" ;;
	*)	  say "$1: no known compression"; return 1 ;;
	esac
}

archive() { (cd "$1" && find . -mindepth 1 | "$busybox" cpio -o -H newc 2>/dev/null); }

# Copies the modules that standard input lists to folder $2, and writes list $1 of them there with their parameters.
add_modules() {
	local file parameters to n=10
	while read -r file parameters; do
		[[ $file ]] || continue
		to=$1$((n++))-${file##*/}
		unpack "$file" > "$2/$to" || return
		echo "$to $parameters" >> "$2/$1"
	done
}

# Makes the part that is equal for every run of a kernel. $1: file for the archive
make_base() {
	local root=$dir/base
	mkdir -p "$root"/{bin,modules,lab} &&
		cp "$busybox" "$root/bin/busybox" &&
		cp "$lab/init" "$lab/probe" "$root" &&
		chmod 755 "$root/init" "$root/probe" "$root/bin/busybox" &&
		ln -s busybox "$root/bin/sh" &&
		touch "$root/modules/early" &&
		add_modules early "$root/modules" <<< "$early_files" &&
		add_modules infiniband "$root/modules" <<< "$infiniband_files" &&
		archive "$root" > "$1"
}

make_initramfs() {
	early_files=''
	[[ $sanitize ]] || early_files=$(module_files "${early_modules[@]}" ${nodes:+virtio_net} ${publish:+virtio_net}) || exit $EX_LAB
	# shellcheck disable=SC2086 # a list
	infiniband_files=$(module_files "${infiniband_modules[@]}" ${needs-}) || exit $EX_LAB
	# shellcheck disable=SC2046
	cached initramfs "$(cat "$lab/init" "$lab/probe" "$lab/initramfs.bash"; echo "$early_files$infiniband_files"
		stat -L -c '%n %s %Y' "$busybox" "${modules_root-}/lib/modules/$release/modules.dep")" make_base ||
		fail "cannot build the initial RAM file system (is ${TMPDIR:-/tmp} full?)"
	base=$cached_file
}

# Prints a text quoted, so that every shell reads it back unchanged. $1: any text without NUL
quote() { printf "'%s'" "${1//\'/\'\\\'\'}"; }

# Prints the parameters of this run, which the guest's shell reads.
configuration() {
	local variable word
	for variable in mode machine release modules_root name cwd folder build module pair bare rows columns \
		nodes number join topology output pages icount; do
		printf '%s=%s\n' "$variable" "$(quote "${!variable-}")"
	done
	[[ $number -ne 0 ]] || printf 'publish=%s\n' "$(quote "${publish[*]}")"
	printf 'machine_id=%s\n' "$(printf 'hcalab machine-id %s' "$name" | md5sum | cut -c 1-32)"
	printf 'export_environment() {\n:\n'
	for word in "TERM=${TERM:-dumb}" "LANG=${LANG:-C.UTF-8}" "${env_extra[@]}"; do
		printf 'export %s\n' "$(quote "$word")"
	done
	printf '}\nset --'
	for word in "${argv[@]}"; do printf ' '; quote "$word"; done
	echo
}

# Makes the archive of the machine whose folder is $here.
make_initrd() {
	local run=$here/run cwd=$PWD
	mkdir -p "$run/lab"
	cp "$lab"/{guest,sanitize-guest,clock,ethernet,limit,hcalab-on,answer,no-man,session} "$run/lab" && configuration > "$run/lab/conf" || fail "cannot write to $dir"
	{ cat "$base" && archive "$run"; } > "$here/initrd" 2> /dev/null || fail "cannot write to $dir (is it full?)"
}
