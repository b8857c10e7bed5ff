# shellcheck shell=bash disable=SC2154,SC2034 # what tests/lab/lib/guest.bash has set; what cases read
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Large fabrics, OpenSM on them with any of its routing engines, and whether what tools find is what was loaded. For cases
# that tests/lab/lib/guest.bash runs.

declare -A shapes=(
	[tree32]='fat-tree ports 8'
	[tree648]='fat-tree'
	[tree1024]='fat-tree ports 16 levels 3'
	[random1000]='random nodes 1000 switches 250 ports 24 links 120 seed 7'
)

# The adapter that is a device; the manager is there.
host=host1

# What an engine wants beside its name. LASH and DFSSSP give service levels to paths and lanes to those, which is QoS.
declare -A engine_options=(
	[lash]=-Q
	[dfsssp]=-Q
	[roots]="-a $tmp/roots"
)

# fabric_generate NAME: $tmp/fabric.net
fabric_generate() {
	# shellcheck disable=SC2086 # words
	hcactl topology generate ${shapes[$1]} >"$tmp/fabric.net" || exit
	sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p;T;q' "$tmp/fabric.net" >"$tmp/roots"
}

# Kilobytes that could be had.
memory() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# Sets $load_time, in ms.
fabric_load() {
	local start
	start=$(now)
	expect "$1 is loaded" hcactl topology load "$tmp/fabric.net" hosts $host
	load_time=$(($(now) - start))
}

manager_says() { grep -q "$1" "$tmp/opensm.log" 2>/dev/null; }

manager_is_done() { manager_says 'SUBNET UP' || ! kill -0 "$manager" 2>/dev/null; }

# manager_start ENGINE [VARIABLE=VALUE...]: a new one, which stays and does not sweep again. Sets $sweep_time, in ms.
manager_start() {
	local engine=$1 start
	shift
	rm -f /var/cache/opensm/* "$tmp/opensm.log"
	cat >"$tmp/opensm.conf" <<-END
		max_wire_smps 16
		transaction_timeout 2000
		use_optimized_slvl TRUE
		force_log_flush TRUE
		sweep_interval 0
		dump_files_dir $tmp
	END
	start=$(now)
	# shellcheck disable=SC2086 # words
	env "$@" opensm -F "$tmp/opensm.conf" -f "$tmp/opensm.log" -R "${engine%+roots}" \
		${engine_options[${engine%+roots}]-} ${engine_options[${engine#*+}]-} >"$tmp/opensm.out" 2>&1 </dev/null 3>&- &
	manager=$!
	within 600 manager_is_done
	sweep_time=$(($(now) - start))
	log "$(grep -Ev ' 0x0[24] -> (osm_sm_|osm_vendor|Lanes)' "$tmp/opensm.log" | tail -n 60)"
}

manager_stop() {
	kill "$manager"
	wait "$manager"
}

# routed ENGINE: the manager has done it, and by this engine: one that cannot gives way to minhop.
routed() {
	holds "OpenSM with $1 brings it up" manager_says 'SUBNET UP'
	holds "... by $1, on all switches" manager_says "${1%+roots} tables configured on all switches"
}

# What a file says of nodes, ports and links, without what a manager gives and what the hardware is called.
essence() {
	hcactl topology convert "$1" to discover | grep -Ev '^(#|$|vendid|devid|sysimgguid)' |
		sed -E 's/ lid [0-9]+( lmc [0-9]+)?//g' | sort
}

# Prints how many there are: switches, adapters, links
count_of() { hcactl topology check "$tmp/fabric.net" | sed -nE "s/^$1 ([0-9]+).*/\1/p"; }

nodes() { echo $(($(count_of switches) + $(count_of adapters))); }

discovered() {
	limit=300 run ibnetdiscover -C $host --outstanding_smps 16
	echo "$out" >"$tmp/discovered"
	is 'ibnetdiscover finds what was loaded' "$(essence "$tmp/discovered" | md5sum)" "$(essence "$tmp/fabric.net" | md5sum)"
}

# The LID of an adapter's port, as ibnetdiscover has found it.
adapter_lid() { sed -nE "/^Ca.*\"$1\"\$/{n;s/.*# lid ([0-9]+) lmc.*/\1/p}" "$tmp/discovered"; }

links_are_up() {
	limit=300 run iblinkinfo -C $host --outstanding_smps 16
	is 'iblinkinfo: both ends of all links are Active, of full width and speed' \
		"$(grep -c '==( *4X .*25.78125 Gbps Active/ *LinkUp)==>' <<<"$out")" $(($(count_of links) * 2))
}

# The counters of all nodes come by LID, and so along the routes, there and back. What the kernel asks of the manager
# before its port is Active is discarded, and was counted as that.
routes_work() {
	run perfquery -C $host -R
	limit=300 run ibqueryerrors -C $host -s PortXmitWait
	has 'ibqueryerrors reaches all nodes by their LIDs, and finds no error' \
		"## *Summary: $(nodes) nodes checked, 0 bad nodes found"
}

# Both ends of each link, as ibdiagnet lists them and as they were loaded: GUID and port of the nodes.
pairs_of_list() {
	local end='.*NodeGUID:([[:xdigit:]]*).* PN:([[:xdigit:]]+) \}'
	sed -nE "s/$end \{$end PHY.*/\1 \2 \3 \4/p" "$1" |
		while read -r a m b n; do
			printf '%s/%d %s/%d\n' "$a" $((16#$m)) "$b" $((16#$n))
		done | pairs_sorted
}

pairs_of_file() {
	awk '
		match($0, /^(switch|ca)guid=0x/) { guid = substr($0, RLENGTH + 1); sub(/\(.*/, "", guid) }
		/^(Switch|Hca)/ { split($0, part, "\""); name = part[2]; guid_of[name] = sprintf("%16s", guid); gsub(/ /, "0", guid_of[name]) }
		/^\[/ { split($0, part, /[][" \t]+/); from[++links] = name " " part[2] " " part[3] " " part[4] }
		END { for (i = 1; i <= links; i++) { split(from[i], e, " "); print guid_of[e[1]] "/" e[2], guid_of[e[3]] "/" e[4] } }
	' "$1" | pairs_sorted
}

pairs_sorted() { awk '{ print ($1 < $2) ? $1 " " $2 : $2 " " $1 }' | sort -u; }

# ibdiagnet finds faults of its own accord.
diagnosed() {
	has_ibutils ibdiagnet || return 0
	limit=600 run ibdiagnet -o "$tmp/ibdiagnet"
	worked 'ibdiagnet'
	is 'ibdiagnet finds the links that were loaded' "$(pairs_of_list "$tmp/ibdiagnet/ibdiagnet.lst" | md5sum)" \
		"$(pairs_of_file "$tmp/fabric.net" | md5sum)"
	is 'ibdiagnet finds no error' "$(tr '\r' '\n' <<<"$out" | grep '^-E-')" ''
}

# walked ADAPTER ADAPTER LINKS: ibdiagpath goes from one to the other by LIDs, over so many links
walked() {
	has_ibutils ibdiagpath || return 0
	run ibdiagpath -l "$(adapter_lid "$1"),$(adapter_lid "$2")" -o "$tmp/ibdiagpath"
	worked "ibdiagpath from $1 to $2"
	is "... over $3 links" "$(grep -c '^-I- From: lid=' <<<"$out")" "$3"
	has '... counters without errors, and a partition that both have' '-I- No illegal PM counters values were found' \
		'-I- Path shared PKeys: 0xffff'
	is '... and no error' "$(grep '^-E-' <<<"$out")" ''
}

# --- the same by ibsim -----------------------------------------------------------------------------------------------

preload=/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so

sim_says() { grep -q "$1" "$tmp/sim.log"; }

# Sets $sim and $sim_time, in ms.
sim_start() {
	local start
	mkfifo "$tmp/sim.commands"
	exec {commands}<>"$tmp/sim.commands"
	start=$(now)
	ibsim -s -N 4096 -S 1024 -P 65536 "$tmp/fabric.net" <&"$commands" >"$tmp/sim.log" 2>&1 3>&- &
	sim=$!
	within 60 sim_says '^sim>'
	sim_time=$(($(now) - start))
}

# Kilobytes that it has.
sim_memory() { sed -n 's/^VmRSS:[[:blank:]]*\([0-9]*\) kB/\1/p' "/proc/$sim/status"; }

sim_stop() {
	kill "$sim"
	wait "$sim"
}
