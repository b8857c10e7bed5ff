#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: bash guest.bash CASE
#
# Runs the case in the file CASE, a bash script, with these functions at hand. Results go to file descriptor 3;
# what the case prints otherwise is its log, which is shown if it fails. What it leaves running is killed, but daemons.

set -u
shopt -s extglob nullglob
export LC_ALL=C

lab=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
tmp=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$tmp"' EXIT

# How much longer than usual things may take here.
slowness=${LAB_SLOWNESS:-1}

log() { printf '%s\n' "$*"; }

# --- results ---------------------------------------------------------------------------------------------------------

ok() { log "ok - $1"; echo "ok - $1" >&3; }

not_ok() { log "not ok - $1: ${2-}"; echo "not ok - $1" >&3; }

skip() { log "skip - $1 # $2"; echo "skip - $1 # $2" >&3; }

# What a case calls and nobody has is a mistake of the case, or of what installs things for it.
command_not_found_handle() {
	not_ok "$1 is there" 'no such command or function' 2>/dev/null
	return 127
}

# holds NAME COMMAND...: that COMMAND, which may be a function, succeeds
holds() {
	local name=$1
	shift
	if "$@"; then ok "$name"; else not_ok "$name" "not so: $*"; fi
}

# is NAME ACTUAL EXPECTED
is() {
	if [[ $2 == "$3" ]]; then ok "$1"; else not_ok "$1" "it is '$2', expected '$3'"; fi
}

# --- commands --------------------------------------------------------------------------------------------------------

# run COMMAND...: keeps what it prints, on both streams, in $out and its exit status in $status.
run() {
	log "\$ $*"
	out=$(timeout -k 2 $((${limit:-60} * slowness)) "$@" 2>&1 </dev/null 3>&-)
	status=$?
	[[ ! $out ]] || log "$out"
	[[ $status = 0 ]] || log "exit status $status"
}

# Of the last run.
worked() {
	if [[ $status = 0 ]]; then ok "$1"; else not_ok "$1" "exit status $status"; fi
}

# It ended by itself, and said that it failed.
failed() {
	if ((status > 0 && status < 124 || status == 255)); then ok "$1"; else not_ok "$1" "exit status $status"; fi
}

# has_line TEXT ERE: whether TEXT has a line that matches, as a whole but for blanks around it. Far quicker than grep.
has_line() {
	local line
	while read -r line; do
		[[ ! $line =~ ^($2)$ ]] || return 0
	done <<<"$1"
	return 1
}

# has NAME ERE...: what the last run printed has such lines
has() {
	local name=$1 ere missing=''
	shift
	for ere; do
		has_line "$out" "$ere" || missing+=" '$ere'"
	done
	if [[ ! $missing ]]; then ok "$name"; else not_ok "$name" "no line is$missing"; fi
}

# expect NAME COMMAND...: that COMMAND, which is a program, succeeds
expect() {
	run "${@:2}"
	worked "$1"
}

# results_of PROGRAM...: one that prints results itself
results_of() {
	local name=$1
	command -v "$name" >/dev/null || { not_ok "$name" "there is no $name"; return; }
	limit=${limit:-100} run "$@"
	sed -En "s/^(ok|not ok|skip) - /&${name##*/}: /p" <<<"$out" >&3
	grep -Eq '^(ok|skip) - ' <<<"$out" || not_ok "$name" 'it has no result'
	[[ $status = 0 ]] || grep -q '^not ok - ' <<<"$out" || not_ok "$name" "exit status $status"
}

# --- time ------------------------------------------------------------------------------------------------------------

# Since boot, by the guest's clock, in ms.
now() {
	local seconds
	read -r seconds _ </proc/uptime
	echo $((10#${seconds/./} * 10))
}

# nap SECONDS: sleeps, without a process
exec {never}<> <(:)
nap() { read -rt "$1" -u "$never"; return 0; }

# within SECONDS COMMAND...: whether COMMAND succeeds in that time; it is tried again and again.
within() {
	local end=$(($(now) + $1 * 1000 * slowness))
	shift
	until "$@"; do
		(($(now) < end)) || return 1
		nap 0.1
	done
}

# --- devices and ports (all have one port) ---------------------------------------------------------------------------

class=/sys/class/infiniband

# read_file NAME: sets $word to its line. Without a process, of which there are enough.
read_file() { read -r word <"$class/$1"; }

state() { read_file "$1/ports/1/state"; echo "${word#*: }"; }

lid() { read_file "$1/ports/1/lid"; echo $((word)); }

sm_lid() { read_file "$1/ports/1/sm_lid"; echo $((word)); }

guid() { read_file "$1/node_guid"; echo "0x${word//:/}"; }

gid() { read_file "$1/ports/1/gids/0"; echo "$word"; }

port_guid() { word=$(gid "$1"); word=${word//:/}; echo "0x${word: -16}"; }

# are STATE: both ports
are() { [[ $(state hca0) == "$1" && $(state hca1) == "$1" ]]; }

counter() { read_file "$1/ports/1/counters/$2"; echo "$word"; }

node=$HOSTNAME

# Of hcactl, a line such as: pd 1 ah 1 cq 1 qp 2
objects() {
	local line
	while read -r line; do
		[[ $line != objects:* ]] || echo "${line#objects: }"
	done < <(hcactl device show "$1")
}

objects_are() { [[ $(objects "$1") == "$2" ]]; }

# What the kernel has to say about hca, but for what it says of any module that it was not built with.
kernel_says() {
	dmesg --level=emerg,alert,crit,err,warn | grep -E '\b(hca|ib_[a-z]*|rdma|infiniband|uverbs|umad)' |
		grep -Ev 'hca: (loading out-of-tree module taints kernel|module verification failed)'
}

module_loaded() { [[ -d /sys/module/hca ]]; }

load() { run insmod "$HCA_KMODS/hca.ko"; }

# The kernel's own need a moment to come or go: wait until there are the same for one second.
settled_objects() {
	local before now tries=0
	before=$(objects "$1")
	while nap 1; do
		now=$(objects "$1")
		if [[ $now = "$before" ]] || ((tries++ == 20)); then break; fi
		before=$now
	done
	echo "$now"
}

# --- subnets ---------------------------------------------------------------------------------------------------------

sm_runs() { pgrep -x opensm >/dev/null; }

# sm_start OPTION...: OpenSM at hca0, which sweeps when told to, by sm_sweep, and not else: it would move counters.
# $sm_config: lines of its configuration
sm_start() {
	printf '%s\n' 'sweep_on_trap FALSE' ${sm_config+"$sm_config"} >/run/opensm.conf
	log "\$ opensm -B -s 0 -F /run/opensm.conf -g $(port_guid hca0) $*"
	opensm -B -s 0 -F /run/opensm.conf -g "$(port_guid hca0)" "$@" </dev/null 3>&-
}

sm_sweep() { kill -HUP $(pgrep -x opensm); }

# OpenSM does not end when it is told to after its device has gone.
sm_stop() {
	sm_runs || return 0
	kill $(pgrep -x opensm)
	within 3 no_sm || { kill -KILL $(pgrep -x opensm); within 5 no_sm; }
}

no_sm() { ! sm_runs; }

# hca0 and hca1, joined, without a subnet manager and as if never managed.
fresh_pair() {
	sm_stop
	rm -f /var/cache/opensm/*
	[[ ! -e $class/hca0 ]] || hcactl device del hca0
	[[ ! -e $class/hca1 ]] || hcactl device del hca1
	hcactl device add hca0 && hcactl device add hca1 && hcactl link add hca0/1 hca1/1
}

# Whatever was before: hca0 and hca1, joined and Active. Cases begin with it; if it fails, so does the case.
subnet() {
	[[ -e $class/hca0 ]] || hcactl device add hca0 || exit
	[[ -e $class/hca1 ]] || hcactl device add hca1 || exit
	[[ $(hcactl link) == hca[01]/1\ hca[01]/1\ +([0-9A-Za-z]) ]] || hcactl link add hca0/1 hca1/1 || exit
	if ! sm_runs; then
		sm_start
	elif ! are ACTIVE; then
		sm_sweep
	fi
	within 20 are ACTIVE || { log "the ports do not become Active: $(state hca0), $(state hca1)"; exit 1; }
}

# Whatever was before: hca0 and hca1 Active, each at a switch of its own, with two cables between those, and a target channel adapter
# at the second switch. OpenSM sweeps by itself.
fabric() {
	if [[ ! $(hcactl -j switch) == *sw1* ]]; then
		sm_stop
		hcactl clear
		for end in 0 1; do
			hcactl switch add sw$end ports 8 && hcactl device add hca$end &&
				hcactl link add hca$end/1 sw$end/1 || exit
		done
		hcactl node add bare ports 1 && hcactl link add bare sw1/2 || exit
		hcactl link add sw0/7 sw1/7 && hcactl link add sw0/8 sw1/8 || exit
	fi
	sm_runs || opensm -B -s 2 -f /run/osm.log -g "$(port_guid hca0)" </dev/null 3>&-
	within 30 are ACTIVE || { log "the ports do not become Active: $(state hca0), $(state hca1)"; exit 1; }
}

# The LID of a switch of that fabric.
switch_lid() { ibswitches -C hca0 | sed -n "s/.*\"$node $1\".* lid \([0-9]*\) .*/\1/p"; }

# Waits until nothing is sent any more: OpenSM goes on for a moment when the ports are Active.
quiet() {
	local before after=''
	for _ in {1..20}; do
		before=$after
		after="$(counter hca0 port_xmit_packets) $(counter hca0 port_rcv_packets)"
		[[ $after != "$before" ]] || return 0
		nap 1
	done
	log 'the ports do not come to rest'
	exit 1
}

# has_ibutils WHAT: whether ibutils is there. The guest has copies of its tools with two repairs: they give an answer 100 ms,
# which an emulated processor does not always keep to; and ibdiagpath 1.5.7 takes the port of the LID before the one it
# looks for, since its reader of MADs puts a word in front of a forwarding table.
has_ibutils() {
	command -v ibdiagnet >/dev/null || { skip "$1" 'package ibutils is not installed'; return 1; }
	sed -i 's/ibis_set_transaction_timeout 100\b/ibis_set_transaction_timeout 2000/
		s/lindex \$FDBsBlock \$LidMod64/lindex $FDBsBlock [expr $LidMod64 + 1]/' \
		/usr/lib/*/ibdiag{net,path}1.5.7/ibdebug.tcl
}

# --- programs of two ends --------------------------------------------------------------------------------------------

port=$((20000 + $$))

# Whether a process listens at TCP port $1.
listens() {
	local port file address state
	printf -v port :%04X "$1"
	for file in /proc/net/tcp /proc/net/tcp6; do
		while read -r _ address _ state _; do
			[[ $address != *"$port" || $state != 0A ]] || return 0
		done <$file
	done
	return 1
}

# ... in a network namespace
listens_in() { [[ $(ip netns exec "$1" ss -Hltn "sport = :$2") ]]; }

# server COMMAND...: starts it and waits until it listens at $port. Sets $server, its process.
server() {
	log "\$ $* &"
	timeout -k 2 $((${limit:-60} * slowness)) "$@" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$!
	within 10 listens $port || { log 'it does not listen:'; cat "$tmp/server"; return 1; }
}

# server_ends SECONDS: sets $server_status, and shows what it printed.
server_ends() {
	within "$1" eval "! kill -0 $server 2>/dev/null" || kill "$server"
	wait "$server"
	server_status=$?
	log "the server ended with $server_status and printed:"
	cat "$tmp/server"
}

# ends SERVER-DEVICE CLIENT-DEVICE PROGRAM ARGUMENT...: runs the client in the manner of `run`, and the server beside it.
ends() {
	local from=$1 to=$2
	shift 2
	port=$((port + 1))
	server "$@" -d "$from" -p $port && run "$@" -d "$to" -p $port 127.0.0.1 || status=1
	server_ends $((status ? 2 : 20))
}

# Whether both ends ended well.
both_worked() { [[ $status = 0 && $server_status = 0 ]]; }

# both_have NAME ERE: both ended well, and both have printed a line that matches
both_have() {
	if both_worked && has_line "$out" "$2" && has_line "$(<"$tmp/server")" "$2"; then
		ok "$1"
	else
		not_ok "$1" "exit status $server_status and $status, and both shall print '$2'"
	fi
}

# pingpong NAME SERVER-DEVICE CLIENT-DEVICE ITERATIONS SIZE PROGRAM ARGUMENT...: what it moves is twice as much
pingpong() {
	local name=$1 bytes=$(($4 * $5 * 2))
	ends "$2" "$3" "${@:6}" -n "$4" -s "$5"
	both_have "$name" "$bytes bytes in [0-9.]+ seconds = [0-9.]+ Mbit/sec"
}

# What a client of perftest prints: octets, iterations, and figures, of which the last is not 0 however slow it was.
figures='[0-9]+\s+[1-9][0-9]*(\s+[0-9.]+)*\s+[0-9.]*[1-9][0-9.]*'

# perftest reckons with a frequency that it measures first. Whether the last one to run was interrupted in that, and so
# has no figures. Beside other guests most of them are: so often it is run, at most.
attempts=40
unmeasured() { has_line "$out" 'Correlation coefficient r\^2: .* < 0\.9'; }

# perftest NAME SERVER-DEVICE CLIENT-DEVICE PROGRAM ARGUMENT...: its client prints a line of figures. Sets $runs: how many
# times it was run, which is until it has measured the frequency.
perftest() {
	runs=1
	ends "$2" "$3" "${@:4}" -F
	while both_worked && unmeasured && ((runs++ < attempts)); do
		ends "$2" "$3" "${@:4}" -F
	done
	if both_worked && has_line "$out" "$figures"; then
		ok "$1"
	else
		not_ok "$1" "exit status $server_status and $status; the client shall print figures"
	fi
}

# A block device of 1 MiB, /dev/ram0, that is read with O_DIRECT.
ramdisk() {
	modprobe brd rd_nr=1 rd_size=1024 && within 5 test -b /dev/ram0
}

# --- a cable that loses, damages and doubles packets ---------------------------------------------------------------

# faults WORD...: of the cable between hca0 and hca1, what `hcactl link set` takes
faults() { run hcactl link set hca0/1 hca1/1 "$@"; }

# struck DEVICE KIND: how many of the packets that it sent
struck() {
	local line
	while read -r line; do
		[[ ! $line =~ ^from\ $1/1:.*\ ([0-9]+)\ $2 ]] || echo "${BASH_REMATCH[1]}"
	done < <(hcactl link)
}

# some NAME KIND: that has happened, both ways
some() { holds "$1: $(struck hca0 "$2") and $(struck hca1 "$2")" test "$(struck hca0 "$2")" -gt 0 -a "$(struck hca1 "$2")" -gt 0; }

# gives_up NAME: the client does, since nobody answers, when it has tried often enough (B4-343)
gives_up() {
	limit=20 ends hca0 hca1 ibv_rc_pingpong -n 10
	has "$1" 'Failed status transport retry counter exceeded \(12\) for wr_id [0-9]+'
}

. "$1"
