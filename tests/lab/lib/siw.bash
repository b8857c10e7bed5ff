# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of an RNIC of ours whose peer has an interface of its own: siw, Linux's software RNIC, which tests/siw builds, or
# another one of ours. Each end is in a network namespace: near with v0, 10.9.8.1 and fd00:8::1, and far with v1, 10.9.8.2 and
# fd00:8::2. Our RNIC of near is rnic0.

# shellcheck source=tests/lab/lib/ip.bash
. "$lab/lib/ip.bash"

declare -rA address=([near]=10.9.8.1 [far]=10.9.8.2) address6=([near]=fd00:8::1 [far]=fd00:8::2)
# What cases call the ends of a connection with siw.
declare -rA names=([near]=ours [far]=siw)

# needs_siw: skips the case where siw could not be built; and siw needs what it sums with
needs_siw() {
	if [[ ! ${LAB_SIW-} ]]; then
		skip 'siw' "there is no source of siw for this kernel (linux-source-X.Y), or no headers"
		exit
	fi
	modprobe -aq libcrc32c crc32c_generic
}

# wire: the two namespaces, and the cable between their interfaces
wire() {
	if ! modprobe -aq veth iw_cm rdma_ucm; then
		skip 'connections' 'this kernel has no veth interface, or no iw_cm, or no rdma_ucm'
		exit
	fi
	ip netns add near && ip netns add far && ip link add v0 netns near type veth peer name v1 netns far &&
		wire_end near v0 && wire_end far v1 || exit
}

# wire_end NAMESPACE INTERFACE
wire_end() {
	ip -n "$1" addr add "${address[$1]}/24" dev "$2" && ip -n "$1" addr add "${address6[$1]}/64" dev "$2" nodad &&
		ip -n "$1" link set lo up && ip -n "$1" link set "$2" up
}

wire_goes() { ip netns del near && ip netns del far; }

# ours OPTION...: rnic0, with these options
ours() {
	[[ ! -e $class/rnic0 ]] || hcactl device del rnic0 || return
	hcactl device add rnic0 type rnic netdev v0 netns near "$@"
}

# theirs VARIANT: siw0, by that module (tests/siw), at the other end
theirs() {
	theirs_goes && insmod "$LAB_SIW/$1.ko" && at far rdma link add siw0 type siw netdev v1
}

theirs_goes() {
	[[ -d /sys/module/siw ]] || return 0
	within 10 nothing_connected && rdma link delete siw0 && within 10 rmmod siw
}

nothing_connected() { [[ $(rdma resource show cm_id; rdma resource show qp) != *pid* ]]; }

# serve NAMESPACE SERVER...: starts it there, and waits until it listens
serve() {
	log "\$ ${*:2} &"
	timeout -k 2 $((60 * slowness)) ip netns exec "$1" stdbuf -oL "${@:2}" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$! listened=
	within 20 cm_listens || log 'it does not listen'
}

# both NAME LISTENER CALLER SERVER... -- CLIENT...: the ends in these namespaces must both succeed
both() {
	local name=$1 listener=$2 caller=$3 first=()
	shift 3
	while [[ $1 != -- ]]; do
		first+=("$1")
		shift
	done
	serve "$listener" "${first[@]}"
	limit=40 run ip netns exec "$caller" "${@:2}"
	server_ends $((status ? 2 : 20))
	holds "$name" both_worked
}

# other NAMESPACE: prints the other one
other() { if [[ $1 = near ]]; then echo far; else echo near; fi; }

# device NAMESPACE: prints the name of the RNIC there
device() { if [[ $1 = near ]]; then echo rnic0; elif [[ -e $class/siw0 ]]; then echo siw0; else echo rnic1; fi; }

# rping_with NAME LISTENER OPTION...: messages whose octets both ends verify
rping_with() {
	local name=$1 listener=$2 caller
	caller=$(other "$2")
	shift 2
	both "$name" "$listener" "$caller" rping -s -a "${address[$listener]}" -C 20 -V "$@" -- \
		rping -c -a "${address[$listener]}" -C 20 -V -v "$@"
	[[ $status != 0 ]] || has "$name: each message has come" 'ping data: rdma-ping-19: .*'
}

# ucmatose_with NAME LISTENER: five connections, on each of which the server sends first
ucmatose_with() {
	both "$1" "$2" "$(other "$2")" ucmatose -b "${address[$2]}" -C 10 -c 5 -- ucmatose -s "${address[$2]}" -C 10 -c 5
}

# bandwidth NAME LISTENER PROGRAM OPTION...: perftest, which connects by librdmacm
bandwidth() {
	local name=$1 listener=$2 caller
	caller=$(other "$2")
	both "$name" "$listener" "$caller" "$3" -R -F -n 20 -d "$(device "$listener")" "${@:4}" -- \
		"$3" -R -F -n 20 -d "$(device "$caller")" "${@:4}" "${address[$listener]}"
	[[ $status != 0 ]] || has "$name: it has figures" '\s*[0-9]+\s+20\s+[0-9.]*[1-9][0-9.]*\s+[0-9.]+\s+[0-9.]+.*'
}

# hardware_counter NAME: prints it, of rnic0
hardware_counter() { cat $class/rnic0/ports/1/hw_counters/"$1"; }
