#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: bash guest.bash CASE
#
# Runs the case in the file CASE, a bash script, which can use these functions. Results go to file descriptor 3; other
# output of the case is its log, which is shown if it fails. Processes that it leaves are killed, except daemons. Then all
# receive buffers of all links must become free.

set -u
shopt -s extglob nullglob
export LC_ALL=C

lab=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)
tmp=$(mktemp -d)
# What a result that is not ok returns, so that a case can end there: `holds NAME COMMAND || exit`. This says no more than the
# result, so that it is no failure of its own.
readonly not_so=99
trap 'status=$?; kill $(jobs -p) 2>/dev/null; wait; case_ends; rm -rf "$tmp"; [[ $status != "$not_so" ]] || exit 0' EXIT

# Factor by which time limits are longer.
slowness=${LAB_SLOWNESS:-1}

log() { printf '%s\n' "$*"; }

# --- results ---------------------------------------------------------------------------------------------------------

# What is in this file when a result is not ok says that it fails by running out of time (guest): a limit was over since the
# result before it. A command that waits until something is gone, or does arbitrary things, has no such excuse: what remains
# is leaked.
late=$tmp/late
: >"$late"
readonly no_excuse=' eval objects_are no_group no_connections no_sm no_httpd none_left nothing_connected rmdir modprobe rmmod
	tracked_as_before gone_with_blue sdp_rests qp_has dies '

# note_late COMMAND: a limit of this command is over.
note_late() { [[ $no_excuse == *[[:space:]]"$1"[[:space:]]* ]] || echo late >"$late"; }

ok() { log "ok - $1"; echo "ok - $1" >&3; : >"$late"; }

not_ok() {
	local by=''
	[[ ! -s $late ]] || by=' # out of time'
	log "not ok - $1: ${2-}$by"
	echo "not ok - $1$by" >&3
	: >"$late"
	return $not_so
}

skip() { log "skip - $1 # $2"; echo "skip - $1 # $2" >&3; }

# A case that calls a command that does not exist is wrong, or its packages are missing.
command_not_found_handle() {
	not_ok "$1 is there" 'no such command or function' 2>/dev/null
	return 127
}

# Each of the following that checks one thing returns whether it is so.

# holds NAME COMMAND...: checks that COMMAND, which may be a function, succeeds
holds() {
	local name=$1
	shift
	if "$@"; then ok "$name"; else not_ok "$name" "not so: $*"; fi
}

# is NAME ACTUAL EXPECTED
is() {
	if [[ $2 == "$3" ]]; then ok "$1"; else not_ok "$1" "it is '$2', expected '$3'"; fi
}

# Whether no packet is in the receive buffer of any port, nor are credits missing. Managers and IPoIB may still send, so that
# it is true now and then.
buffers_are_free() {
	local devices
	devices=$(hcactl -j show) && [[ $devices != *'"buffers":[{'* ]]
}

# Every case ends with it, except where there is no module.
case_ends() {
	module_loaded || return
	if within 10 buffers_are_free; then
		ok 'in the end all receive buffers are free'
	else
		not_ok 'in the end all receive buffers are free' "$(hcactl show | grep -B 1 ' reserved, ')"
	fi
}

# --- commands --------------------------------------------------------------------------------------------------------

# run COMMAND...: sets $out to its output, of both streams, and $status to its exit status.
run() {
	log "\$ $*"
	out=$(timeout -k 2 $((${limit:-60} * slowness)) "$@" 2>&1 </dev/null 3>&-)
	status=$?
	[[ ! $out ]] || log "$out"
	[[ $status = 0 ]] || log "exit status $status"
	[[ $status != 124 && $status != 137 ]] || note_late "$1"
}

# Shows the last run.
worked() {
	if [[ $status = 0 ]]; then ok "$1"; else not_ok "$1" "exit status $status"; fi
}

# Whether the command ended by itself, with a failure.
failed() {
	if ((status > 0 && status < 124 || status == 255)); then ok "$1"; else not_ok "$1" "exit status $status"; fi
}

# has_line TEXT ERE: whether a line of TEXT matches as a whole, except for blanks around it. Far faster than grep.
has_line() {
	local line
	while read -r line; do
		[[ ! $line =~ ^($2)$ ]] || return 0
	done <<<"$1"
	return 1
}

# has NAME ERE...: checks that the output of the last run has such lines
has() {
	local name=$1 ere missing=''
	shift
	for ere; do
		has_line "$out" "$ere" || missing+=" '$ere'"
	done
	if [[ ! $missing ]]; then ok "$name"; else not_ok "$name" "no line is$missing"; fi
}

# expect NAME COMMAND...: checks that COMMAND, which is a program, succeeds
expect() {
	run "${@:2}"
	worked "$1"
}

# results_of PROGRAM...: runs a program that prints results itself
results_of() {
	local name=$1
	command -v "$name" >/dev/null || { not_ok "$name" "there is no $name"; return; }
	limit=${limit:-100} run "$@"
	sed -En "s/^(ok|not ok|skip) - /&${name##*/}: /p" <<<"$out" >&3
	grep -Eq '^(ok|skip) - ' <<<"$out" || not_ok "$name" 'it has no result'
	[[ $status = 0 ]] || grep -q '^not ok - ' <<<"$out" || not_ok "$name" "exit status $status"
}

# --- time ------------------------------------------------------------------------------------------------------------

# Prints the time since boot, by the guest's clock, in ms.
now() {
	local seconds
	read -r seconds _ </proc/uptime
	echo $((10#${seconds/./} * 10))
}

# nap SECONDS: sleeps without starting a process
exec {never}<> <(:)
nap() { read -rt "$1" -u "$never"; return 0; }

# within SECONDS COMMAND...: whether COMMAND succeeds within that time; it is run again and again.
within() {
	local end=$(($(now) + $1 * 1000 * slowness))
	shift
	until "$@"; do
		(($(now) < end)) || { note_late "$1"; return 1; }
		nap 0.1
	done
}

# --- devices and ports (all have one port) ---------------------------------------------------------------------------

class=/sys/class/infiniband

# read_file NAME: sets $word to the file's line, without starting a process.
read_file() { read -r word <"$class/$1"; }

state() { read_file "$1/ports/1/state"; echo "${word#*: }"; }

lid() { read_file "$1/ports/1/lid"; echo $((word)); }

sm_lid() { read_file "$1/ports/1/sm_lid"; echo $((word)); }

guid() { read_file "$1/node_guid"; echo "0x${word//:/}"; }

gid() { read_file "$1/ports/1/gids/0"; echo "$word"; }

port_guid() { word=$(gid "$1"); word=${word//:/}; echo "0x${word: -16}"; }

# are STATE: whether both ports have this state
are() { [[ $(state hca0) == "$1" && $(state hca1) == "$1" ]]; }

counter() { read_file "$1/ports/1/counters/$2"; echo "$word"; }

node=$HOSTNAME

# Prints hcactl's line of live objects, such as: pd 1 ah 1 cq 1 qp 2
objects() {
	local line
	while read -r line; do
		[[ $line != objects:* ]] || echo "${line#objects: }"
	done < <(hcactl device show "$1")
}

objects_are() { [[ $(objects "$1") == "$2" ]]; }

# Prints the kernel's messages about hca, except those about any module built outside of the kernel.
kernel_says() {
	dmesg --level=emerg,alert,crit,err,warn | grep -E '\b(hca|ib_[a-z]*|rdma|infiniband|uverbs|umad)' |
		grep -Ev 'hca: (loading out-of-tree module taints kernel|module verification failed)'
}

module_loaded() { [[ -d /sys/module/hca ]]; }

load() { run insmod "$HCA_KMODS/hca.ko"; }

# Objects of the kernel's own consumers come and go with delay: waits until their number has not changed for one second.
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

# sm_start OPTION...: starts OpenSM at hca0. It sweeps only by sm_sweep, since sweeps would change counters. $sm_config:
# lines of its configuration
sm_start() {
	printf '%s\n' 'sweep_on_trap FALSE' ${sm_config+"$sm_config"} >/run/opensm.conf
	log "\$ opensm -B -s 0 -F /run/opensm.conf -g $(port_guid hca0) $*"
	opensm -B -s 0 -F /run/opensm.conf -g "$(port_guid hca0)" "$@" </dev/null 3>&-
}

sm_sweep() { kill -HUP $(pgrep -x opensm); }

# OpenSM does not always end by another signal, not at all after its device has gone; what it keeps it has written by then.
sm_stop() {
	sm_runs || return 0
	kill -KILL $(pgrep -x opensm)
	within 5 no_sm
}

no_sm() { ! sm_runs; }

# Whether subnet administration answers. OpenSM is in the background before it does, and ports may be Active since an
# earlier one.
sa_answers() { saquery -C hca0 ClassPortInfo >/dev/null 2>&1 </dev/null 3>&-; }

# Makes hca0 and hca1 with a cable, without a subnet manager and as if never managed.
fresh_pair() {
	sm_stop
	rm -f /var/cache/opensm/*
	[[ ! -e $class/hca0 ]] || hcactl device del hca0
	[[ ! -e $class/hca1 ]] || hcactl device del hca1
	hcactl device add hca0 && hcactl device add hca1 && hcactl link add hca0/1 hca1/1
}

# Makes hca0 and hca1 with a cable, both Active, from any state. Cases begin with it; if it fails, the case fails.
subnet() {
	[[ -e $class/hca0 ]] || hcactl device add hca0 || exit
	[[ -e $class/hca1 ]] || hcactl device add hca1 || exit
	[[ $(hcactl link) == hca[01]/1\ hca[01]/1\ +([0-9A-Za-z]) ]] || hcactl link add hca0/1 hca1/1 || exit
	if ! sm_runs; then
		sm_start
		within 20 sa_answers || { log 'the subnet manager does not answer'; exit 124; }
	elif ! are ACTIVE; then
		sm_sweep
	fi
	within 20 are ACTIVE || { log "the ports do not become Active: $(state hca0), $(state hca1)"; exit 124; }
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
		hcactl tca add bare ports 1 && hcactl link add bare sw1/2 || exit
		hcactl link add sw0/7 sw1/7 && hcactl link add sw0/8 sw1/8 || exit
	fi
	if ! sm_runs; then
		opensm -B -s 2 -f /run/osm.log -g "$(port_guid hca0)" </dev/null 3>&-
		within 30 sa_answers || { log 'the subnet manager does not answer'; exit 124; }
	fi
	within 30 are ACTIVE || { log "the ports do not become Active: $(state hca0), $(state hca1)"; exit 124; }
}

# Prints the LID of a switch of that fabric.
switch_lid() { ibswitches -C hca0 | sed -n "s/.*\"$node $1\".* lid \([0-9]*\) .*/\1/p"; }

# Waits until no packet is sent any more: OpenSM continues for a moment when the ports are Active.
quiet() {
	local before after=''
	for _ in {1..20}; do
		before=$after
		after="$(counter hca0 port_xmit_packets) $(counter hca0 port_rcv_packets)"
		[[ $after != "$before" ]] || return 0
		nap 1
	done
	log 'the ports do not come to rest'
	exit 124
}

# has_ibutils WHAT: whether ibutils is installed. The guest has copies of its tools with two repairs: they wait 100 ms
# for an answer, which an emulated processor does not always meet; and ibdiagpath 1.5.7 reads the port of the LID before
# the right one, since its reader of MADs inserts four octets before a forwarding table.
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

# Whether a process listens at TCP port $2 in network namespace $1.
listens_in() { [[ $(ip netns exec "$1" ss -Hltn "sport = :$2") ]]; }

# server COMMAND...: starts a server and waits until it listens at $port. Sets $server, its process.
server() {
	log "\$ $* &"
	timeout -k 2 $((${limit:-60} * slowness)) "$@" >"$tmp/server" 2>&1 </dev/null 3>&- &
	server=$!
	within 10 listens $port || { log 'it does not listen:'; cat "$tmp/server"; return 1; }
}

# server_ends SECONDS: waits for the server, sets $server_status, and shows its output.
server_ends() {
	within "$1" eval "! kill -0 $server 2>/dev/null" || kill "$server"
	wait "$server"
	server_status=$?
	log "the server ended with $server_status and printed:"
	cat "$tmp/server"
}

# ends SERVER-DEVICE CLIENT-DEVICE PROGRAM ARGUMENT...: runs the client as `run` does, and the server beside it.
ends() {
	local from=$1 to=$2
	shift 2
	port=$((port + 1))
	server "$@" -d "$from" -p $port && run "$@" -d "$to" -p $port 127.0.0.1 || status=1
	server_ends $((status ? 2 : 20))
}

# has_ended STATUS OUTPUT: whether a program succeeded. At its end, rping closes what it reads events from while a thread of it may
# go on to read the next event; then it ends with 255, behind all that was to be done.
has_ended() {
	[[ $1 = 0 || ($1 = 255 && $2 == *' DISCONNECT EVENT...'* && $2 == *'rdma_get_cm_event: Bad file descriptor'*) ]]
}

# Whether both ends succeeded.
both_worked() { has_ended "$status" "$out" && has_ended "$server_status" "$(<"$tmp/server")"; }

# both_have NAME ERE: checks that both ends succeeded, and that both printed a line that matches
both_have() {
	if both_worked && has_line "$out" "$2" && has_line "$(<"$tmp/server")" "$2"; then
		ok "$1"
	else
		not_ok "$1" "exit status $server_status and $status, and both shall print '$2'"
	fi
}

# pingpong NAME SERVER-DEVICE CLIENT-DEVICE ITERATIONS SIZE PROGRAM ARGUMENT...: runs both ends; the data are twice
# ITERATIONS * SIZE
pingpong() {
	local name=$1 bytes=$(($4 * $5 * 2))
	ends "$2" "$3" "${@:6}" -n "$4" -s "$5"
	both_have "$name" "$bytes bytes in [0-9.]+ seconds = [0-9.]+ Mbit/sec"
}

# Matches a line of figures of perftest's client: octets, iterations, and figures, of which the last is not 0 however
# slow it was. The standard deviation is -nan if one latency is 46 ms from the average, since perftest squares an int.
figures='[0-9]+\s+[1-9][0-9]*(\s+([0-9.]+|-nan))*\s+[0-9.]*[1-9][0-9.]*'

# perftest computes with a frequency that it measures first. Whether the last run was interrupted during that, and so
# has no figures: latencies of "inf", bandwidths of 0. What it says of that is not buffered, and so may be amid a line.
unmeasured() { has_line "$out" '.*Correlation coefficient r\^2: .* < 0\.9.*'; }
no_figures='[0-9]+\s+[1-9][0-9]*(\s+([0-9.]+|-?nan|inf))*\s*'

# Such a run is repeated, so often at most: beside many other guests each may be interrupted. In the end it counts that both
# ends have run all iterations.
measurements=8
unmeasured_yet() { ((runs < measurements)) && both_worked && unmeasured; }
has_figures() { has_line "$out" "$figures" || { unmeasured && has_line "$out" "$no_figures"; }; }

# Before version 23.07, perftest has one file descriptor for the events of both its CQs. With events, an end that its
# peer's message wakes may post again before it has polled the completion of its own: its send queue of one entry is
# full then. The number of runs at most:
attempts=40
overtaken() { ((runs < attempts)) && [[ " $* " == *' -e '* ]] && has_line "$(<"$tmp/server")"$'\n'"$out" ".*Couldn't post send: .*"; }

# perftest NAME SERVER-DEVICE CLIENT-DEVICE PROGRAM ARGUMENT...: checks that the client prints a line of figures. It is
# run again if it has not measured the frequency, or an event has come between. Sets $runs, the number of runs.
perftest() {
	runs=1
	ends "$2" "$3" "${@:4}" -F
	while unmeasured_yet || overtaken "$@"; do
		((runs++))
		ends "$2" "$3" "${@:4}" -F
	done
	if both_worked && has_figures; then
		ok "$1"
	else
		not_ok "$1" "exit status $server_status and $status; the client shall print figures"
	fi
}

# Makes a block device of 1 MiB, /dev/ram0, and reads it with O_DIRECT.
ramdisk() {
	modprobe brd rd_nr=1 rd_size=1024 && within 5 test -b /dev/ram0
}

# --- a cable that loses, corrupts and duplicates packets -------------------------------------------------------------

# faults WORD...: sets faults of the cable between hca0 and hca1, by arguments of `hcactl link set`
faults() { run hcactl link set hca0/1 hca1/1 "$@"; }

# struck DEVICE KIND: prints how many packets that the device sent were hit
struck() {
	local line
	while read -r line; do
		[[ ! $line =~ ^from\ $1/1:.*\ ([0-9]+)\ $2 ]] || echo "${BASH_REMATCH[1]}"
	done < <(hcactl link)
}

# some NAME KIND: checks that packets of both directions were hit
some() { holds "$1: $(struck hca0 "$2") and $(struck hca1 "$2")" test "$(struck hca0 "$2")" -gt 0 -a "$(struck hca1 "$2")" -gt 0; }

# gives_up NAME: checks that the client gives up after its attempts, since no answer arrives (B4-343). The server would wait
# for it.
gives_up() {
	port=$((port + 1))
	server ibv_rc_pingpong -d hca0 -p $port -n 10
	limit=20 run ibv_rc_pingpong -d hca1 -p $port -n 10 127.0.0.1
	kill "$server"
	server_ends 5
	has "$1" 'Failed status transport retry counter exceeded \(12\) for wr_id [0-9]+'
}

. "$1"
