# shellcheck shell=bash disable=SC2034,SC2154 # what guest.bash has set, and what other libraries use
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of what runs above verbs, between two adapters of one machine: hca0, 10.9.9.1, serves, and hca1, 10.9.9.2, asks.

# shellcheck source=tests/lab/lib/storage.bash
. "$lab/lib/storage.bash"

serves=10.9.9.1 asks=10.9.9.2
octets_asked() { echo $((4 * $(counter hca1 port_xmit_data))); }

are_up() { [[ $(hcaip show | grep -c ' up ') = 2 ]]; }

# Two adapters and a cable, an address at each end.
addresses() {
	subnet
	hcactl link set hca0/1 hca1/1 none
	modprobe rdma_ucm
	[[ ! $(hcaip show) ]] || hcaip down
	hcaip up --wait $((30 * slowness)) hca0=10.9.9.1/24 hca1=10.9.9.2/24 || exit
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
