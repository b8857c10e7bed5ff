# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases in which a peer of sockets alone (rnic_peer.py) judges an RNIC of this machine, whose program is rnic_end.

. "$lab/lib/ip.bash"

address=10.9.8.1

# an_rnic OPTION...: makes rnic0, of an interface that has $address
an_rnic() {
	if ! modprobe -a dummy iw_cm rdma_ucm; then
		skip 'RNIC' 'this kernel has no dummy interface, or no iw_cm, or no rdma_ucm'
		exit
	fi
	ip link set lo up
	ip link add dummy0 type dummy
	ip addr add $address/24 dev dummy0
	ip link set dummy0 up
	expect 'an RNIC' hcactl device add rnic0 type rnic netdev dummy0 "$@"
}

# end_listens PORT: starts rnic_end, whose lines are in $tmp/journal, and waits until it listens
end_listens() {
	log "\$ rnic_end listen $address $1 &"
	rnic_end listen $address "$1" >"$tmp/journal" 2>"$tmp/errors" </dev/null 3>&- &
	server=$! listened=
	within 20 cm_listens || log 'it does not listen'
}

# end_connects PORT TIMES: starts rnic_end as the initiator, as soon as somebody listens
end_connects() {
	log "\$ rnic_end connect $address $1 $2 &"
	: >"$tmp/journal"
	{
		within 20 listens "$1"
		exec rnic_end connect $address "$1" "$2"
	} >"$tmp/journal" 2>"$tmp/errors" </dev/null 3>&- &
	server=$!
}

# judge connect|listen WORD...: runs rnic_peer.py, whose results are those of the case
judge() {
	limit=${limit:-150} results_of "$lab/programs/rnic_peer.py" "$@" --journal "$tmp/journal" \
		--timeout $((20 * slowness))
}

rnic_counter() { cat $class/rnic0/ports/1/hw_counters/"$1"; }

# Connections in TIME-WAIT are TCP's own.
nothing_left() {
	local sockets
	sockets=$(ss -Htan "( sport = :$1 or dport = :$1 )" | grep -v '^TIME-WAIT')
	[[ ! $sockets && $(rdma resource show cm_id; rdma resource show qp) != *pid* ]]
}

# the_rest PORT: ends rnic_end. Nothing of it is left, and the RNIC still connects.
the_rest() {
	kill "$server" 2>/dev/null
	wait "$server"
	log "$(<"$tmp/errors")"
	holds 'no queue pair and no socket is left' within 20 nothing_left "$1"
	log '$ rping -s &'
	rping -s -a $address -C 3 >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$! listened=
	within 20 cm_listens || log 'it does not listen'
	limit=30 run rping -c -a $address -C 3
	worked 'the RNIC still connects'
	wait $server
	expect 'the device is deleted' hcactl device del rnic0
	ip link del dummy0
}
