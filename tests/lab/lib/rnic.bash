# shellcheck shell=bash disable=SC2034,SC2154 # what guest.bash has set, and what other libraries use
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of an RNIC, rnic0 of the interface dummy0, whose connections have both ends at this machine, at 10.9.9.1.

# shellcheck source=tests/lab/lib/wants.bash
. "$lab/lib/wants.bash"
# shellcheck source=tests/lab/lib/ip.bash
. "$lab/lib/ip.bash"

serves=10.9.9.1 asks=10.9.9.1

# rnic_begins WHAT OPTION...: makes both, as far as they are not there, for a case about WHAT
rnic_begins() {
	wants_modules "$1" dummy iw_cm rdma_ucm
	ip link set lo up
	[[ -e /sys/class/net/dummy0 ]] || ip link add dummy0 type dummy || exit
	ip addr replace $serves/24 dev dummy0 && ip link set dummy0 up || exit
	[[ -e $class/rnic0 ]] || expect 'an RNIC' hcactl device add rnic0 type rnic netdev dummy0 "${@:2}"
}

# rnic_ends: nothing of them is left
rnic_ends() {
	expect 'the RNIC is deleted' hcactl device del rnic0
	ip link del dummy0
}

# rnic_serve SERVER...: starts it, and waits until it listens; sets $server
rnic_serve() {
	log "\$ $* &"
	timeout -k 2 $((40 * slowness)) stdbuf -oL "$@" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$! listened=
	within 20 cm_listens || log 'it does not listen'
}

# rnic_both NAME SERVER... -- CLIENT...: both must succeed
rnic_both() {
	local name=$1 words=()
	shift
	while [[ $1 != -- ]]; do
		words+=("$1")
		shift
	done
	rnic_serve "${words[@]}"
	limit=30 run "${@:2}"
	server_ends 10
	holds "$name" both_worked
}

# Whether no process has an object of an RNIC, and no connection of TCP is established.
nothing_left() { [[ $(rdma resource show cm_id; rdma resource show qp) != *pid* && -z $(ss -Htn state established) ]]; }

rnic_counter() { read_file "rnic0/ports/1/hw_counters/$1"; echo "$word"; }
octets_asked() { rnic_counter octets_out; }

# Each hundredth packet that arrives at this machine is lost, a segment of TCP of whatever size.
rnic_loses() {
	tc qdisc add dev lo clsact && tc filter add dev lo ingress matchall action pass random determ drop 100
}
rnic_lost() { tc -s filter show dev lo ingress | sed -En 's/.*\(dropped ([0-9]+),.*/\1/p'; }
rnic_loses_nothing() { tc qdisc del dev lo clsact; }

# withstands WHAT FILE: loss, and eight seconds during which the interface is down. At its rate fio writes for longer than that,
# and so cannot end before it is up again.
withstands() {
	holds "$1: packets are to be lost" rnic_loses
	fio_verifies "$1: at 1 % loss" "$2" --size=2m
	holds "$1: packets were lost: $(rnic_lost)" test "$(rnic_lost)" -gt 0
	rnic_loses_nothing
	fio_begins "$2" --rate=,300k
	run ip link set dummy0 down
	nap 8
	holds "$1: there are requests while the interface is down" kill -0 "$fio"
	run ip link set dummy0 up
	fio_ends 60
	is "$1: eight seconds of an interface that is down are no error" "$fio_status" 0
}
