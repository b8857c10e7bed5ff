# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of SDP sockets, between the network namespaces hca0, which listens at 10.9.9.1, and hca1.

# shellcheck source=tests/lab/lib/ip.bash
. "$lab/lib/ip.bash"

sdp_fabric() {
	ip_fabric
	hcactl link set hca0/1 sw0/1 none
	hcactl link set hca1/1 sw1/1 none
	within 30 at hca1 ping -c 1 -W 1 10.9.9.1 >/dev/null || { log 'hca0 does not answer'; exit 124; }
	modprobe hca_sdp || exit
}

# has_programs NAME...: whether there are these
has_programs() {
	local name
	for name; do
		command -v "$name" >/dev/null || { skip "$name" "there is no $name"; return 1; }
	done
}

# What SDP has of each device while it has no connection; waits for those that end.
sdp_objects() { objects hca0 | sed -E 's/ (ah|cq) [0-9]+//g'; }
sdp_rests() {
	within 20 eval '[[ $(sdp_objects) == "$sdp_before" ]]' || { log "$(objects hca0), before $sdp_before; $(sockets hca0)"; return 1; }
}

# sockets NAMESPACE: what there is of them, without the line that names the columns
sockets() { at "$1" tail -n +2 /proc/net/sdp; }

# established NAMESPACE: how many connections have their end there
established() { sockets "$1" | grep -c '^ESTAB'; }

# listens_by_sdp NAMESPACE PORT: so no program has gone on with TCP unseen (S2-T47)
listens_by_sdp() { sockets "$1" | grep -q "^LISTEN [0-9]* [0-9]* [^ ]*:$2 "; }

# served PORT COMMAND...: starts a server of SDP in hca0, by sdprun, and waits until it listens there. Sets $server.
served() {
	log "\$ sdprun ${*:2} &"
	timeout -k 2 $((100 * slowness)) ip netns exec hca0 sdprun "${@:2}" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$!
	within 30 listens_by_sdp hca0 "$1" || { not_ok "$2 listens" 'it does not'; cat "$tmp/server"; }
}

# client COMMAND...: runs a program in hca1 by sdprun
client() { limit=100 run ip netns exec hca1 sdprun "$@"; }

# ended: ends the server
ended() {
	kill "$server" 2>/dev/null
	server_ends 10
}

# free_memory: octets that the kernel has left: what programs have, Python's too, counts as if it were free
free_memory() {
	awk '/^(MemFree|Buffers|Cached|SReclaimable|AnonPages|PageTables|KernelStack):/ { sum += $2 } END { print sum * 1024 }' \
		/proc/meminfo
}

is_listening() { grep -qs '^listening' "$tmp/server"; }

# listener [WORD...]: starts the end that receives: sdp_bulk with these words, or listen
listener() {
	local words=("${@:-listen}")
	rm -f "$tmp/server" # what the one before has printed
	timeout -k 2 $((60 * slowness)) ip netns exec hca0 sdp_bulk "${words[0]}" 10.9.9.1 "${words[@]:1}" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$!
	within 10 is_listening || { log 'it does not listen'; cat "$tmp/server"; return 1; }
}

# sender OCTETS [SIZE]: starts the end that sends
sender() { sends send "$@"; }

# sends WORD...: starts the other end: sdp_bulk with these words
sends() {
	timeout -k 2 $((60 * slowness)) ip netns exec hca1 sdp_bulk "$1" 10.9.9.1 "${@:2}" >"$tmp/client" 2>&1 </dev/null 3>&- &
	client=$!
}

# both_end: waits for both, and sets $received and $sent, the last lines of what they printed
both_end() {
	server_ends 30
	wait "$client"
	received=$(tail -n 1 "$tmp/server") sent=$(tail -n 1 "$tmp/client")
	log "received: $received; sent: $sent"
}
