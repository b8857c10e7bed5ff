# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Several machines and the Ethernet between them. The first machine runs COMMAND. Each of the others has a folder below
# $dir, and carries out the calls of hcalab-on.

readonly nodes_max=8

# The Ethernet's MTU, with which a packet of InfiniBand's largest MTU, 4,096, fits into one frame.
readonly ethernet_mtu=9000

# Processes of the other nodes, by the node's number; and the number of a node that has ended by itself.
others=() lost=''

check_nodes_options() {
	[[ $nodes =~ ^[2-9]$ && $nodes -le $nodes_max ]] || usage "--nodes '$nodes': not a number of machines (2 to $nodes_max)"
	[[ ! $name ]] || usage "--nodes calls its machines node0, node1 and so on: it excludes --name $name"
	[[ ! $icount ]] || usage "--icount gives each machine a clock of its own pace: it excludes --nodes"
	[[ ! $sanitize ]] || usage "--sanitize is User Mode Linux, which has no Ethernet here: it excludes --nodes"
}

check_join_options() {
	[[ $nodes ]] || usage "--join links machines to each other: it needs --nodes N"
	[[ ! $pair ]] || usage "--join makes hca0 of each machine: it excludes --pair"
	[[ ! $topology ]] || usage "--join makes hca0 of each machine: it excludes --topology"
	[[ ! $bare ]] || usage "--join needs hca.ko: it excludes --no-module"
}

check_topology_options() {
	[[ ! $pair ]] || usage "--topology makes its own adapters and cables: it excludes --pair"
	[[ ! $bare ]] || usage "--topology is made by hca.ko: it excludes --no-module"
	[[ -f $topology && -r $topology ]] || usage "--topology '$topology': not a file that can be read"
	topology=$(readlink -f "$topology")
	if [[ $topology =~ ^/(run|proc|sys|dev)/ ]]; then
		usage "--topology '$topology': the guest has a /${BASH_REMATCH[1]} of its own"
	fi
}

# Calls $1... for each node except the first, with that node's variables set.
for_other_nodes() {
	local number mode=node name about argv=()
	for ((number = 1; number < ${nodes:-1}; number++)); do
		name=node$number about="node$number: " here=$dir/node$number
		"$@"
	done
	here=$dir
}

make_node() { mkdir "$here" && make_initrd; }

start_node() {
	make_machine_files
	qemu_prepare
	qemu_start &
	others[number]=$!
	start_watcher
}

# Adds one end of the wire of a node. $1: number of the other node, $2 and $3: names of this end and of the other end of
# the wire
wire() {
	local socket=$dir/wire$1
	[[ ${#socket} -le 100 ]] || fail "TMPDIR '${TMPDIR-}': the paths of sockets in it would be too long"
	args+=(-netdev "dgram,id=wire$1,local.type=unix,local.path=$socket.$2,remote.type=unix,remote.path=$socket.$3")
}

# Adds the Ethernet of a node. Each node has a wire to the first one, whose QEMU contains the hub. The wires are
# sockets, which only this user can access and which do not need privileges. The order in which QEMUs start does not
# matter.
ethernet_args() {
	local n port=wire$number
	publish_args
	[[ $nodes ]] || return 0
	if [[ $number -eq 0 ]]; then
		port=port0
		args+=(-netdev 'hubport,id=port0,hubid=0')
		for ((n = 1; n < nodes; n++)); do
			wire "$n" hub node
			args+=(-netdev "hubport,id=port$n,hubid=0,netdev=wire$n")
		done
	else
		wire "$number" node hub
	fi
	args+=(-device "virtio-net-pci,netdev=$port,host_mtu=$ethernet_mtu,mac=52:54:00:77:00:0$number,romfile=")
}

# --- ports of the first machine that are reached from the host -------------------------------------------------------

check_publish_options() {
	local port
	[[ ! $sanitize ]] || usage "--sanitize is User Mode Linux, whose ports nobody reaches: it excludes --publish"
	for port in "${publish[@]}"; do
		[[ $port =~ ^[1-9][0-9]{0,4}$ && $port -le 65535 ]] || usage "--publish '$port': not a TCP port (1 to 65535)"
		if (exec {socket}<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then
			usage "--publish $port: something listens at that port of 127.0.0.1 already"
		fi
	done
}

# Adds the network of the published ports, by which packets cannot leave. The guest has a server at each of its highest
# ports, which forwards connections to a published port.
publish_args() {
	local i options=user,id=publish,restrict=on
	[[ ${publish-} && $number -eq 0 ]] || return 0
	for i in "${!publish[@]}"; do options+=,hostfwd=tcp:127.0.0.1:${publish[i]}-10.0.2.15:$((65535 - i)); done
	args+=(-netdev "$options" -device "virtio-net-pci,netdev=publish,mac=52:54:00:77:01:00,romfile=")
}

# Returns whether $1 is the process of another node, which has then ended. Sets $lost to the node's number.
was_node() {
	local number
	for number in "${!others[@]}"; do
		[[ ${others[number]} != "$1" ]] || { lost=$number; return; }
	done
	return 1
}

# Returns whether $1 is the process of another node that was powered off or restarted after COMMAND began. The remaining
# machines are notified and continue.
node_left() {
	local here=$dir number
	[[ $(report start) ]] && was_node "$1" || return
	number=$lost here=$dir/node$lost
	[[ $machine_status -eq 0 && ! $(report fail) ]] && ! kernel_log | grep -qaE "$complaints" || return
	lost=''
	unset "others[number]"
	# A node that has ended counts as having answered which processes run.
	echo 'answered gone' >> "$here/control"
	notify_nodes "gone node$number"
}

# Sends a line to each machine that still runs. $1: the line
notify_nodes() {
	local number
	echo "$1" 1<> "$dir/ask"
	for number in "${!others[@]}"; do echo "$1" 1<> "$dir/node$number/ask"; done
}

# Fails the run if a node failed or has ended, since COMMAND may wait for it.
judge_lost_node() {
	local why
	why=$(report fail)
	[[ ! $why ]] || fail "$about$why"
	[[ $lost != "$number" ]] || fail_early
}

# Reports a node that was not ready, for which COMMAND had to wait.
judge_late_node() {
	[[ ! $(report start) ]] || return 0
	say "${about}the guest was not ready either; its kernel's last words:"
	last_words 5
}

keep_node_log() { keep_log "$log.$name"; }
