# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of IP over InfiniBand and of programs that find their peers by IP addresses. Each interface is in a network
# namespace, since otherwise the kernel would not use the link at all; the namespace has the name of the device, and the
# interface is ib.

at() { ip netns exec "$@"; }

# ipoib_up DEVICE ADDRESS
ipoib_up() {
	local files=("$class/$1/device/net/"*)
	ip netns add "$1" && ip link set "${files[0]##*/}" netns "$1" name ib && ip -n "$1" addr add "$2/24" dev ib &&
		ip -n "$1" link set ib up
}

# has_carrier NAMESPACE [INTERFACE]
has_carrier() { [[ $(ip -n "$1" -br link show "${2-ib}") == *' UP '*LOWER_UP* ]]; }

# Makes the fabric from any state, with 10.9.9.1 at hca0 and 10.9.9.2 at hca1, and fd00:9::1 and fd00:9::2.
ip_fabric() {
	local end
	fabric
	if ! modprobe ib_ipoib || ! modprobe rdma_ucm; then
		skip 'IP' 'this kernel has no ib_ipoib, or no rdma_ucm'
		exit
	fi
	for end in 0 1; do
		[[ ! -e /run/netns/hca$end ]] || continue
		ipoib_up hca$end 10.9.9.$((end + 1)) &&
			ip -n hca$end addr add fd00:9::$((end + 1))/64 dev ib nodad || exit
	done
	within 30 eval 'has_carrier hca0 && has_carrier hca1' || { log 'an interface has no carrier'; exit 124; }
}

# mode MODE MTU: sets both interfaces
mode() {
	local end
	for end in hca0 hca1; do
		run ip netns exec $end sh -c "echo $1 >/sys/class/net/ib/mode && ip link set ib mtu $2"
		is "$1 mode of $end" "$(at $end cat /sys/class/net/ib/{mode,mtu})" "$1"$'\n'"$2"
	done
}

# ib_ipoib destroys its completion queues while its work may still use the queue pairs of connections
# (ipoib_ndo_uninit() ends that work last), so connections must be gone before ib_ipoib, or a child interface.
no_connections() { [[ $(rdma resource show qp) != *'type RC'* ]]; }

# pings NAME COUNT OPTION...: checks that all pings from hca1 are answered. ib_ipoib queues no more than three packets while
# it asks for a path or connects (IPOIB_MAX_PATH_REC_QUEUE), so one packet precedes more than these.
pings() {
	(($2 <= 3)) || run ip netns exec hca1 ping -c 1 "${@:3}"
	run ip netns exec hca1 ping -i 0.02 -c "$2" "${@:3}"
	has "$1" "$2 packets transmitted, $2 received, 0% packet loss.*"
}

# unanswered NAME OPTION...: checks that no ping is answered
unanswered() {
	run ip netns exec hca1 ping -i 0.02 -c 3 -W 1 "${@:2}"
	has "$1" '3 packets transmitted, 0 received, .*100% packet loss.*'
}

iperf_listens() { [[ $(at hca0 ss -Hltn 'sport = 5201') ]]; }

# iperf NAME SECONDS OPTION...: sends from hca1 to hca0, and checks that hca0 has received data
iperf() {
	local name=$1 received
	log '$ iperf3 -s &'
	timeout -k 2 $((60 * slowness)) ip netns exec hca0 iperf3 -s -1 >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$!
	within 10 iperf_listens || { not_ok "$name" 'the server does not listen'; return; }
	run ip netns exec hca1 iperf3 -t "$2" -f k "${@:3}"
	server_ends 10
	received=$(sed -En 's/.* ([0-9.]+) Kbits\/sec .*receiver$/\1/p' <<<"$out")
	holds "$name: $received kbit/s" eval 'both_worked && [[ $received =~ ^[0-9.]*[1-9] ]]'
}

# Sets $idle, whether all threads of the server wait, and $ticks, its processor time, of user and system together: User
# Mode Linux counts none of it as user time. $server may be the parent process.
watch_server() {
	local pid file line
	idle=yes ticks=0
	for pid in $server $(pgrep -P "$server"); do
		for file in /proc/"$pid"/task/*/stat; do
			read -r line <"$file" || return
			line=(${line##*) })
			[[ ${line[0]} = S ]] || idle=''
			((ticks += line[11] + line[12]))
		done
	done
}

# An ID is in that state before the kernel accepts connections for it: that begins when the call has returned, which
# takes less than 50 ms of processor time. Then the server waits or, if it polls, uses more time.
cm_listens() {
	[[ $(rdma resource show cm_id) == *LISTEN* ]] || return
	watch_server
	[[ ! $idle ]] || return 0
	listened=${listened:-$ticks}
	((ticks > listened + 5))
}

# talk NAME READY SERVER... -- CLIENT...: runs the server at hca0, and the client at hca1 as soon as READY succeeds
talk() {
	local name=$1 ready=$2 first=()
	shift 2
	while [[ $1 != -- ]]; do
		first+=("$1")
		shift
	done
	log "\$ ${first[*]} &"
	timeout -k 2 $((40 * slowness)) ip netns exec hca0 stdbuf -oL "${first[@]}" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$! listened=
	within 20 "$ready" || not_ok "$name" 'the server is not ready'
	limit=30 run ip netns exec hca1 "${@:2}"
}

# two_ends: runs talk; both ends must succeed
two_ends() {
	talk "$@"
	server_ends 10
	holds "$1" both_worked
}

# one_end: runs talk; the client must succeed, and the server, which would run forever, is killed
one_end() {
	talk "$@"
	worked "$1"
	kill "$server"
	server_ends 2
}
