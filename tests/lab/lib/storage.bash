# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of disks and files over RDMA, whatever the devices are. The library of the devices sets $serves and $asks, the
# addresses of who serves and of who asks, and has octets_asked, which prints how many octets who asks has sent.

# shellcheck source=tests/lab/lib/wants.bash
. "$lab/lib/wants.bash"

# Makes a disk in memory, of 64 MiB: /dev/nullb0.
memory_disk() {
	[[ -b /dev/nullb0 ]] && return
	modprobe null_blk nr_devices=0 || return
	mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config || return
	mkdir -p /sys/kernel/config/nullb/nullb0 && cd /sys/kernel/config/nullb/nullb0 &&
		echo 64 >size && echo 1 >memory_backed && echo 1 >power && cd / && within 5 test -b /dev/nullb0
}

# Prints the name of the SCSI disk, if there is one.
disk() {
	local file
	for file in /sys/class/scsi_disk/*/device/block/*; do echo /dev/"${file##*/}"; done
}

# Prints hcactl's line of live objects, without address handles, which IPoIB makes for each of its peers, and CQs, of which
# the RDMA core keeps a pool for each adapter.
kept() { objects "$1" | sed -E 's/^none$//; s/(^| )(ah|cq) [0-9]+//g'; }
keeps() { [[ $(kept "$1") == "$2" ]] || { log "$(objects "$1")"; return 1; }; }

# at_rest DEVICE: waits for that, and prints what it has
at_rest() { settled_objects "$1" >/dev/null; kept "$1"; }

# --- data that are verified ---------------------------------------------------------------------------------------------

fio_job=(fio --name=verify --ioengine=libaio --iodepth=8 --direct=1 --rw=randwrite --bsrange=4k-128k
	--verify=crc32c --verify_fatal=1 --do_verify=1)

# fio_verifies NAME FILE OPTION...: what fio writes, to a file or a block device, it reads again, and compares its sums
fio_verifies() {
	limit=100 expect "$1" "${fio_job[@]}" --filename="$2" --size=4m "${@:3}"
}

# has_written OCTETS: whether the device through which fio writes has sent so many octets, or fio has ended
has_written() { (($(octets_asked) >= $1)) || ! kill -0 "$fio" 2>/dev/null; }

# fio_begins FILE OPTION...: in the background, and waits until it has written something; sets $fio
fio_begins() {
	local before
	before=$(octets_asked)
	log "\$ ${fio_job[*]} $* &"
	timeout -k 2 $((300 * slowness)) "${fio_job[@]}" --filename="$1" --size=4m "${@:2}" >"$tmp/fio" 2>&1 </dev/null 3>&- &
	fio=$!
	within 60 has_written $((before + 65536)) || log 'fio has written next to nothing'
}

# fio_ends SECONDS: sets $fio_status; 124 is that it did not end
fio_ends() {
	fio_status=124
	if within "$1" eval "! kill -0 $fio 2>/dev/null"; then
		wait "$fio"
		fio_status=$?
	fi
	log "fio: $fio_status" && cat "$tmp/fio"
}

# removed DEVICE WHAT FILE: it is deleted while fio writes and reads, which gets an error, and nobody waits for long.
removed() {
	fio_begins "$3" --time_based --runtime=$((200 * slowness))
	holds "$2: there are requests" kill -0 "$fio"
	limit=60 expect "$2: the device is deleted meanwhile" hcactl device del "$1"
	fio_ends 60
	holds "$2: who reads and writes gets an error" test "$fio_status" != 0 -a "$fio_status" != 124
}
