# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of libfabric, whose server is at $serves.

# bounces NAME SIZE OPTION...: SIZE is the largest
bounces() {
	local name=$1 last=$2
	port=$((port + 1))
	server fi_pingpong -B $port -I 5 -S all -c "${@:3}" || { not_ok "$name" 'no server'; return; }
	run fi_pingpong -P $port -I 5 -S all -c "${@:3}" "$serves"
	server_ends $((status ? 2 : 20))
	if both_worked && has_line "$out" "$last +5 +=5 .*"; then ok "$name"; else not_ok "$name" "$status, $server_status"; fi
}
