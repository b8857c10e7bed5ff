# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of NVMe over RDMA, of the disk in memory that storage.bash makes, at $serves.

# Modules of NVMe over RDMA. When a port of nvmet goes, Linux destroys an identifier of rdma_cm under nvmet_config_sem, which
# the handler of such an identifier takes: lockdep reports that, and then finds nothing else any more.
wants_nvme() {
	wants_modules 'NVMe over RDMA' nvmet-rdma nvme-rdma
	[[ ! -e /proc/lockdep_stats ]] || { skip 'NVMe over RDMA' 'lockdep would report the order of locks of nvmet'; exit; }
}

nvmet=/sys/kernel/config/nvmet

# nvme_offer: the disk in memory, by NVMe over RDMA, at $serves
nvme_offer() {
	mkdir $nvmet/subsystems/disk $nvmet/subsystems/disk/namespaces/1 $nvmet/ports/1 &&
		echo 1 >$nvmet/subsystems/disk/attr_allow_any_host &&
		echo /dev/nullb0 >$nvmet/subsystems/disk/namespaces/1/device_path &&
		echo 1 >$nvmet/subsystems/disk/namespaces/1/enable &&
		echo rdma >$nvmet/ports/1/addr_trtype &&
		echo ipv4 >$nvmet/ports/1/addr_adrfam &&
		echo "$serves" >$nvmet/ports/1/addr_traddr &&
		echo 4420 >$nvmet/ports/1/addr_trsvcid &&
		ln -s $nvmet/subsystems/disk $nvmet/ports/1/subsystems/disk
}

# nvme_finds NAME OPTION...: connects to it, which shall be a block device, /dev/nvme0n1
nvme_finds() {
	expect "$1" nvme connect -t rdma -n disk -a "$serves" -s 4420 --host-traddr "$asks" -q host -c 1 -k 3 \
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
