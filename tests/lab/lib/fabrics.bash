# shellcheck shell=bash disable=SC2154,SC2034 # what tests/lab/lib/guest.bash has set; what cases read
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of fabrics: several adapters at several switches, IPoIB on all, and whether each packet that was sent has
# arrived or was dropped for a reason. Each adapter has a network namespace of its name (ip.bash), 10.9.9.N and fd00:9::N.

# shellcheck source=tests/lab/lib/ip.bash
. "$lab/lib/ip.bash"

hosts=() # the adapters
declare -A process=() # one in the network namespace of each

# --- the fabric ---------------------------------------------------------------------------------------------------------

# drops_on: drops are recorded from here on, and there is room for a hundred thousand of them
drops_on() { hcactl drops on && echo 16384 >/sys/kernel/tracing/instances/hca-drops/buffer_size_kb; }

# fabric_fresh: nothing is left of what was before, and drops are recorded from here on
fabric_fresh() {
	local space
	sm_stop
	rm -f /var/cache/opensm/*
	for space in /run/netns/*; do ip netns del "${space##*/}"; done
	[[ ! $(hcaip show) ]] || hcaip down
	hcactl clear && drops_on || exit
	echo '[]' >"$tmp/accounts"
}

# fabric_of WORD...: a fabric of hcactl topology generate, whose hosts are adapters
fabric_of() {
	fabric_fresh
	hcactl topology generate "$@" >"$tmp/fabric.net" && hcactl topology load "$tmp/fabric.net" hosts all || exit
	fabric_hosts
}

fabric_hosts() {
	local path
	hosts=()
	for path in $(printf '%s\n' "$class"/* | sort -V); do hosts+=("${path##*/}"); done
	log "adapters: ${hosts[*]}"
}

all_active() {
	local host
	for host in "${hosts[@]}"; do [[ $(state "$host") == ACTIVE ]] || return; done
}

# fabric_managed OPTION...: OpenSM at the first adapter, and all are Active. $manager is its process.
fabric_managed() {
	printf '%s\n' 'sweep_interval 2' 'force_log_flush TRUE' "dump_files_dir $tmp" ${sm_config+"$sm_config"} >"$tmp/opensm.conf"
	log "\$ opensm $*"
	opensm -F "$tmp/opensm.conf" -f "$tmp/opensm.log" -g "$(port_guid "${hosts[0]}")" "$@" >"$tmp/opensm.out" 2>&1 </dev/null 3>&- &
	manager=$!
	holds "OpenSM${*:+ $*} makes ${#hosts[@]} adapters Active" within 40 all_active || { log "$(tail -n 40 "$tmp/opensm.log")"; exit; }
}

manager_said() { grep -q "$1" "$tmp/opensm.log"; }

# --- IPoIB ----------------------------------------------------------------------------------------------------------------

all_have_carrier() {
	local host
	for host in "${hosts[@]}"; do has_carrier "$host" || return; done
}

# fabric_ip: an interface at each adapter
fabric_ip() {
	local i host
	modprobe ib_ipoib || { skip 'IPoIB' 'this kernel has no ib_ipoib'; exit; }
	for i in "${!hosts[@]}"; do
		host=${hosts[i]}
		within 10 eval '[[ $(echo $class/$host/device/net/*) ]]' && ipoib_up "$host" 10.9.9.$((i + 1)) &&
			ip -n "$host" addr add fd00:9::$((i + 1))/64 dev ib nodad || exit
		ip netns exec "$host" sleep 100000 </dev/null >/dev/null 2>&1 3>&- &
		process[$host]=$!
	done
	holds 'all interfaces have a carrier' within 30 all_have_carrier || exit
}

# fabric_mode MODE MTU
fabric_mode() {
	local host
	for host in "${hosts[@]}"; do
		run ip netns exec "$host" sh -c "echo $1 >/sys/class/net/ib/mode && ip link set ib mtu $2"
		[[ $status = 0 ]] || { not_ok "IPoIB of $host is $1" "$out"; return; }
	done
}

# reaches_all FROM OPTION...: each other adapter answers
reaches_all() {
	local to i family=10.9.9.
	[[ " $* " != *' -6 '* ]] || family=fd00:9::
	for i in "${!hosts[@]}"; do
		[[ ${hosts[i]} != "$1" ]] || continue
		at "$1" ping -c 1 -W 2 "${@:2}" $family$((i + 1)) >/dev/null 2>&1 3>&- || { log "$1 does not reach ${hosts[i]}: ${*:2}"; return 1; }
	done
}

# each_reaches_each OPTION...: the first packets of a path may be lost (pings, ip.bash)
each_reaches_each() {
	local host
	for host in "${hosts[@]}"; do within 10 reaches_all "$host" "$@" || return; done
}

# received HOST FAMILY: prints how many datagrams have come there that were for all
received() {
	local name names words i
	if [[ $2 = 6 ]]; then
		while read -r name words; do
			[[ $name != Udp6IgnoredMulti ]] || echo "$words"
		done </proc/"${process[$1]}"/net/snmp6
		return
	fi
	while read -r name names && read -r name words; do
		[[ $name = Udp: ]] || continue
		read -ra names <<<"$names"
		read -ra words <<<"$words"
		for i in "${!names[@]}"; do
			[[ ${names[i]} != IgnoredMulti ]] || echo "${words[i]}"
		done
	done </proc/"${process[$1]}"/net/snmp
}

# all_received FAMILY COUNT FROM: whether all others have received so many since $before
all_received() {
	local host
	for host in "${hosts[@]}"; do
		[[ $host = "$3" || $(($(received "$host" "$1") - before[$host])) = "$2" ]] || return
	done
}

# to_all NAME FROM FAMILY COUNT: datagrams of 1,900 octets to all, 32 at a time, so that no receive queue is too short; each
# adapter shall get each of them, once. With headers they have 32 blocks, of which a port's buffer has 2,047.
to_all() {
	local name=$1 from=$2 family=$3 count=$4 sent=0 host received=''
	local -A before
	for host in "${hosts[@]}"; do before[$host]=$(received "$host" "$family"); done
	coproc sender { at "$from" python3 "$lab/programs/ip_to_all.py" "$family" ib 2>&1 3>&-; }
	while ((sent < count)); do
		echo 32 >&"${sender[1]}"
		read -rt $((20 * slowness)) -u "${sender[0]}" line && [[ $line = 32 ]] || { log "the sender says: ${line-}"; break; }
		within 5 all_received "$family" $((sent += 32)) "$from" || break
	done
	eval "exec ${sender[1]}>&-"
	wait "$sender_PID"
	for host in "${hosts[@]}"; do received+=" $(($(received "$host" "$family") - before[$host]))"; done
	log "received:$received"
	holds "$name: $sent to all" all_received "$family" "$count" "$from"
}

# --- what was sent, and what has become of it ----------------------------------------------------------------------------

# accounts_begin: what was counted so far does not count; all that a device has counted does which is made later
accounts_begin() {
	hcactl -jt show >"$tmp/accounts"
	drops_on
}

# Prints each direction of a cable whose packets have neither arrived nor been dropped on the way. A port drops packets for
# its state on both sides of the link, and a packet that is dropped for other reasons counts as received.
missing() {
	hcactl -jt show >"$tmp/ports" && hcactl -j drops >"$tmp/drops" || { echo 'hcactl fails'; return; }
	jq -rn --slurpfile was "$tmp/accounts" --slurpfile is "$tmp/ports" --slurpfile drops "$tmp/drops" '
		def name: "\(.device)/\(.port)";
		def table(key): map({ key: name, value: .traffic[key] }) | from_entries;
		($was[0] | table("port_xmit_packets")) as $sent_before | ($was[0] | table("port_rcv_packets")) as $rcv_before |
		($is[0] | table("port_rcv_packets")) as $received |
		(reduce $drops[0].drops[] as $d ({}; .["\($d | name) \($d.reason)"] += $d.count)) as $dropped |
		(if $drops[0].lost != 0 then "drops that were not recorded: \($drops[0].lost)" else empty end),
		($is[0][] | select(.peer and .traffic) | name as $from | (.peer | name) as $to |
		(.traffic.port_xmit_packets - ($sent_before[$from] // 0)) as $sent |
		($received[$to] - ($rcv_before[$to] // 0)) as $came |
		([$dropped["\($to) \("cable pulled", "lost by a fault", "VL15 buffer full", "no memory")"] // 0] | add) as $lost |
		($dropped["\($to) port state"] // 0) as $down |
		select($sent < $came + $lost or $sent > $came + $lost + $down) |
		"\($from) has sent \($sent), \($to) has received \($came), dropped \($lost) and up to \($down)")'
}

none_missing() {
	missing=$(missing)
	[[ ! $missing ]]
}

# accounted: each packet that was sent has been received, or was dropped with a reason. Where OpenSM runs, the counters are
# right between its sweeps: the last look counts, and no other.
accounted() {
	within 30 none_missing
	is 'what was sent was received, or dropped for a reason' "$missing" ''
}

# fabric_ends: what was sent is accounted for, and nothing is left. Counters are read one after the other: where the machine
# is slow there would be no time at which OpenSM sends nothing.
fabric_ends() {
	sm_stop
	accounted
	[[ ! ${process[*]-} ]] || { kill "${process[@]}" && wait "${process[@]}"; } 2>/dev/null
	within 20 no_connections
	fabric_fresh
	hcactl drops off
}

# --- reliable connections -----------------------------------------------------------------------------------------------

# all_to_all PATHS ROUNDS SIZE: by reliable connections, each to each, and all to one
all_to_all() { limit=150 results_of verbs_fabric "$@" "${hosts[@]}"; }

# paths_of_manager: what it says of the service level of each path, as verbs_fabric reads it
paths_of_manager() {
	saquery -C "${hosts[0]}" PR </dev/null 3>&- | sed -En 's/^\s*slid\.+([0-9]+)$/\1/p; s/^\s*dlid\.+([0-9]+)$/\1/p; s/^\s*sl\.+0x([0-9a-f]+)$/\1/p' |
		while read -r one && read -r two && read -r three; do echo "$one $two $((16#$three))"; done
}
