# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of what runs above verbs, between two adapters of one machine: hca0, 10.9.9.1, serves, and hca1, 10.9.9.2, asks.

# Programs that are not installed here.
lay_programs() {
	[[ ! -d ${LAB_PROGRAMS-} ]] || "$lab/lib/lay-programs" "$LAB_PROGRAMS" || { not_ok 'programs are laid over the system' "not so: $LAB_PROGRAMS"; exit 1; }
}

# wants WHAT PROGRAM...: the case is about WHAT, and uses these
wants() {
	local program
	lay_programs
	for program in "${@:2}"; do
		command -v "$program" >/dev/null || { skip "$1" "there is no $program"; exit; }
	done
}

# wants_modules WHAT MODULE...
wants_modules() {
	local module
	for module in "${@:2}"; do
		modprobe -q "$module" || { skip "$1" "this kernel has no $module"; exit; }
	done
}

# Modules of NVMe over RDMA. When a port of nvmet goes, Linux destroys an identifier of rdma_cm under nvmet_config_sem, which
# the handler of such an identifier takes: lockdep reports that, and then finds nothing else any more.
wants_nvme() {
	wants_modules 'NVMe over RDMA' nvmet-rdma nvme-rdma
	[[ ! -e /proc/lockdep_stats ]] || { skip 'NVMe over RDMA' 'lockdep would report the order of locks of nvmet'; exit; }
}

are_up() { [[ $(hcaip show | grep -c ' up ') = 2 ]]; }

# Two adapters and a cable, an address at each end.
addresses() {
	subnet
	hcactl link set hca0/1 hca1/1 none
	modprobe rdma_ucm
	[[ ! $(hcaip show) ]] || hcaip down
	hcaip up --wait $((30 * slowness)) hca0=10.9.9.1/24 hca1=10.9.9.2/24 || exit
}

# Makes a disk in memory, of 64 MiB: /dev/nullb0.
memory_disk() {
	[[ -b /dev/nullb0 ]] && return
	modprobe null_blk nr_devices=0 || return
	mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config || return
	mkdir -p /sys/kernel/config/nullb/nullb0 && cd /sys/kernel/config/nullb/nullb0 &&
		echo 64 >size && echo 1 >memory_backed && echo 1 >power && cd / && within 5 test -b /dev/nullb0
}

nvmet=/sys/kernel/config/nvmet

# nvme_offer: the disk in memory, by NVMe over RDMA, at 10.9.9.1
nvme_offer() {
	mkdir $nvmet/subsystems/disk $nvmet/subsystems/disk/namespaces/1 $nvmet/ports/1 &&
		echo 1 >$nvmet/subsystems/disk/attr_allow_any_host &&
		echo /dev/nullb0 >$nvmet/subsystems/disk/namespaces/1/device_path &&
		echo 1 >$nvmet/subsystems/disk/namespaces/1/enable &&
		echo rdma >$nvmet/ports/1/addr_trtype &&
		echo ipv4 >$nvmet/ports/1/addr_adrfam &&
		echo 10.9.9.1 >$nvmet/ports/1/addr_traddr &&
		echo 4420 >$nvmet/ports/1/addr_trsvcid &&
		ln -s $nvmet/subsystems/disk $nvmet/ports/1/subsystems/disk
}

# nvme_finds NAME OPTION...: connects to it, which shall be a block device, /dev/nvme0n1
nvme_finds() {
	expect "$1" nvme connect -t rdma -n disk -a 10.9.9.1 -s 4420 --host-traddr 10.9.9.2 -q host -c 1 -k 3 \
		-I 11111111-2222-3333-4444-555555555555 "${@:2}"
	holds "$1: there is a block device" within 60 test -b /dev/nvme0n1 || exit
}

nvme_disconnects() {
	run nvme disconnect -n disk
	holds 'nobody has a connection any more' within 20 eval '[[ $(rdma resource show cm_id) != *"state CONNECT"* ]]'
}

nvme_withdraw() {
	rm $nvmet/ports/1/subsystems/disk
	rmdir $nvmet/ports/1 $nvmet/subsystems/disk/namespaces/1 $nvmet/subsystems/disk
}

# Prints the name of the SCSI disk, if there is one.
disk() {
	local file
	for file in /sys/class/scsi_disk/*/device/block/*; do echo /dev/"${file##*/}"; done
}

# Prints hcactl's line of live objects, without address handles, which IPoIB makes for each of its peers, and CQs, of which
# the RDMA core keeps a pool for each adapter.
kept() { objects "$1" | sed -E 's/ (ah|cq) [0-9]+//g'; }
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

# has_written WORDS: whether hca1, through which fio writes, has sent so many words of 4 octets, or fio has ended
has_written() { (($(counter hca1 port_xmit_data) >= $1)) || ! kill -0 "$fio" 2>/dev/null; }

# fio_begins FILE OPTION...: in the background, and waits until it has written something; sets $fio
fio_begins() {
	local before
	before=$(counter hca1 port_xmit_data)
	log "\$ ${fio_job[*]} $* &"
	timeout -k 2 $((300 * slowness)) "${fio_job[@]}" --filename="$1" --size=4m "${@:2}" >"$tmp/fio" 2>&1 </dev/null 3>&- &
	fio=$!
	within 60 has_written $((before + 16384)) || log 'fio has written next to nothing'
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

# withstands WHAT FILE: loss, and eight seconds without a cable. At its rate fio writes for longer than that, and so cannot end
# before the cable is there again.
withstands() {
	faults drop 100% nth 100
	fio_verifies "$1: at 1 % loss" "$2" --size=2m
	some "$1: packets were lost" dropped
	faults none
	fio_begins "$2" --rate=,300k
	run hcactl link del hca0/1
	nap 8
	holds "$1: there are requests without a cable" kill -0 "$fio"
	run hcactl link add hca0/1 hca1/1
	sm_sweep
	fio_ends 60
	is "$1: eight seconds without a cable are no error" "$fio_status" 0
}

# removed ADAPTER WHAT FILE: it is deleted while fio writes and reads, which gets an error, and nobody waits for long.
removed() {
	fio_begins "$3" --time_based --runtime=$((200 * slowness))
	holds "$2: there are requests" kill -0 "$fio"
	limit=60 expect "$2: the adapter is deleted meanwhile" hcactl device del "$1"
	fio_ends 60
	holds "$2: who reads and writes gets an error" test "$fio_status" != 0 -a "$fio_status" != 124
}
