# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Unpacks the kernel to boot, because an emulated processor would need seconds for that in every run.

# Prints a little-endian number of the kernel's image (Documentation/x86/boot.rst). $1: offset, $2: size
image_number() { od -An -v -j "$(($1))" -N "$2" -t "u$2" "$image" | tr -d ' '; }

# Unpacks the kernel. Fails if the image is unusual. $1: file for the unpacked kernel
unpack_image() {
	local start length packed=$dir/packed magic
	[[ $(od -An -j 514 -N 4 -c "$image" | tr -d ' ') == HdrS ]] || return
	start=$((($(image_number 0x1f1 1) + 1) * 512 + $(image_number 0x248 4)))
	length=$(image_number 0x24c 4)
	[[ $length -gt 0 ]] || return
	tail -c "+$((start + 1))" "$image" | head -c "$length" > "$packed"
	magic=$(od -An -N 4 -t x1 "$packed" | tr -d ' ')
	# The packed kernel is followed by its size in four bytes.
	case $magic in
	fd377a58) head -c -4 "$packed" | xz -dcq ;;
	28b52ffd) head -c -4 "$packed" | zstd -dcq ;;
	02214c18) head -c -4 "$packed" | lz4 -dcq ;;
	1f8b*)	  gzip -dcq < "$packed" ;;
	*)	  return 1 ;;
	esac > "$1" 2>/dev/null
	rm -f "$packed"
	[[ $(od -An -N 4 -t x1 "$1" | tr -d ' ') == 7f454c46 ]]
}

# Sets $image to the unpacked kernel. QEMU boots it by the PVH protocol; a kernel without PVH is booted packed.
make_image() {
	grep -qsx CONFIG_PVH=y "$modules_root/boot/config-$release" "$modules_root/lib/modules/$release/config" || return 0
	if cached vmlinux "$(stat -L -c '%n %s %Y' "$image")" unpack_image; then image=$cached_file; fi
}
