/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * The generic netlink family "hca": channel adapters, switches and the cables between them.
 *
 * What a cable can be plugged into is called a device, whatever TYPE it is of.
 *
 * Numbers are in host byte order. A GUID is a number, too: its first octet on the
 * wire is bits 63 to 56.
 *
 * Changes need CAP_NET_ADMIN in the initial user namespace, reading needs nothing; both
 * are for the initial network namespace only, elsewhere the family is not found (ENOENT).
 * Commands sleep and are carried out one at a time, each wholly or not at all; an answer
 * comes when all is done.
 *
 * An error says what is wrong in its extended acknowledgement: NLMSGERR_ATTR_MSG, and
 * NLMSGERR_ATTR_OFFS of the attribute in question. Of every command:
 *   EPERM   the sender lacks CAP_NET_ADMIN
 *   EINVAL  an attribute is missing, is not one of the command's, not of its type or too long
 *   ERANGE  a number is not in its range
 *   ENOMEM
 */
#ifndef _UAPI_LINUX_HCA_NETLINK_H
#define _UAPI_LINUX_HCA_NETLINK_H

#define HCA_GENL_NAME "hca"
#define HCA_GENL_VERSION 1

/*
 * @HCA_CMD_DEVICE_ADD: make a device; its ports are Down. Takes NAME, PORTS, GUID, all of them,
 *	TYPE, DESCRIPTION, SYSTEM_IMAGE_GUID, and ENHANCED and RANDOM, which are for
 *	a switch.
 *	EINVAL  the name or a GUID is not as it must be, see &enum hca_nl_device; it is no
 *		switch that shall be ENHANCED or RANDOM
 *	EEXIST  there is a device of this name or with one of these GUIDs; or an RDMA device of
 *		this name, if it is to be one
 *	or what the RDMA core says
 * @HCA_CMD_DEVICE_DEL: unplug its cables, take it from its users, and free it. Takes NAME, and
 *	TYPE. Waits for verbs and packets under way, not for programs to end: those get the event
 *	IB_EVENT_DEVICE_FATAL.
 *	ENODEV  there is no such device, or it is not of the TYPE that is given
 * @HCA_CMD_DEVICE_GET: do, with NAME, and TYPE: one device, in one message. Dump, without
 *	attributes: all, in the order they were made; one that has more ports than a message
 *	holds goes on in the next: messages with the same GUID, one behind the other, are about
 *	one device, and only PORT and OBJECT are to be put together. Answers with all of
 *	&enum hca_nl_device. One message about a switch of many ports may take 128 KiB and more:
 *	the socket needs a receive buffer of 256 KiB at least, or it is lost (ENOBUFS).
 *	ENODEV  as above
 * @HCA_CMD_LINK_ADD: plug a cable into two ports, which become Initialize unless they have been
 *	disabled. Takes DEVICE_A and DEVICE_B, and PORT_A and PORT_B, which may be left out for
 *	a device of one port. Both may be ports of one device. SUPPORTED_A and SUPPORTED_B say what
 *	the ports are built for from now on, before they train.
 *	ENODEV  there is no such device
 *	EINVAL  it has no such port, or several and none is given; it is port 0 of a switch, which
 *		has no link; A and B are the same port
 *	EBUSY   one of the ports has a cable
 *	With NETWORK instead of DEVICE_B and PORT_B: a link through another network, to a port of
 *	another kernel. Port A becomes Initialize when the other end is found and wants the link, and
 *	Down when it is lost; it is looked for until the link is removed. It goes with its device, and
 *	with the network namespace.
 *	EINVAL  the key is too short; the interface is not Ethernet
 *	EBUSY   port A has a cable or a link; the interface has a link
 *	EADDRINUSE  the UDP port is taken
 *	ENODEV  there is no such interface
 *	EBADF   NETNS is no network namespace
 *	EOPNOTSUPP  there is a KEY, and the kernel has no hmac(sha256)
 * @HCA_CMD_LINK_DEL: unplug the cable of port A, named as above; both ports become Down, and
 *	packets under way are lost. With DEVICE_B (and PORT_B): only if it leads there.
 *	ENODEV, EINVAL  as above
 *	ENOTCONN  there is no cable, or it leads elsewhere
 * @HCA_CMD_LINK_SET: give faults and a shape to a cable, named as above; B need not be given.
 *                    Takes,
 *	besides, any of FAULT_A, FAULT_B, SHAPE_A and SHAPE_B: each replaces what its direction had,
 *	the others stay as they are; one without attributes removes it. Counts begin at 0 and the
 *	sequence of chances at its seed. Faults and shapes go with the cable. SUPPORTED_A and
 *	SUPPORTED_B are as above; they stay with the port, and the link trains anew.
 *	ENODEV, EINVAL, ENOTCONN  as above
 *	EOPNOTSUPP  the port's link is one through a network, which has no faults but the network's own
 *	EINVAL  no opcode is called so; there is nothing to set, or a FAULT of neither DROP, CORRUPT,
 *		DUPLICATE nor DRAIN; one of DRAIN_VL and DRAIN is missing; FLAP_EVERY is no more than
 *		FLAP_FOR
 * @HCA_CMD_LINK_GET: dump only, without attributes: all cables, each once. Answers with all of
 *	&enum hca_nl_link.
 *
 * @HCA_CMD_DEVICE_SET: change what a device says of itself. Takes NAME and SYSTEM_IMAGE_GUID, both
 *                      of
 *	them, and TYPE. Subnet managers are told of it, by trap 145.
 *	ENODEV  there is no such device, or it is not of the TYPE that is given
 *	EINVAL  the GUID is not as it must be
 *
 * A dump of several messages during which something was made or unplugged is marked with
 * NLM_F_DUMP_INTR; ask again.
 */
enum hca_command {
	HCA_CMD_UNSPEC,
	HCA_CMD_DEVICE_ADD,
	HCA_CMD_DEVICE_DEL,
	HCA_CMD_DEVICE_GET,
	HCA_CMD_LINK_ADD,
	HCA_CMD_LINK_DEL,
	HCA_CMD_LINK_GET,
	HCA_CMD_LINK_SET,
	HCA_CMD_DEVICE_SET,

	__HCA_CMD_AFTER_LAST,
	HCA_CMD_MAX = __HCA_CMD_AFTER_LAST - 1,
};

/*
 * @HCA_NL_DEVICE_NAME: string of 1 to 63 octets, unique among devices of all types; of an RDMA
 *	device, the name that the RDMA core knows. To add: printable ASCII without space, '/'
 *	and '%'; not "." nor "..". The core renames on request and asks nobody: where that makes
 *	two names the same, a switch or bare adapter goes before an RDMA device.
 * @HCA_NL_DEVICE_PORTS: u32, number of ports, 1 to 4; of a switch or a bare adapter, 1 to 254.
 *	Port 0 of a switch does not count.
 * @HCA_NL_DEVICE_GUID: u64, GUID of the node; port n has GUID + n, but
 *	all ports of a switch have its own. Not 0, and neither it nor a port's has the group bit
 *	(bit 56). No two devices share one (V3-073).
 * @HCA_NL_DEVICE_DESCRIPTION: string of at most 64 octets, the NodeDescription. To add, host name
 *                             and
 *	NAME with a space between if not there
 * @HCA_NL_DEVICE_DRIVER_VERSION: string, the version of hca.ko
 * @HCA_NL_DEVICE_PORT: nest, one for each port, in order, a switch's port 0 first;
 *	&enum hca_nl_port
 * @HCA_NL_DEVICE_OBJECT: nest, one for each type of object, of an RDMA device only;
 *	&enum hca_nl_object
 * @HCA_NL_DEVICE_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_DEVICE_TYPE: u32, &enum hca_nl_type. To add, TYPE_DEVICE if not there; of other commands,
 *	any
 * @HCA_NL_DEVICE_ENHANCED: flag, port 0 of the switch is an enhanced one
 * @HCA_NL_DEVICE_SYSTEM_IMAGE_GUID: u64, GUID of the system that the node is part of, the same for
 *                                   all its
 *	parts. Neither 0 nor with the group bit. To add, GUID if not there
 * @HCA_NL_DEVICE_RANDOM: flag, the switch has a random forwarding table instead of the linear one
 * @HCA_NL_DEVICE_LED: flag, a manager has switched on the node's light (LedInfo); in answers only
 */
enum hca_nl_device {
	HCA_NL_DEVICE_UNSPEC,
	HCA_NL_DEVICE_NAME,
	HCA_NL_DEVICE_PORTS,
	HCA_NL_DEVICE_GUID,
	HCA_NL_DEVICE_DESCRIPTION,
	HCA_NL_DEVICE_DRIVER_VERSION,
	HCA_NL_DEVICE_PORT,
	HCA_NL_DEVICE_OBJECT,
	HCA_NL_DEVICE_PAD,
	HCA_NL_DEVICE_TYPE,
	HCA_NL_DEVICE_ENHANCED,
	HCA_NL_DEVICE_SYSTEM_IMAGE_GUID,
	HCA_NL_DEVICE_LED,
	HCA_NL_DEVICE_RANDOM,

	__HCA_NL_DEVICE_AFTER_LAST,
	HCA_NL_DEVICE_MAX = __HCA_NL_DEVICE_AFTER_LAST - 1,
};

/*
 * What kind of node it is.
 *
 * @HCA_NL_TYPE_DEVICE: a channel adapter with verbs, known to the RDMA core
 * @HCA_NL_TYPE_SWITCH: a switch
 * @HCA_NL_TYPE_TCA: a bare adapter, which answers management and moves no data
 */
enum hca_nl_type {
	HCA_NL_TYPE_DEVICE,
	HCA_NL_TYPE_SWITCH,
	HCA_NL_TYPE_TCA,

	__HCA_NL_TYPE_AFTER_LAST,
	HCA_NL_TYPE_MAX = __HCA_NL_TYPE_AFTER_LAST - 1,
};

/*
 * States, LIDs and MTU are those of PortInfo (C4-238), as a subnet manager sets them.
 *
 * @HCA_NL_PORT_NUMBER: u32, from 1; 0 is a switch's own port, inside of it
 * @HCA_NL_PORT_GUID: u64, the first of GUIDInfo
 * @HCA_NL_PORT_STATE: u32, PortInfo:PortState (1 Down, 2 Initialize, 3 Armed, 4 Active; and
 *	5 ActDefer, Active but for its physical layer, which is in recovery)
 * @HCA_NL_PORT_PHYS_STATE: u32, PortInfo:PortPhysicalState (1 Sleep, 2 Polling, 3 Disabled,
 *	4 PortConfigurationTraining, 5 LinkUp, 6 LinkErrorRecovery)
 * @HCA_NL_PORT_LID: u32, base LID; 0 until a subnet manager gives one
 * @HCA_NL_PORT_LMC: u32, the port has 2^LMC LIDs
 * @HCA_NL_PORT_SM_LID: u32, LID of the subnet manager; 0 when there is none
 * @HCA_NL_PORT_MTU: u32, octets, the MTU at work on the link
 * @HCA_NL_PORT_PEER_DEVICE: string, the device at the other end; only when there is a cable
 * @HCA_NL_PORT_PEER_PORT: u32, its port; only when there is a cable
 * @HCA_NL_PORT_PAD: as above
 * @HCA_NL_PORT_FAULT: nest, &enum hca_nl_fault; what becomes of packets that the port sends to its
 *	peer. Only when there are faults
 * @HCA_NL_PORT_NETWORK: nest, &enum hca_nl_network; the link through another network. Only when
 *                       there
 *	is one
 * @HCA_NL_PORT_SHAPE: nest, &enum hca_nl_shape; how they get there. Only when there is a shape
 * @HCA_NL_PORT_SUPPORTED: nest, &enum hca_nl_rate; what the port is built for
 * @HCA_NL_PORT_ENABLED: the same, what it may train to
 * @HCA_NL_PORT_ACTIVE: the same, what it has trained to; only when it is not Down
 */
enum hca_nl_port {
	HCA_NL_PORT_UNSPEC,
	HCA_NL_PORT_NUMBER,
	HCA_NL_PORT_GUID,
	HCA_NL_PORT_STATE,
	HCA_NL_PORT_PHYS_STATE,
	HCA_NL_PORT_LID,
	HCA_NL_PORT_LMC,
	HCA_NL_PORT_SM_LID,
	HCA_NL_PORT_MTU,
	HCA_NL_PORT_PEER_DEVICE,
	HCA_NL_PORT_PEER_PORT,
	HCA_NL_PORT_PAD,
	HCA_NL_PORT_FAULT,
	HCA_NL_PORT_NETWORK,
	HCA_NL_PORT_SHAPE,
	HCA_NL_PORT_SUPPORTED,
	HCA_NL_PORT_ENABLED,
	HCA_NL_PORT_ACTIVE,

	__HCA_NL_PORT_AFTER_LAST,
	HCA_NL_PORT_MAX = __HCA_NL_PORT_AFTER_LAST - 1,
};

/*
 * @HCA_NL_OBJECT_TYPE: string: context, pd, ah, cq, mr, qp, doorbell; there may come more
 * @HCA_NL_OBJECT_COUNT: u32, how many are alive, the kernel's own included
 */
enum hca_nl_object {
	HCA_NL_OBJECT_UNSPEC,
	HCA_NL_OBJECT_TYPE,
	HCA_NL_OBJECT_COUNT,

	__HCA_NL_OBJECT_AFTER_LAST,
	HCA_NL_OBJECT_MAX = __HCA_NL_OBJECT_AFTER_LAST - 1,
};

/*
 * A cable has two ends, A and B; neither is the first.
 *
 * @HCA_NL_LINK_DEVICE_A: string of 1 to 63 octets
 * @HCA_NL_LINK_PORT_A: u32, from 1
 * @HCA_NL_LINK_DEVICE_B: as DEVICE_A
 * @HCA_NL_LINK_PORT_B: as PORT_A
 * @HCA_NL_LINK_FAULT_A: nest, &enum hca_nl_fault; what becomes of packets from A to B. Answers have
 *	it only when there are faults
 * @HCA_NL_LINK_FAULT_B: the same from B to A
 * @HCA_NL_LINK_NETWORK: nest, &enum hca_nl_network; what there is instead of B where the link leads
 *	through another network
 * @HCA_NL_LINK_SHAPE_A: nest, &enum hca_nl_shape; how packets get from A to B. Answers have it only
 *	when there is a shape
 * @HCA_NL_LINK_SHAPE_B: the same from B to A
 * @HCA_NL_LINK_SUPPORTED_A: nest, &enum hca_nl_rate; what port A is built for. Only to set
 * @HCA_NL_LINK_SUPPORTED_B: the same of port B
 * @HCA_NL_LINK_ENABLED_A: nest, &enum hca_nl_rate; what port A may train to; in answers only, as
 *                         those
 *	below
 * @HCA_NL_LINK_ENABLED_B: the same of port B
 * @HCA_NL_LINK_ACTIVE: nest, &enum hca_nl_rate; what both have trained to; only when the link is up
 */
enum hca_nl_link {
	HCA_NL_LINK_UNSPEC,
	HCA_NL_LINK_DEVICE_A,
	HCA_NL_LINK_PORT_A,
	HCA_NL_LINK_DEVICE_B,
	HCA_NL_LINK_PORT_B,
	HCA_NL_LINK_FAULT_A,
	HCA_NL_LINK_FAULT_B,
	HCA_NL_LINK_NETWORK,
	HCA_NL_LINK_SHAPE_A,
	HCA_NL_LINK_SHAPE_B,
	HCA_NL_LINK_SUPPORTED_A,
	HCA_NL_LINK_SUPPORTED_B,
	HCA_NL_LINK_ENABLED_A,
	HCA_NL_LINK_ENABLED_B,
	HCA_NL_LINK_ACTIVE,

	__HCA_NL_LINK_AFTER_LAST,
	HCA_NL_LINK_MAX = __HCA_NL_LINK_AFTER_LAST - 1,
};

/*
 * A link through another network. To add: KIND, of KIND_UDP LOCAL or REMOTE, of KIND_ETHER
 * INTERFACE. What is marked A is in answers only.
 *
 * @HCA_NL_NETWORK_KIND: u32, &enum hca_nl_network_kind
 * @HCA_NL_NETWORK_LOCAL: u32, 1 to 65535, the UDP port at this end; if not there, the kernel takes
 *                        one
 * @HCA_NL_NETWORK_REMOTE: struct sockaddr_in or sockaddr_in6, where the other end is; if not there,
 *                         the
 *	first one that comes is taken
 * @HCA_NL_NETWORK_INTERFACE: string of 1 to 15 octets, of KIND_ETHER: the network interface
 * @HCA_NL_NETWORK_PEER: 6 octets, of KIND_ETHER: the address of the other end; as REMOTE
 * @HCA_NL_NETWORK_KEY: 16 to 64 octets; frames are authenticated by it, and both ends have it.
 *                      Never in
 *	answers
 * @HCA_NL_NETWORK_KEY_NAME: string of at most 255 octets: what user space calls the key; kept for
 *	answers. Needs KEY
 * @HCA_NL_NETWORK_NETNS: to add: s32, a file descriptor of the network namespace; the caller's own
 *                        if
 *	not there. In answers: u32, the number of the namespace's inode, unless it is the initial one
 * @HCA_NL_NETWORK_MTU: u32, 256, 512, 1024, 2048 or 4096: no larger MTU is offered, whatever the
 *                      path
 *	carries; 4096 if not there
 * @HCA_NL_NETWORK_UP: A: flag, both ends have found each other and want the link
 * @HCA_NL_NETWORK_PEER_PORT: A: nest, &enum hca_nl_peer; who has been found
 * @HCA_NL_NETWORK_REFUSED: A: u32, &enum hca_nl_refusal: REMOTE or PEER does not want us
 * @HCA_NL_NETWORK_REJECTED: A: u64, how often others have been refused
 * @HCA_NL_NETWORK_FORGED: A: u64, how many frames were dropped since their tag was not of our KEY
 * @HCA_NL_NETWORK_REPLAYED: A: u64, how many since they had come before, or came far too late
 * @HCA_NL_NETWORK_PAD: as above
 * @HCA_NL_NETWORK_MALFORMED: A: u64, how many since they were no frames of this protocol: too long
 *                            or too
 *	short, with something behind them, or segments that fit no packet or had come before
 * @HCA_NL_NETWORK_INCOMPLETE: A: u64, how many packets were given up since some of their segments
 *                             had not come
 */
enum hca_nl_network {
	HCA_NL_NETWORK_UNSPEC,
	HCA_NL_NETWORK_KIND,
	HCA_NL_NETWORK_LOCAL,
	HCA_NL_NETWORK_REMOTE,
	HCA_NL_NETWORK_INTERFACE,
	HCA_NL_NETWORK_PEER,
	HCA_NL_NETWORK_KEY,
	HCA_NL_NETWORK_KEY_NAME,
	HCA_NL_NETWORK_NETNS,
	HCA_NL_NETWORK_UP,
	HCA_NL_NETWORK_PEER_PORT,
	HCA_NL_NETWORK_REFUSED,
	HCA_NL_NETWORK_REJECTED,
	HCA_NL_NETWORK_FORGED,
	HCA_NL_NETWORK_REPLAYED,
	HCA_NL_NETWORK_PAD,
	HCA_NL_NETWORK_MTU,
	HCA_NL_NETWORK_MALFORMED,
	HCA_NL_NETWORK_INCOMPLETE,

	__HCA_NL_NETWORK_AFTER_LAST,
	HCA_NL_NETWORK_MAX = __HCA_NL_NETWORK_AFTER_LAST - 1,
};

/*
 * @HCA_NL_NETWORK_KIND_UDP: UDP over IPv4 or IPv6
 * @HCA_NL_NETWORK_KIND_ETHER: Ethernet, frames of EtherType 0x88b5
 */
enum hca_nl_network_kind {
	HCA_NL_NETWORK_KIND_UDP,
	HCA_NL_NETWORK_KIND_ETHER,

	__HCA_NL_NETWORK_KIND_AFTER_LAST,
	HCA_NL_NETWORK_KIND_MAX = __HCA_NL_NETWORK_KIND_AFTER_LAST - 1,
};

/*
 * The port at the other end, as it says.
 *
 * @HCA_NL_PEER_ADDRESS: as HCA_NL_NETWORK_REMOTE or HCA_NL_NETWORK_PEER
 * @HCA_NL_PEER_NAME: string of at most 32 octets, how its node's description begins
 * @HCA_NL_PEER_GUID: u64, of the node
 * @HCA_NL_PEER_PORT: u32
 * @HCA_NL_PEER_PAD: as above
 */
enum hca_nl_peer {
	HCA_NL_PEER_UNSPEC,
	HCA_NL_PEER_ADDRESS,
	HCA_NL_PEER_NAME,
	HCA_NL_PEER_GUID,
	HCA_NL_PEER_PORT,
	HCA_NL_PEER_PAD,

	__HCA_NL_PEER_AFTER_LAST,
	HCA_NL_PEER_MAX = __HCA_NL_PEER_AFTER_LAST - 1,
};

/*
 * Why the other end does not want us.
 *
 * @HCA_NL_REFUSAL_VERSION: it does not speak this version of the protocol
 * @HCA_NL_REJECT_BUSY: it has a partner
 * @HCA_NL_REJECT_NOT_PEER: it is told to be somebody else's
 * @HCA_NL_REFUSAL_SELF: it is the same port
 */
enum hca_nl_refusal {
	HCA_NL_REFUSAL_NOT,
	HCA_NL_REFUSAL_VERSION,
	HCA_NL_REJECT_BUSY,
	HCA_NL_REJECT_NOT_PEER,
	HCA_NL_REFUSAL_SELF,

	__HCA_NL_REFUSAL_AFTER_LAST,
	HCA_NL_REFUSAL_MAX = __HCA_NL_REFUSAL_AFTER_LAST - 1,
};

/*
 * Faults of one direction of a cable. Probabilities are u32: n of 2^32, but 2^32 - 1 is
 * certainty. A packet suffers one fault at most, and they are tried in the order below; the
 * same packets in the same order suffer the same with the same seed.
 *
 * @HCA_NL_FAULT_DROP: u32, probability that a packet is lost; 0 if not there
 * @HCA_NL_FAULT_CORRUPT: u32, that one bit of it is inverted. The receiver finds its CRCs wrong,
 *	drops it and counts it in PortRcvErrors
 * @HCA_NL_FAULT_DUPLICATE: u32, that it arrives twice
 * @HCA_NL_FAULT_OPCODE: string of 1 to 47 octets: only packets of the opcode that is called so, as
 *	in "RC SEND Only"; or, if none is, of those whose names begin so. "smp": those on VL15;
 *	"data": those that are not; "flow": flow-control packets. Case does not matter, and '-'
 *	may stand for a space; answers have small letters and '-'. All packets but flow-control
 *	packets if not there
 * @HCA_NL_FAULT_PSN: u32, only packets of this PSN, 0 to 2^24 - 1; all if not there
 * @HCA_NL_FAULT_SEED: u32; to set, a random one if not there
 * @HCA_NL_FAULT_DROPPED: u64, how many have been lost; in answers only, as those below
 * @HCA_NL_FAULT_CORRUPTED: u64
 * @HCA_NL_FAULT_DUPLICATED: u64
 * @HCA_NL_FAULT_PAD: as above
 * @HCA_NL_FAULT_DRAIN_VL: u32, data VL, 0 to 14, that drains slowly: the receiver gives its credits
 *	back at a rate; with DRAIN. Other VLs and all of the above are as without
 * @HCA_NL_FAULT_DRAIN: u32, the rate in Mb/s, at least 1
 */
enum hca_nl_fault {
	HCA_NL_FAULT_UNSPEC,
	HCA_NL_FAULT_DROP,
	HCA_NL_FAULT_CORRUPT,
	HCA_NL_FAULT_DUPLICATE,
	HCA_NL_FAULT_OPCODE,
	HCA_NL_FAULT_PSN,
	HCA_NL_FAULT_SEED,
	HCA_NL_FAULT_DROPPED,
	HCA_NL_FAULT_CORRUPTED,
	HCA_NL_FAULT_DUPLICATED,
	HCA_NL_FAULT_PAD,
	HCA_NL_FAULT_DRAIN_VL,
	HCA_NL_FAULT_DRAIN,

	__HCA_NL_FAULT_AFTER_LAST,
	HCA_NL_FAULT_MAX = __HCA_NL_FAULT_AFTER_LAST - 1,
};

/*
 * The shape of one direction of a cable: how much it carries, how long that takes, and whether it
 * holds. What is not there is 0.
 *
 * @HCA_NL_SHAPE_RATE: u32, Mb/s of packets; 2^32 - 1: what width and speed at work make; 0: no
 *                     limit
 * @HCA_NL_SHAPE_DELAY: u64, ns that a packet is under way, up to 10 s
 * @HCA_NL_SHAPE_JITTER: u64, ns that it may be more or less, by chance, up to 10 s; packets keep
 *                       their
 *	order
 * @HCA_NL_SHAPE_REORDER: u32, probability, as of &enum hca_nl_fault, that a packet is up to 200 us
 *                        late
 *	and overtaken by those behind it
 * @HCA_NL_SHAPE_FLAP_EVERY: u64, ns from one loss of the signal to the next, up to a day; 0: never
 * @HCA_NL_SHAPE_FLAP_FOR: u64, ns that the signal is gone each time. Active ports bear 9 ms of it
 * @HCA_NL_SHAPE_REORDERED: u64, how many packets have been late; in answers only, as that below
 * @HCA_NL_SHAPE_FLAPPED: u64, how often the signal was lost
 * @HCA_NL_SHAPE_PAD: as above
 * @HCA_NL_SHAPE_SEED: u32, of jitter and of what is late: the same packets in the same order take
 *                     as
 *	long with the same seed; to set, a random one if not there
 */
enum hca_nl_shape {
	HCA_NL_SHAPE_UNSPEC,
	HCA_NL_SHAPE_RATE,
	HCA_NL_SHAPE_DELAY,
	HCA_NL_SHAPE_JITTER,
	HCA_NL_SHAPE_REORDER,
	HCA_NL_SHAPE_FLAP_EVERY,
	HCA_NL_SHAPE_FLAP_FOR,
	HCA_NL_SHAPE_REORDERED,
	HCA_NL_SHAPE_FLAPPED,
	HCA_NL_SHAPE_PAD,
	HCA_NL_SHAPE_SEED,

	__HCA_NL_SHAPE_AFTER_LAST,
	HCA_NL_SHAPE_MAX = __HCA_NL_SHAPE_AFTER_LAST - 1,
};

/*
 * Lanes and their speed, a bit for each that there may be; those of PortInfo. To set, all three.
 *
 * @HCA_NL_RATE_WIDTH: u32, LinkWidth: 1 1x, 2 4x, 4 8x, 8 12x, 16 2x
 * @HCA_NL_RATE_SPEED: u32, LinkSpeed: 1 SDR, 2 DDR, 4 QDR
 * @HCA_NL_RATE_SPEED_EXT: u32, LinkSpeedExt: 1 FDR, 2 EDR, 4 HDR, 8 NDR; may be 0
 */
enum hca_nl_rate {
	HCA_NL_RATE_UNSPEC,
	HCA_NL_RATE_WIDTH,
	HCA_NL_RATE_SPEED,
	HCA_NL_RATE_SPEED_EXT,

	__HCA_NL_RATE_AFTER_LAST,
	HCA_NL_RATE_MAX = __HCA_NL_RATE_AFTER_LAST - 1,
};

#endif
