# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of path migration: hca2 and hca3 of two ports each, and two cables. Each cable is a subnet, and has a subnet
# manager.

# The files of one cable's OpenSM must not be used by the other's.
manage() {
	mkdir -p "$tmp/sm$1"
	read_file "hca2/ports/$1/gids/0"
	word=${word//:/}
	log "\$ opensm at hca2/$1"
	OSM_CACHE_DIR=$tmp/sm$1 OSM_TMP_DIR=$tmp/sm$1 opensm -B -s 0 -g "0x${word: -16}" -f "$tmp/sm$1/log" </dev/null 3>&-
}

all_active() {
	local port
	for port in hca{2,3}/ports/{1,2}; do
		read_file "$port/state"
		[[ $word == *ACTIVE ]] || return 1
	done
}

two_cables() {
	local dev
	sm_stop
	for dev in hca2 hca3; do
		expect "$dev has two ports" hcactl device add $dev ports 2
	done
	expect 'the first cable' hcactl link add hca2/1 hca3/1
	expect 'the second cable' hcactl link add hca2/2 hca3/2
	manage 1
	manage 2
	holds 'all four ports become Active' within 20 all_active
}

cables_go() {
	sm_stop
	expect 'one goes' hcactl device del hca2
	expect 'the other goes' hcactl device del hca3
}
