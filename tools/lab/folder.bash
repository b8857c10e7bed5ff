# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# The current folder. A guest of QEMU sees its files in their current state on the host. The guest caches the files of
# all other folders.

# Processes that watch the folder, one for each machine.
watchers=()

# Sets $folder to the current folder. It is empty for an unreadable folder, and for /, since the guest has a root folder
# of its own.
choose_folder() {
	folder=$(pwd -P 2> /dev/null)
	[[ $folder != / && $folder -ef . && -r $folder && -x $folder ]] || folder=''
}

# Adds the folder as a second device, since Linux mounts a device's file system only once.
folder_args() {
	[[ $folder ]] || return 0
	args+=(-virtfs "local,path=${folder//,/,,},mount_tag=folder,security_model=none,readonly=on,multidevs=remap")
	input_port 6 folder
}

start_watcher() {
	[[ $machine == qemu && $folder ]] || return 0
	watch_folder < /dev/null &> /dev/null & watchers+=($!)
}

# Notifies the current machine when names in the folder appear or disappear, until hcalab ends. The pause before the
# notification lets changes within one tick of the file system's clock finish.
watch_folder() {
	local tick
	exec {tick}<> "$here/tick"
	touch -cr "$folder" "$here/seen"
	while pause 0.3 && kill -0 $$; do
		[[ $folder -nt $here/seen || $folder -ot $here/seen ]] || continue
		touch -cr "$folder" "$here/seen"
		pause 0.1
		echo changed 1<> "$here/folder"
	done
}

# Sleeps without a process of its own: reads from a pipe that is never written. $1: seconds
pause() { ! read -rt "$1" -u "$tick"; }
