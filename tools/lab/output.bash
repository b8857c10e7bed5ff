# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# A folder of the host that the guest writes to. QEMU creates only plain files and folders of this user there, whatever
# type the guest creates. It stores the types, owners and modes that the guest has set as text, in .virtfs_metadata. The
# guest can therefore not create a link, a device or a program with another user's rights on the host.

# The mode of a symbolic link: S_IFLNK and all permissions.
readonly link_mode='^virtfs\.mode=41471$'

# Checks an output folder, and creates it if necessary. $1: the folder
check_output_folder() {
	local why
	[[ ! -e $1 || -d $1 ]] || usage "--output '$1': not a folder"
	why=$(mkdir -p -- "$1" 2>&1) || usage "--output '$1': cannot be made: ${why##*: }"
	[[ -w $1 && -x $1 ]] || usage "--output '$1': cannot be written by $(id -un)"
}

check_output_options() {
	local n
	check_output_folder "$output"
	output=$(readlink -f -- "$output")
	for ((n = 0; n < ${nodes:-0}; n++)); do check_output_folder "$output/node$n"; done
}

# Prints the output folder of the current machine.
output_folder() { echo "$output${nodes:+/node$number}"; }

output_args() {
	local folder modes
	[[ $output ]] || return 0
	folder=$(output_folder)
	printf -v modes 'fmode=0%o,dmode=0%o' $((0666 & ~$(umask))) $((0777 & ~$(umask)))
	args+=(-fsdev "local,id=output,path=${folder//,/,,},security_model=mapped-file,$modes,multidevs=remap"
		-device 'virtio-9p-pci,fsdev=output,mount_tag=output')
}

# Replaces a file that was a symbolic link in the guest by a link, if it leads to its own folder or below. Such a link
# stays valid when its folder is moved. $1: the file
finish_link() {
	local target
	[[ -f $1 && ! -L $1 ]] || return
	IFS= read -r -d '' -n 4095 target < "$1"
	if [[ $target && $target != /* && /$target/ != */../* ]]; then
		ln -sfT -- "$target" "$1"
	else
		rm -f -- "$1"
		say "--output: no link ${1@Q}: it led out of its folder, to ${target@Q}"
	fi
}

# Completes the output folder after QEMU has ended: makes the links, and removes QEMU's metadata.
finish_output() {
	local folder kept
	folder=$(output_folder)/
	while IFS= read -r -d '' kept; do
		finish_link "${kept%/.virtfs_metadata/*}/${kept##*/}"
	done < <(find "$folder" -type f -path '*/.virtfs_metadata/*' -exec grep -lZ "$link_mode" {} +)
	find "$folder" \( -type d -name .virtfs_metadata -o -type f -name .virtfs_metadata_root \) -prune -exec rm -rf {} +
}
