# shellcheck shell=bash disable=SC2154 # what tests/lab/lib/guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Subnet managers that a case starts itself, one or more, each with a configuration, a cache and a log of its own. For cases
# that tests/lab/lib/guest.bash runs.

declare -A managers=()

# fabric_without_manager: the devices and cables of `fabric`, Active, and nobody who manages them
fabric_without_manager() {
	fabric
	sm_stop
	rm -f /var/cache/opensm/*
}

# manager_at DEVICE NAME LINE...: OpenSM there. Its files are in $tmp/NAME, its process is ${managers[NAME]}; a second one of
# the same name finds what the first has kept. Lines of configuration follow those that all have.
manager_at() {
	local device=$1 name=$2 dir=$tmp/$2
	shift 2
	mkdir -p "$dir"
	printf '%s\n' 'force_log_flush TRUE' "dump_files_dir $dir" "$@" >"$dir/conf"
	log "\$ opensm of $name at $device: $*"
	: >"$dir/log"
	OSM_CACHE_DIR=$dir OSM_TMP_DIR=$dir opensm -g "$(port_guid "$device")" -F "$dir/conf" -f "$dir/log" \
		>"$dir/out" 2>&1 </dev/null 3>&- &
	managers[$name]=$!
}

# manager_end NAME [SIGNAL]: and how it ended is of no interest
manager_end() {
	kill "-${2-TERM}" "${managers[$1]}"
	wait "${managers[$1]}"
	log "--- what $1 said:"
	log "$(tail -n 100 "$tmp/$1/log")"
}

# said NAME ERE: whether a manager did, in its log
said() { grep -Eq "$2" "$tmp/$1/log"; }

# times_said NAME ERE
times_said() { grep -Ec "$2" "$tmp/$1/log"; }

more_said() { (($(times_said "$1" "$2") > $3)); }

# manages NAME: it is Master and has brought the fabric up
manages() {
	holds "OpenSM ($1) brings the fabric up" within 30 said "$1" 'SUBNET UP'
	within 10 are ACTIVE
}

# osmtest_run OPTION...: at hca1, as `run`. Much of what it says is of errors that it expects.
osmtest_run() {
	log "\$ osmtest $*"
	timeout -k 2 $((${limit:-60} * slowness)) osmtest -g "$(port_guid hca1)" -i "$tmp/inventory" -l "$tmp/osmtest.log" "$@" \
		>"$tmp/osmtest" 2>&1 </dev/null 3>&-
	status=$?
	out=$(<"$tmp/osmtest")
	log "$out"
	log "$(tail -n 30 "$tmp/osmtest.log")"
	log "exit status $status"
}

# osmtest_passes TEST OPTION...
osmtest_passes() {
	local name=$1
	shift
	osmtest_run "$@"
	if [[ $status = 0 && $out == *"OSMTEST: TEST \"$name\" PASS"* ]]; then
		ok "osmtest $*"
	else
		not_ok "osmtest $*" "exit status $status"
	fi
}
