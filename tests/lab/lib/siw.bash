# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of an RNIC of ours whose peer has an interface of its own: siw, Linux's software RNIC, which tests/siw builds, or
# another one of ours. The ends are two network namespaces, near with v0 and far with v1, or two machines, node0 and node1 with
# an eth0 each. Our RNIC is rnic0 at near or node0, and rnic1 at far or node1, where siw is siw0.

# shellcheck source=tests/lab/lib/ip.bash
. "$lab/lib/ip.bash"

declare -rA address=([near]=10.9.8.1 [far]=10.9.8.2 [node0]=10.77.0.1 [node1]=10.77.0.2)
declare -rA address6=([near]=fd00:8::1 [far]=fd00:8::2 [node0]=fd77::1 [node1]=fd77::2)
declare -rA other=([near]=far [far]=near [node0]=node1 [node1]=node0)
declare -rA interface=([near]=v0 [far]=v1 [node0]=eth0 [node1]=eth0)
# The RNIC at each end.
declare -A device=([near]=rnic0 [node0]=rnic0 [far]=none [node1]=none)
# Where programs listen that connect by librdmacm.
declare -rA port_of=([rping]=7174 [ucmatose]=7471 [ib_write_bw]=18515 [ib_read_bw]=18515 [ib_send_bw]=18515)

# --- the ends ------------------------------------------------------------------------------------------------------------

# reach END: sets $by, the words before a command that is to run there
reach() {
	case $1 in
	near | far) by=(ip netns exec "$1") ;;
	node0) by=() ;;
	*) by=(hcalab-on "$1") ;;
	esac
}

# on END COMMAND...
on() {
	local by
	reach "$1"
	"${by[@]}" "${@:2}"
}

# wants_connections MODULE...: skips the case without these modules, or without those that connections need
wants_connections() {
	modprobe -aq iw_cm rdma_ucm "$@" && return
	skip 'connections' "this kernel has no iw_cm, or no rdma_ucm${*:+, or no $*}"
	exit
}

# wants_siw: skips the case where siw could not be built
wants_siw() {
	[[ ! ${LAB_SIW-} ]] || return 0
	skip 'siw' 'it is built for --long and --only alone, and where its source (linux-source-X.Y) is installed for this kernel'
	exit
}

# wire: the two namespaces, and the cable between their interfaces
wire() {
	wants_connections veth
	ip netns add near && ip netns add far && ip link add v0 netns near type veth peer name v1 netns far &&
		wire_end near && wire_end far || exit
	within 20 wire_carries || { log 'the cable carries nothing'; exit 124; }
}

# Whether the ends know each other's hardware addresses, for which rdma_resolve_addr() waits for two seconds only.
wire_carries() {
	on far ping -c 1 -W 1 "${address[near]}" && on far ping -6 -c 1 -W 1 "${address6[near]}" &&
		on near ping -6 -c 1 -W 1 "${address6[far]}"
} >/dev/null 2>&1

# wire_end NAMESPACE
wire_end() {
	local link=${interface[$1]}
	ip -n "$1" addr add "${address[$1]}/24" dev "$link" && ip -n "$1" addr add "${address6[$1]}/64" dev "$link" nodad &&
		ip -n "$1" link set lo up && ip -n "$1" link set "$link" up
}

wire_goes() { ip netns del near && ip netns del far; }

# ours END OPTION...: an RNIC of hca there, with these options, instead of the one before
ours() {
	local name=rnic0 where=()
	[[ $1 != @(far|node1) ]] || name=rnic1
	[[ $1 != @(near|far) ]] || where=(netns "$1")
	[[ ${device[$1]} != "$name" ]] || ! is_made "$1" || run_at "$1" hcactl device del $name || return
	device[$1]=$name
	run_at "$1" hcactl device add $name type rnic netdev "${interface[$1]}" "${where[@]}" "${@:2}"
}

is_made() { run_at "$1" test -e "$class/${device[$1]}"; }

# run_at END COMMAND...: on the machine of that end, in its first namespace
run_at() { if [[ $1 = node1 ]]; then hcalab-on "$@"; else "${@:2}"; fi; }

ours_goes() { run_at "$1" hcactl device del "${device[$1]}" && device[$1]=none; }

# theirs END VARIANT: siw0, by that module (tests/siw), instead of the one before
theirs() {
	theirs_goes "$1" && run_at "$1" modprobe -aq libcrc32c crc32c_generic && run_at "$1" insmod "$LAB_SIW/$2.ko" &&
		on "$1" rdma link add siw0 type siw netdev "${interface[$1]}" && device[$1]=siw0
}

theirs_goes() {
	[[ ${device[$1]} = siw0 ]] || return 0
	within 10 nothing_connected && run_at "$1" rdma link delete siw0 && within 10 run_at "$1" rmmod siw && device[$1]=none
}

# objects_of END: prints what programs have there
objects_of() { run_at "$1" rdma resource show cm_id; run_at "$1" rdma resource show qp; }

# nothing_connected: no program has a connection; both namespaces are those of one machine
nothing_connected() {
	[[ $(objects_of near) != *pid* ]] && { [[ ${device[node1]} = none ]] || [[ $(objects_of node1) != *pid* ]]; }
}

# hardware_counter NAME [END]: prints it, of our RNIC at near and node0, or there
hardware_counter() { run_at "${2-near}" cat "$class/${device[${2-near}]}/ports/1/hw_counters/$1"; }

# --- programs that connect -----------------------------------------------------------------------------------------------

# listens_at END PORT: the sockets are those of RNICs
listens_at() { [[ $(on "$1" ss -Hltn "sport = :$2") ]]; }

# serve END SERVER...: starts it there, and waits until it listens
serve() {
	local by
	reach "$1"
	log "\$ ${by[*]} ${*:2} &"
	"${by[@]}" timeout -k 2 $((60 * slowness)) stdbuf -oL "${@:2}" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$!
	within 20 listens_at "$1" "${port_of[$2]}" || log 'it does not listen'
}

# both NAME LISTENER SERVER... -- CLIENT...: both must succeed, the server there and the client at the other end
both() {
	local name=$1 listener=$2 first=() by
	shift 2
	while [[ $1 != -- ]]; do
		first+=("$1")
		shift
	done
	serve "$listener" "${first[@]}"
	reach "${other[$listener]}"
	limit=40 run "${by[@]}" "${@:2}"
	server_ends $((status ? 2 : 20))
	holds "$name" both_worked
}

# rping_with NAME LISTENER OPTION...: 20 messages whose octets both ends verify
rping_with() { rping_by "$1" "$2" "${address[$2]}" "${@:3}"; }

# rping_by NAME LISTENER ADDRESS OPTION...: the same, by another address of the listener
rping_by() { both "$1" "$2" rping -s -a "$3" -C 20 -V "${@:4}" -- rping -c -a "$3" -C 20 -V "${@:4}"; }

# ucmatose_with NAME LISTENER: five connections, on each of which the server sends first. siw may miss the RTR message of a
# connection that it accepts until more octets follow, of which there are none then, so it must have agreed to none.
ucmatose_with() {
	both "$1" "$2" ucmatose -b "${address[$2]}" -C 10 -c 5 -- ucmatose -s "${address[$2]}" -C 10 -c 5
}

# bandwidth NAME LISTENER PROGRAM OPTION...: perftest, 20 messages if OPTIONs do not say otherwise, which listens at all addresses
bandwidth() {
	local name=$1 listener=$2 words=("$3" -R -F -n 20 "${@:4}")
	both "$name" "$listener" "${words[@]}" -d "${device[$listener]}" -- \
		"${words[@]}" -d "${device[${other[$listener]}]}" "${address[$listener]}"
	[[ $status != 0 ]] || has "$name: it has figures" '\s*[0-9]+\s+[0-9]+\s+[0-9.]*[1-9][0-9.]*\s+[0-9.]+\s+[0-9.]+.*'
}
