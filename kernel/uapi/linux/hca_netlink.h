/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * The generic netlink family "hca": channel adapters, switches and the cables between them.
 *
 * All nodes with ports are called devices here, whatever their TYPE is.
 *
 * Numbers are in host byte order. A GUID is a number as well: its first octet on the wire is in
 * bits 63 to 56.
 *
 * Commands that change something require CAP_NET_ADMIN in the initial user namespace; commands that
 * read require no capability. The family exists in the initial network namespace only; in others it
 * is not found (ENOENT). Commands sleep and are executed one at a time. Each succeeds as a whole or
 * changes nothing; the reply is sent when it is finished.
 *
 * An error has an extended acknowledgement with a message (NLMSGERR_ATTR_MSG) and, if an attribute
 * is wrong, its offset (NLMSGERR_ATTR_OFFS). Errors of all commands:
 *   EPERM   the sender lacks CAP_NET_ADMIN
 *   EINVAL  an attribute is missing, is not one of the command's, has the wrong type or is too long
 *   ERANGE  a number is out of range
 *   ENOMEM
 */
#ifndef _UAPI_LINUX_HCA_NETLINK_H
#define _UAPI_LINUX_HCA_NETLINK_H

#define HCA_GENL_NAME "hca"
#define HCA_GENL_VERSION 1

/*
 * The commands. Attributes are named without the prefix of their enum.
 *
 * @HCA_CMD_DEVICE_ADD: create a device, whose ports are Down. NAME, PORTS and GUID are required;
 *	TYPE, DESCRIPTION and SYSTEM_IMAGE_GUID are optional, and for a switch also ENHANCED and
 *	RANDOM.
 *	EINVAL  NAME or a GUID is not allowed (&enum hca_nl_device); ENHANCED or RANDOM is given,
 *		and the device is no switch
 *	EEXIST  a device of this name, or with one of these GUIDs, exists; or, for TYPE_DEVICE, an
 *		RDMA device of another driver has this name
 *	or an error of the RDMA core
 * @HCA_CMD_DEVICE_DEL: remove the links of a device and delete it. NAME is required, TYPE optional.
 *	The command waits until verbs calls and packets in progress have finished. It does not wait
 *	for programs that use the device: these receive the event IB_EVENT_DEVICE_FATAL.
 *	ENODEV  there is no such device, or it is not of the given TYPE
 * @HCA_CMD_DEVICE_GET: do: query one device; NAME is required, TYPE optional; the reply is one
 *	message. Dump, without attributes: query all devices, in the order in which they were
 *	created. A device with more ports than fit into a message is continued in the next:
 *	consecutive messages with the same GUID describe one device, and only their PORTs and
 *	OBJECTs add up. A message has all attributes of &enum hca_nl_device. The reply about a
 *	switch of many ports can be longer than 128 KiB: the socket needs a receive buffer of at
 *	least 256 KiB, or the reply is lost (ENOBUFS).
 *	ENODEV  there is no such device, or it is not of the given TYPE
 * @HCA_CMD_LINK_ADD: connect two ports by a cable. Both go to Initialize if they are enabled.
 *	DEVICE_A and DEVICE_B are required, and PORT_A and PORT_B for devices of more than one port.
 *	The ports may belong to the same device. SUPPORTED_A and SUPPORTED_B set the widths and
 *	speeds that the ports support before link training.
 *	ENODEV  there is no such device
 *	EINVAL  the device has no such port, or several ports and none is given; the port is port 0
 *		of a switch, which has no link; A and B are the same port
 *	EBUSY   one of the ports has a cable or a link over a network
 *	With NETWORK in place of DEVICE_B and PORT_B: add a link over a network to a port of another
 *	kernel. Port A goes to Initialize when the other end is found and both ends are enabled, and
 *	to Down when the other end is lost. It looks for the other end until the link is removed.
 *	The link is removed with its device and with the network namespace.
 *	EINVAL  the key is too short; the interface is not Ethernet
 *	EBUSY   port A has a cable or a link over a network; the interface has a link
 *	EADDRINUSE  another socket has the UDP port
 *	ENODEV  there is no such interface
 *	EBADF   NETNS is no network namespace
 *	EOPNOTSUPP  KEY is given, and the kernel lacks hmac(sha256)
 * @HCA_CMD_LINK_DEL: remove the cable or the link over a network of port A; its ports go to Down,
 *	and packets in flight are lost. DEVICE_A is required, and PORT_A for a device of more than
 *	one port. With DEVICE_B (and PORT_B) the cable is removed only if it leads to port B.
 *	ENODEV  there is no such device
 *	EINVAL  the device has no such port, or several ports and none is given
 *	ENOTCONN  port A has no link, or it does not lead to port B
 *	EOPNOTSUPP  the link is one over a network, and DEVICE_B is given
 * @HCA_CMD_LINK_SET: set faults and shapes of a link. DEVICE_A is required, and PORT_A for a device
 *	of more than one port; DEVICE_B and PORT_B are optional. Each of FAULT_A, FAULT_B, SHAPE_A
 *	and SHAPE_B replaces the fault or the shape of one direction, or removes it if the nest is
 *	empty; those that are not given stay unchanged. Counts start at 0 and the random sequence at
 *	its seed. Faults and shapes are removed with the link. SUPPORTED_A and SUPPORTED_B set the
 *	widths and speeds that the ports support; these stay with the port, and the link is trained
 *	anew.
 *	ENODEV  there is no such device
 *	EINVAL  the device has no such port, or several ports and none is given
 *	ENOTCONN  port A has no link, or it does not lead to port B
 *	EOPNOTSUPP  the link is one over a network, and DEVICE_B, FAULT_B, SHAPE_B, SUPPORTED_B,
 *		SLOW_VL_RATE, DELAY, JITTER or REORDER is given
 *	EINVAL  no opcode has the name; nothing is to be set; a FAULT has none of DROP, CORRUPT,
 *		DUPLICATE and SLOW_VL_RATE; one of SLOW_VL and SLOW_VL_RATE is missing;
 *		FLAP_EVERY is not larger than FLAP_FOR
 * @HCA_CMD_LINK_GET: dump only, without attributes: query all links, each once. A message has all
 *	attributes of &enum hca_nl_link.
 *
 * @HCA_CMD_DEVICE_SET: change the SystemImageGUID of a device. NAME and SYSTEM_IMAGE_GUID are
 *	required, TYPE is optional. Subnet managers are notified by trap 145.
 *	ENODEV  there is no such device, or it is not of the given TYPE
 *	EINVAL  the GUID is not allowed
 *
 * If devices or links are added or removed during a dump of several messages, the dump is marked
 * with NLM_F_DUMP_INTR and should be repeated.
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
 * A device.
 *
 * @HCA_NL_DEVICE_NAME: string of 1 to 63 octets, unique among devices of all types; of an RDMA
 *	device, its name in the RDMA core. A new name must be printable ASCII without space, '/' and
 *	'%', and neither "." nor "..". The RDMA core may rename a device to a name that another TYPE
 *	has: commands then find the switch or TCA, not the RDMA device
 * @HCA_NL_DEVICE_PORTS: u32, number of ports: 1 to 4; of a switch or a TCA, 1 to 254. Port 0 of a
 *	switch is not counted
 * @HCA_NL_DEVICE_GUID: u64, GUID of the node. Port n has GUID + n, but all ports of a switch share
 *	the node's. No GUID may be 0 or have the group bit (bit 56), and no two devices may share
 *	one (req V3-073)
 * @HCA_NL_DEVICE_DESCRIPTION: string of at most 64 octets, the NodeDescription; by default host
 *	name and NAME with a space between them
 * @HCA_NL_DEVICE_DRIVER_VERSION: string, the version of hca.ko
 * @HCA_NL_DEVICE_PORT: nest, &enum hca_nl_port; one for each port in order, port 0 of a switch
 *	first
 * @HCA_NL_DEVICE_OBJECT: nest, &enum hca_nl_object; one for each type of object; RDMA devices only
 * @HCA_NL_DEVICE_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_DEVICE_TYPE: u32, &enum hca_nl_type. The default is TYPE_DEVICE for HCA_CMD_DEVICE_ADD
 *	and any type for other commands
 * @HCA_NL_DEVICE_ENHANCED: flag, port 0 of the switch is an enhanced one
 * @HCA_NL_DEVICE_SYSTEM_IMAGE_GUID: u64, SystemImageGUID: GUID of the system of which the node is a
 *	part, shared by all its parts. It may not be 0 or have the group bit; the default is GUID
 * @HCA_NL_DEVICE_RANDOM: flag, the switch has a RandomForwardingTable instead of a
 *	LinearForwardingTable
 * @HCA_NL_DEVICE_LED: flag, a subnet manager has switched on the LED of the node (LedInfo); in
 *	replies only
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
 * The kind of node of a device.
 *
 * @HCA_NL_TYPE_DEVICE: a channel adapter with verbs, known to the RDMA core
 * @HCA_NL_TYPE_SWITCH: a switch
 * @HCA_NL_TYPE_TCA: a target channel adapter without verbs, which answers management packets and
 *	transfers no data
 */
enum hca_nl_type {
	HCA_NL_TYPE_DEVICE,
	HCA_NL_TYPE_SWITCH,
	HCA_NL_TYPE_TCA,

	__HCA_NL_TYPE_AFTER_LAST,
	HCA_NL_TYPE_MAX = __HCA_NL_TYPE_AFTER_LAST - 1,
};

/*
 * A port. States, LIDs and MTU are those of PortInfo (req C4-238), as a subnet manager sets them.
 *
 * @HCA_NL_PORT_NUMBER: u32, from 1; 0: the management port of a switch
 * @HCA_NL_PORT_GUID: u64, the first of GUIDInfo
 * @HCA_NL_PORT_STATE: u32, PortInfo:PortState (1 Down, 2 Initialize, 3 Armed, 4 Active; and
 *	5 ActiveDefer: Active while the physical layer is in LinkErrorRecovery)
 * @HCA_NL_PORT_PHYS_STATE: u32, PortInfo:PortPhysicalState (1 Sleep, 2 Polling, 3 Disabled,
 *	4 PortConfigurationTraining, 5 LinkUp, 6 LinkErrorRecovery)
 * @HCA_NL_PORT_LID: u32, base LID; 0 until a subnet manager assigns one
 * @HCA_NL_PORT_LMC: u32, the port has 2^LMC LIDs
 * @HCA_NL_PORT_SM_LID: u32, LID of the subnet manager; 0 if there is none
 * @HCA_NL_PORT_MTU: u32, NeighborMTU of the link, octets
 * @HCA_NL_PORT_PEER_DEVICE: string, the device at the other end; only if there is a cable
 * @HCA_NL_PORT_PEER_PORT: u32, number of the port at the other end; only if there is a cable
 * @HCA_NL_PORT_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_PORT_FAULT: nest, &enum hca_nl_fault; faults of packets that the port sends; only if
 *	there are faults
 * @HCA_NL_PORT_NETWORK: nest, &enum hca_nl_network; the link over a network; only if there is one
 * @HCA_NL_PORT_SHAPE: nest, &enum hca_nl_shape; shape of the direction in which the port sends;
 *	only if there is a shape
 * @HCA_NL_PORT_SUPPORTED: nest, &enum hca_nl_rate; widths and speeds that the port supports
 * @HCA_NL_PORT_ENABLED: nest, &enum hca_nl_rate; widths and speeds that are enabled
 * @HCA_NL_PORT_ACTIVE: nest, &enum hca_nl_rate; width and speed to which the link has trained; only
 *	if the port is not Down
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
 * The number of objects of one type.
 *
 * @HCA_NL_OBJECT_TYPE: string: context, pd, ah, cq, mr, qp, doorbell and others
 * @HCA_NL_OBJECT_COUNT: u32, number of objects that exist, those of the kernel included
 */
enum hca_nl_object {
	HCA_NL_OBJECT_UNSPEC,
	HCA_NL_OBJECT_TYPE,
	HCA_NL_OBJECT_COUNT,

	__HCA_NL_OBJECT_AFTER_LAST,
	HCA_NL_OBJECT_MAX = __HCA_NL_OBJECT_AFTER_LAST - 1,
};

/*
 * A link. A cable has two ends, A and B; their order has no meaning.
 *
 * @HCA_NL_LINK_DEVICE_A: string of 1 to 63 octets
 * @HCA_NL_LINK_PORT_A: u32, from 1
 * @HCA_NL_LINK_DEVICE_B: string of 1 to 63 octets
 * @HCA_NL_LINK_PORT_B: u32, from 1
 * @HCA_NL_LINK_FAULT_A: nest, &enum hca_nl_fault; faults of packets from A to B; in replies only if
 *	there are faults
 * @HCA_NL_LINK_FAULT_B: nest, &enum hca_nl_fault; faults of packets from B to A; in replies only if
 *	there are faults
 * @HCA_NL_LINK_NETWORK: nest, &enum hca_nl_network; takes the place of DEVICE_B and PORT_B in a
 *	link over a network
 * @HCA_NL_LINK_SHAPE_A: nest, &enum hca_nl_shape; shape of the direction from A to B; in replies
 *	only if there is a shape
 * @HCA_NL_LINK_SHAPE_B: nest, &enum hca_nl_shape; shape of the direction from B to A; in replies
 *	only if there is a shape
 * @HCA_NL_LINK_SUPPORTED_A: nest, &enum hca_nl_rate; widths and speeds that port A supports; in
 *	commands only
 * @HCA_NL_LINK_SUPPORTED_B: nest, &enum hca_nl_rate; widths and speeds that port B supports; in
 *	commands only
 * @HCA_NL_LINK_ENABLED_A: nest, &enum hca_nl_rate; widths and speeds enabled at port A; in replies
 *	only
 * @HCA_NL_LINK_ENABLED_B: nest, &enum hca_nl_rate; widths and speeds enabled at port B; in replies
 *	only
 * @HCA_NL_LINK_ACTIVE: nest, &enum hca_nl_rate; width and speed to which the link has trained; in
 *	replies only, if the link is up
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
 * A link over a network. To add one: KIND; for KIND_UDP also LOCAL or REMOTE or both; for
 * KIND_ETHER also INTERFACE. Attributes that are said to be in replies only may not be given.
 *
 * @HCA_NL_NETWORK_KIND: u32, &enum hca_nl_network_kind
 * @HCA_NL_NETWORK_LOCAL: u32, 1 to 65535, KIND_UDP: UDP port at this end; by default a free one
 * @HCA_NL_NETWORK_REMOTE: struct sockaddr_in or sockaddr_in6, KIND_UDP: address of the other end;
 *	by default the first peer that sends a Hello is accepted
 * @HCA_NL_NETWORK_INTERFACE: string of 1 to 15 octets, KIND_ETHER: name of the network interface
 * @HCA_NL_NETWORK_PEER: 6 octets, KIND_ETHER: MAC address of the other end; by default the first
 *	peer that sends a Hello is accepted
 * @HCA_NL_NETWORK_KEY: 16 to 64 octets: the key that authenticates frames, which both ends share;
 *	by default frames are not authenticated. In commands only
 * @HCA_NL_NETWORK_KEY_NAME: string of at most 255 octets: name of the key in user space, returned
 *	in replies; needs KEY
 * @HCA_NL_NETWORK_NETNS: in commands: s32, file descriptor of the network namespace, by default the
 *	caller's; in replies: u32, inode number of the namespace, unless that is the initial one
 * @HCA_NL_NETWORK_MTU: u32, 256, 512, 1024, 2048 or 4096 (default): the largest MTU that the link
 *	may use, whatever the path carries
 * @HCA_NL_NETWORK_UP: flag, both ends have found each other and are enabled; in replies only
 * @HCA_NL_NETWORK_PEER_PORT: nest, &enum hca_nl_peer; the peer, if it has been found; in replies
 *	only
 * @HCA_NL_NETWORK_REFUSED: u32, &enum hca_nl_refusal: why the end at REMOTE or PEER rejects this
 *	one; in replies only
 * @HCA_NL_NETWORK_REJECTED: u64, Hellos of other ends that were rejected; in replies only
 * @HCA_NL_NETWORK_FORGED: u64, frames dropped because their tag does not fit KEY; in replies only
 * @HCA_NL_NETWORK_REPLAYED: u64, frames dropped because they had been received before or were older
 *	than the replay window; in replies only
 * @HCA_NL_NETWORK_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_NETWORK_MALFORMED: u64, frames dropped because they are not of this protocol (too long,
 *	too short or followed by other octets) or are segments that fit no packet or are duplicates;
 *	in replies only
 * @HCA_NL_NETWORK_INCOMPLETE: u64, packets abandoned because segments were missing; in replies only
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
 * The kind of network of a link.
 *
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
 * The port at the other end of a link over a network, as it describes itself.
 *
 * @HCA_NL_PEER_ADDRESS: its address, with the type of HCA_NL_NETWORK_REMOTE or HCA_NL_NETWORK_PEER
 * @HCA_NL_PEER_NAME: string of at most 32 octets, the beginning of its NodeDescription
 * @HCA_NL_PEER_GUID: u64, its node GUID
 * @HCA_NL_PEER_PORT: u32, its port number
 * @HCA_NL_PEER_PAD: aligns 64-bit numbers; to be skipped
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
 * Why the other end rejects this one.
 *
 * @HCA_NL_REFUSAL_NOT: it does not; never sent
 * @HCA_NL_REFUSAL_VERSION: it does not support this version of the protocol
 * @HCA_NL_REJECT_BUSY: it has another peer
 * @HCA_NL_REJECT_NOT_PEER: it is configured with another peer
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
 * Faults in one direction of a link. A probability is a u32 p that means p / 2^32; 2^32 - 1 means
 * certainty. At most one fault happens to a packet; they are tried in the order DROP, CORRUPT,
 * DUPLICATE. Equal sequences of packets have equal faults if the seeds are equal.
 *
 * @HCA_NL_FAULT_DROP: u32, probability that a packet is dropped; default 0
 * @HCA_NL_FAULT_CORRUPT: u32, probability that one bit of a packet is inverted; default 0. The
 *	receiver detects a wrong CRC, drops the packet and counts it in PortRcvErrors
 * @HCA_NL_FAULT_DUPLICATE: u32, probability that a packet is delivered twice; default 0
 * @HCA_NL_FAULT_OPCODE: string of 1 to 47 octets that selects packets: the name of an opcode, such
 *	as "RC SEND Only"; or the beginning of names, which selects all these opcodes; "smp" for
 *	packets on VL15; "data" for packets on other VLs; "flow" for flow-control packets. Case is
 *	ignored and '-' stands for a space; replies have small letters and '-'. By default all
 *	packets but flow-control packets are selected
 * @HCA_NL_FAULT_PSN: u32, 0 to 2^24 - 1: only packets with this PSN are selected; by default all
 *	are
 * @HCA_NL_FAULT_SEED: u32, seed of the random sequence; a random one by default
 * @HCA_NL_FAULT_DROPPED: u64, packets dropped; in replies only
 * @HCA_NL_FAULT_CORRUPTED: u64, packets corrupted; in replies only
 * @HCA_NL_FAULT_DUPLICATED: u64, packets duplicated; in replies only
 * @HCA_NL_FAULT_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_FAULT_SLOW_VL: u32, 0 to 14: a slow data VL, whose buffers the receiver frees, and so
 *	returns credits, at the rate SLOW_VL_RATE; needs SLOW_VL_RATE. Other VLs are not affected
 * @HCA_NL_FAULT_SLOW_VL_RATE: u32, rate of SLOW_VL, Mb/s, at least 1
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
	HCA_NL_FAULT_SLOW_VL,
	HCA_NL_FAULT_SLOW_VL_RATE,

	__HCA_NL_FAULT_AFTER_LAST,
	HCA_NL_FAULT_MAX = __HCA_NL_FAULT_AFTER_LAST - 1,
};

/*
 * The shape of one direction of a link: rate, delay, reordering, and interruptions of the signal
 * (flapping). The default of each attribute but SEED is 0.
 *
 * @HCA_NL_SHAPE_RATE: u32, rate of packets, Mb/s; 2^32 - 1: the rate of active width and speed; 0:
 *	no limit
 * @HCA_NL_SHAPE_DELAY: u64, delay of each packet, ns, up to 10 s
 * @HCA_NL_SHAPE_JITTER: u64, random deviation of the delay in both directions, ns, up to 10 s;
 *	packets keep their order
 * @HCA_NL_SHAPE_REORDER: u32, probability p / 2^32 that a packet is delayed by up to 200 us more,
 *	so that later packets overtake it; 2^32 - 1 means certainty
 * @HCA_NL_SHAPE_FLAP_EVERY: u64, period of interruptions of the signal, ns, up to a day; 0: none
 * @HCA_NL_SHAPE_FLAP_FOR: u64, duration of each interruption, ns. Active ports recover from those
 *	of up to 9 ms
 * @HCA_NL_SHAPE_REORDERED: u64, packets delayed by REORDER; in replies only
 * @HCA_NL_SHAPE_FLAPPED: u64, interruptions of the signal so far; in replies only
 * @HCA_NL_SHAPE_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_SHAPE_SEED: u32, seed of the random sequence of JITTER and REORDER: equal sequences of
 *	packets have equal delays if the seeds are equal; a random one by default
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
 * Link widths and speeds, as bitmaps with the values of PortInfo. A command gives all three.
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
