# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# Completion of what no --help can list.

mkdir "$tmp/cwd/folder"
touch "$tmp/cwd/file"
cat >"$tmp/bin/hcactl" <<'END'
#!/bin/sh
case "$*" in
'device show') grep '^hca\|^rnic' ;;
'switch show') grep '^sw' ;;
'tca show') grep '^n' ;;
'rnic show') grep '^rnic' ;;
show) cat ;;
'topology convert file') echo 'Switch	36 "leaf1"		# "a leaf"' ;;
esac <<'SHOWN'
hca0: guid 0xea0b4313177414c0 ports 2 description "node0 hca0"
    port 1: Active (LinkUp) lid 1 lmc 0 sm 1 mtu 4096 -> hca1/1
        faults: drop 0.01 seed 7: 297 matched, 3 hit: 3 dropped, 0 corrupted, 0 duplicated
    port 2: Down (Polling) lid 0 lmc 0 sm 0 mtu 4096
    objects: pd 1 ah 1 cq 1 qp 2
hca1: guid 0xe6e0bc91aecd8560 ports 1 description "hca9: guid 1"
    port 1: Active (LinkUp) lid 2 lmc 0 sm 1 mtu 4096 -> hca0/1
    objects: pd 1 ah 1 cq 1 qp 2
sw0: guid 0xe6e0bc91aecd8540 ports 3 type switch description "hca8: ports 9"
    port 0: Active (LinkUp) lid 3 lmc 0 sm 1 mtu 4096
    port 2: Active (LinkUp) lid 0 lmc 0 sm 0 mtu 4096 -> n0/1
    2 ports have no cable
n0: guid 0xe6e0bc91aecd8500 ports 1 type tca description "node0 n0"
    port 1: Active (LinkUp) lid 4 lmc 0 sm 1 mtu 4096 -> sw0/2
rnic0: guid 0xe6e0bc91aecd8570 type rnic description "node0 rnic0"
    netdev lo up crc on markers off strict on mpa 2 rtr write,read timeout 5
    addresses: 127.0.0.1
    connections: 0
    objects: none
SHOWN
END
chmod +x "$tmp/bin/hcactl"

{
	completes 'hca0 hca1 rnic0' hcactl device del ''
	completes 'hca1' hcactl device show hca1
	completes 'hca1' hcactl show hca1
	completes 'hca0 hca1 n0 rnic0 sw0' hcactl link show ''
	completes '' hcactl link show hca0 ''
	completes 'hca0 hca1 n0 rnic0 sw0' hcactl drops show ''
	completes 'off on' hcactl drops o
	completes '--watch' hcactl drops show --w
	completes '--table' hcactl show --t
	completes '1 2 3 4' hcactl device add hca2 ports ''
	completes '' hcactl device add ''
	completes '' hcactl device add hca2 guid ''
	completes 'ca rnic' hcactl device add rnic1 type ''
	completes 'off on' hcactl device add rnic1 type rnic netdev lo crc ''
	completes 'none read send write' hcactl device add rnic1 type rnic rtr ''
	completes 'markers mpa' hcactl device add rnic1 type rnic m
	completes 'rnic0' hcactl rnic set ''
	completes 'set show' hcactl rnic ''
	completes 'fault' hcactl rnic set rnic0 f
	completes 'bad-crc bad-marker corrupt cut field none refuse stall' hcactl rnic set rnic0 fault ''
	completes 'tagged to' hcactl rnic set rnic0 fault field t
	completes 'nth' hcactl rnic set rnic0 qp 5 fault corrupt n
	completes 'send send-with-invalidate send-with-se send-with-se-and-invalidate' \
		hcactl rnic set rnic0 fault corrupt opcode s
	completes '' hcactl rnic set rnic0 fault none ''
	completes '' hcactl rnic set rnic0 fault stall ''
	completes 'once opcode' hcactl rnic set rnic0 fault stall 5 o
	completes 'key length revision' hcactl rnic set rnic0 fault refuse ''
	completes 'nth once seed' hcactl rnic set rnic0 fault refuse key ''
	completes 'sw0' hcactl switch del ''
	completes 'n0' hcactl tca show ''
	completes 'description enhanced guid ports random system-image' hcactl switch add sw1 ''
	completes 'description guid ports system-image' hcactl tca add n1 ''
	completes 'system-image' hcactl tca set n1 ''
	completes '' hcactl switch add sw1 ports ''
	completes '' hcactl switch add sw1 description ''
	completes 'enhanced' hcactl switch add sw1 ports 36 e
	completes 'hca0/2 sw0/1 sw0/3' hcactl link add ''
	completes 'hca0/1 hca1/1 n0/1 sw0/2' hcactl link del ''
	completes 'hca0/1' hcactl -j link del hca1/1 hca0
	completes '' hcactl link del hca1/1 hca0/1 ''
	completes 'hca0/1 hca1/1 n0/1 sw0/2' hcactl link set ''
	completes 'hca1/1' hcactl link set hca0/1 hca1
	completes 'delay drop duplicate' hcactl link set hca0/1 hca1/1 d
	completes 'seed slow-vl speed' hcactl link set hca0/1 hca1/1 drop 1% s
	completes '12x' hcactl link set hca0/1 hca1/1 width 12
	completes '' hcactl link set hca0/1 hca1/1 drop ''
	completes 'rc-acknowledge rc-atomic rc-atomic-acknowledge rc-atomic-write' hcactl link set hca0/1 hca1/1 drop 1% opcode rc-a
	completes 'uc,rc-fl,xrc-flush' hcactl link set hca0/1 hca1/1 drop 1% opcode uc,rc-fl,xrc-fl
	completes 'xrc-flush' hcactl link set hca0/1 hca1/1 drop 1% opcode xrc-fl
	completes '' hcactl link set hca0/1 hca1/1 drop 1% nth ''
	completes 'count' hcactl link set hca0/1 hca1/1 drop 1% cou
	completes 'once opcode' hcactl link set hca0/1 hca1/1 drop 1% o
	completes 'hca0/1 hca1/1 n0/1 sw0/2' hcactl link down ''
	completes 'hca0/1' hcactl link up hca1/1 hca0
	completes 'hca0/1 hca1/1 n0/1 sw0/2' hcactl link set hca0/1 hca1/1 drop 1% from ''
	completes 'from' hcactl link set hca0/1 hca1/1 none ''
	completes 'file folder' hcactl save ''
	completes 'file' hcactl restore fil
	completes '' hcactl clear ''
	completes '' hcactl help save ''
	completes 'file folder live' hcactl topology svg ''
	completes 'leaf1' hcactl topology svg file expand ''
	completes 'each grouped' hcactl topology dot file hosts each switches ''
	completes 'file folder live' hcactl topology diff file ''
	completes 'names shape' hcactl topology diff file live by ''
	completes 'file folder' hcactl topology load ''
} | holds 'hcactl: completion of names, ports and files'

# known_opcodes [WORD]: the words that hcactl knows as opcodes, of those that go on after WORD: what it suggests in place of
# one that there is not. Reserved opcodes are not completed, nor are names without the end that makes them another opcode.
known_opcodes() {
	local begin=${1:+$1-} word
	for word in $("$build/tools/hcactl" link set a b drop 1 opcode "${begin}00000000" 2>&1 | sed -n 's/.*; there are //p' | tr -d ,); do
		[[ $word = "$begin"* && $word != *-reserved* ]] || continue
		[[ $word = *-with ]] || echo "$word"
		known_opcodes "$word"
	done
}
diff <(known_opcodes | sort) <(complete hcactl link set hca0/1 hca1/1 opcode '' | sort) |
	holds 'hcactl: all opcodes that it knows are completed, and no others'

ln -s "$build/tools/hcaverify" "$tmp/bin/hcaverify"
{
	completes 'mcast rc srq uc ud ud-srq xrc' hcaverify --service ''
	completes 'rc,ud rc,ud-srq' hcaverify --service rc,ud
	completes 'read read-fence' hcaverify -j --op = rea
	completes '1024 2048 256 4096 512' hcaverify --mtu ''
	completes 'remote-access remote-invalid-request' hcaverify --expect rem
	completes '' hcaverify --seed ''
	completes '--service' hcaverify --mtu 256 --ser
} | holds 'hcaverify: completion of values'

{
	completes 'auto kvm tcg' hcalab run --accel ''
	completes 'kvm' hcalab shell --accel = k
	completes 'auto kvm tcg' hcalab shell --accel =
	completes "$(cd /lib/modules 2>/dev/null && printf '%s\n' * | sort | paste -sd ' ')" hcalab run --kernel ''
	completes 'folder' hcalab run --build ''
	completes 'folder' hcalab run --kernels ''
	completes 'file folder' hcalab shell --log ''
	completes 'file' hcalab run --topology fi
	completes 'folder' hcalab run --output ''
	completes '2 3 4 5 6 7 8' hcalab run --nodes ''
	completes '' hcalab run --publish ''
	completes '--publish' hcalab shell --pair --pu
	completes 'folder' hcalab kernel list --build ''
	completes '' hcalab run --memory ''
	completes '--pair' hcalab run --env A = B --pa
	completes 'auto kvm tcg' hcalab run --env A = B --accel ''
	completes '--sanitize' hcalab kernel build -j 2 --s
	completes '' hcalab shell --pair x
} | holds 'hcalab: completion of values'

{
	completes '1024' hca_rd_pingpong --mtu = 10
	completes '1024 2048 256 4096 512' hca_rd_pingpong -m ''
	completes '' hca_rd_pingpong --size = ''
	completes '--peers' hca_rd_pingpong -e --pe
} | holds 'hca_rd_pingpong: completion of values'

{
	completes 'hca0/1 hca0/2 hca1/1 n0/1 sw0/1 sw0/2 sw0/3' hcadump -i ''
	completes 'hca0/2' hcadump --json --port = hca0/2
	completes 'both in out' hcadump -d ''
	completes 'erf infiniband' hcadump --link-type ''
	completes 'file folder' hcadump -w ''
	completes '--direction' hcadump --dir
	completes 'clock epoch first previous' hcadump -t ''
	completes 'svg text' hcadump --ladder = ''
	completes 'svg' hcadump --ladder = s
	completes '--link-type' hcadump --ladder --li
	completes 'pcap pcapng' hcadump --format = pc
	completes 'retransmit' hcadump -f "'re"
	completes 'nak or rnr' hcadump --filter = 'nak or rn'
	completes 'not (smp' hcadump -f 'not (sm'
	completes 'smp and' hcadump -f 'smp an'
	completes '' hcadump -f 'smp or an'
	completes '' hcadump -f 'qp '
	completes 'qp 5 opcode qp 5 or qp 5 out' hcadump -f 'qp 5 o'
	completes 'opcode rc-send-' hcadump -f 'opcode rc-s'
	completes 'port hca0/1 port hca0/2' hcadump -f 'port hca0'
} | holds 'hcadump: completion of values'

# The words of the filter that --help tells of.
not_completed_in_filters() {
	local word
	"$build/tools/hcadump" --help | sed '1,/^A filter is made/d; s/([^)]*)//g; s/N\>//g; s/NAME//g' |
		grep -oE '[a-z]+' | while read -r word; do
		offers "$word" hcadump -f ''
	done
}
not_completed_in_filters | holds 'hcadump: words of filters are completed'

{
	completes 'file' sdprun -c fil
	completes 'file' sdprun --conf = fil
	completes 'file folder' sdprun --check ''
	completes '--check --conf' sdprun --both --c
	completes '--both' sdprun -c file --bo
	completes '--static' sdprun -v --s
	offers hcactl sdprun --static hcac
	offers hcactl sdprun hcac
	offers hcactl sdprun -v --conf = file hcac
	offers hcactl sdprun -v -- hcac
	completes 'file' sdprun -c file cat --check fil
	completes 'file' sdprun -- cat fil
} | holds 'sdprun: completion of values and of the command'

{
	completes '--wait' hcaip up --w
	completes '' hcaip up --wait ''
	completes '' hcaip show --w
	completes 'hca0/1= hca0/2= hca1/1=' hcaip up --wait 5 hca
} | holds 'hcaip: completion of values'

{
	completes 'file' sdpstat -a --from fil
	completes 'file' sdpstat --from = fil
	completes '--sport' sdpstat -lp --s
} | holds 'sdpstat: completion of values'

{
	completes 'file' sdpmapd --rules fil
	completes 'file' sdpmapd --sockets = fil
	completes '' sdpmapd --port ''
	completes '--max-open --max-per-client' sdpmapd --query --max
} | holds 'sdpmapd: completion of values'

commands() {
	offers hcactl hcalab run hcac
	offers hcactl hcalab run -- hcac
	offers hcactl hcalab run --accel tcg --pair hcac
	offers hcactl hcalab run --env A = B -- hcac
	completes file hcalab run cat fil
	completes file hcalab run --pair -- cat fil
	completes file hcalab run -- cat --accel fil
}
commands | holds 'hcalab: completion of the command, by bash alone'

functions=/usr/share/bash-completion/bash_completion
if [[ -e $functions ]]; then
	export BASH_COMPLETION=$functions
	commands | holds 'hcalab: completion of the command, by bash-completion'
else
	echo "skip - hcalab: completion of the command, by bash-completion # there is no $functions"
fi
