# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# The current folder, whose files a guest of QEMU sees as they are on the host, however often they change. Of all others it
# keeps what it has seen of them.

# Processes that watch the folder, one for each machine.
watchers=()

# The guest has a folder of its own at the root.
choose_folder() {
	folder=$(pwd -P 2> /dev/null)
	[[ $folder != / && $folder -ef . && -r $folder && -x $folder ]] || folder=''
}

# The second file system is a device of its own, since Linux mounts each only once.
folder_args() {
	[[ $folder ]] || return 0
	args+=(-virtfs "local,path=${folder//,/,,},mount_tag=folder,security_model=none,readonly=on,multidevs=remap")
	input_port 6 folder
}

start_watcher() {
	[[ $machine == qemu && $folder ]] || return 0
	watch_folder < /dev/null &> /dev/null & watchers+=($!)
}

# Tells the current machine that names have come or gone in the folder, until hcalab ends. What happens in the same tick of
# the clock as a change that is seen is past when that is told.
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

# $1: seconds. Nothing is written to the pipe, and no process is started.
pause() { ! read -rt "$1" -u "$tick"; }
