/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * The generic netlink family "hca", which manages channel adapters, switches and their links, and
 * RNICs.
 *
 * A device is a channel adapter with verbs, a switch, a TCA or an RNIC (&enum hca_nl_type).
 *
 * Numbers are in host byte order. A GUID is a number as well: its first octet on the wire is in
 * bits 63 to 56.
 *
 * Commands that change something require CAP_NET_ADMIN in the initial user namespace; commands that
 * read require no capability. The family exists in the initial network namespace only; in other
 * namespaces it is not found (ENOENT). Commands may sleep. All of them but HCA_CMD_DEVICE_ADD are
 * executed one at a time. A command succeeds as a whole or changes nothing; the reply is sent when
 * the command is finished.
 *
 * An error has an extended acknowledgment with a message (NLMSGERR_ATTR_MSG) and, if an attribute
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

/* Size of a bitmap with a bit for each of the 256 opcodes of the BTH, octets. */
#define HCA_NL_OPCODES_OCTETS 32

/*
 * The commands. Attributes are named without the prefix of their enum.
 *
 * @HCA_CMD_DEVICE_ADD: create a device, whose ports are Down. NAME, PORTS and GUID are required;
 *	TYPE, DESCRIPTION and SYSTEM_IMAGE_GUID are optional, and for a switch also ENHANCED and
 *	RANDOM. RNIC is required for TYPE_RNIC.
 *	EINVAL  NAME or a GUID is not allowed (&enum hca_nl_device); ENHANCED or RANDOM is given,
 *		and the device is not a switch; RNIC is given, and the device is not an RNIC, or the
 *		other way round; INTERFACE is missing, or not of a type that carries IP alone;
 *		ADDRESS is not that of one host
 *	EEXIST  a device of this name, or with one of these GUIDs, exists; or, for TYPE_DEVICE and
 *		TYPE_RNIC, an RDMA device of another driver has this name
 *	ENODEV  there is no such interface
 *	EBADF   NETNS is not a network namespace
 *	EADDRINUSE  an RNIC of the interface serves the same addresses
 *	or an error of the RDMA core
 * @HCA_CMD_DEVICE_DEL: begin to remove the links of a device and to delete it. NAME is required,
 *	TYPE optional. The reply does not wait for the end of the deletion: until verbs calls and
 *	packets in progress have finished, HCA_CMD_DEVICE_GET reports the device with the flag
 *	GOING, or at the very end fails with EBUSY. During this time the device gets no new links
 *	and captures, and its name and GUIDs stay in use. Programs that use the device receive the
 *	event IB_EVENT_DEVICE_FATAL. The deletion does not wait for a program, except for one that
 *	is executing a verbs call.
 *	ENODEV  there is no such device, or it is not of the given TYPE
 *	EBUSY   the device is being deleted, or created
 * @HCA_CMD_DEVICE_GET: do: query one device; NAME is required, TYPE optional; the reply is one
 *	message. Dump, without attributes: query all devices, in the order in which they were
 *	created. A device that does not fit into one message is continued in the next message:
 *	consecutive messages with the same GUID describe one device. PORTs and OBJECTs are then
 *	spread over the messages, ENHANCED and RANDOM are in the last one, and the other attributes
 *	are repeated. The reply about a switch with many ports can be longer than 128 KiB: the
 *	socket needs a receive buffer of at least 256 KiB, or the reply is lost (ENOBUFS).
 *	ENODEV  there is no such device, or it is not of the given TYPE
 *	EBUSY   do: the device is being created, or freed
 * @HCA_CMD_LINK_ADD: connect two ports by a cable. Both ports go to Initialize if they are enabled.
 *	DEVICE_A and DEVICE_B are required, and PORT_A and PORT_B for devices of more than one port.
 *	The ports may belong to the same device. SUPPORTED_A and SUPPORTED_B set the widths and
 *	speeds that the ports support before link training.
 *	ENODEV  there is no such device, or it is being deleted
 *	EOPNOTSUPP  the device is an RNIC, which has no links
 *	EINVAL  the device has no such port, or several ports and none is given; the port is port 0
 *		of a switch, which has no link; A and B are the same port
 *	EBUSY   one of the ports has a cable or a link over a network
 *	With NETWORK in place of DEVICE_B and PORT_B: add a link over a network to a port of another
 *	kernel. Port A goes to Initialize when the other end is found and both ends are enabled, and
 *	to Down when the other end is lost. The kernel tries to find the other end until the link is
 *	removed. The link is removed with its device and with the network namespace.
 *	ERANGE  the length of KEY is out of range
 *	EINVAL  the interface is not Ethernet
 *	EBUSY   port A has a cable or a link over a network; the interface has a link
 *	EADDRINUSE  another socket has the UDP port
 *	ENODEV  there is no such interface
 *	EBADF   NETNS is not a network namespace
 *	EOPNOTSUPP  KEY is given, and the kernel lacks hmac(sha256)
 * @HCA_CMD_LINK_DEL: remove the cable or the link over a network of port A; its ports go to Down,
 *	and packets in flight are lost. DEVICE_A is required, and PORT_A for a device of more than
 *	one port. With DEVICE_B (and PORT_B) the cable is removed only if it leads to port B.
 *	ENODEV  there is no such device
 *	EINVAL  the device has no such port, or several ports and none is given
 *	ENOTCONN  port A has no link, or its link does not lead to port B
 *	EOPNOTSUPP  the link is one over a network, and DEVICE_B is given
 * @HCA_CMD_LINK_SET: set faults and shapes of a link. DEVICE_A is required, and PORT_A for a device
 *	of more than one port; DEVICE_B and PORT_B are optional. Each of FAULT_A, FAULT_B, SHAPE_A
 *	and SHAPE_B replaces the fault or the shape of one direction, or removes it if the nest is
 *	empty; faults and shapes that are not given stay unchanged. A new fault or shape begins with
 *	counts of 0, and its random sequence begins at the seed. Faults and shapes are removed with
 *	the link. SUPPORTED_A and SUPPORTED_B set the widths and speeds that the ports support, and
 *	start link training again; the ports keep these settings when the link is removed.
 *	ADMIN_DOWN 1 takes the link down until ADMIN_DOWN 0 or until the link is removed, and
 *	leaves the rest of the link unchanged.
 *	ENODEV  there is no such device
 *	EINVAL  the device has no such port, or several ports and none is given
 *	ENOTCONN  port A has no link, or its link does not lead to port B
 *	EOPNOTSUPP  the link is one over a network, and DEVICE_B, FAULT_B, SHAPE_B, SUPPORTED_B,
 *		SLOW_VL_RATE, DELAY, JITTER or REORDER is given
 *	EINVAL  OPCODES has no bit; OPCODE is given; no attribute to set is given; a FAULT has none
 *		of DROP, CORRUPT, DUPLICATE and SLOW_VL_RATE; one of SLOW_VL and SLOW_VL_RATE is
 *		missing; CLASSES is CLASS_FLOW alone, and OPCODES, QPN or PSN is given; FLAP_FOR is
 *		not less than FLAP_EVERY, or only one of the two is given
 *	ERANGE  the length of OPCODES is not HCA_NL_OPCODES_OCTETS
 * @HCA_CMD_LINK_GET: dump only, without attributes: query all links, each once. A message has all
 *	attributes of &enum hca_nl_link.
 *
 * @HCA_CMD_DEVICE_SET: change the SystemImageGUID of a device, or set faults of what an RNIC sends.
 *	NAME is required, and SYSTEM_IMAGE_GUID, RNIC_FAULT or both; TYPE is optional. Trap 145
 *	notifies subnet managers of another SystemImageGUID. RNIC_FAULT with QPN replaces the faults
 *	of this queue pair. Without QPN it replaces all faults of the RNIC, those of single queue
 *	pairs included, and queue pairs that are created later have the faults as well. Counts begin
 *	at 0, and the random sequence of each queue pair begins at the seed.
 *	ENODEV  there is no such device, or it is not of the given TYPE
 *	EBUSY   the device is being created, or freed
 *	EINVAL  the GUID is not allowed; there is nothing to set; KIND is missing; KIND_FIELD is
 *		without FIELD or VALUE, or another kind has them; VALUE does not fit into the field;
 *		KIND_NONE is given, and something that selects FPDUs
 *	EOPNOTSUPP  RNIC_FAULT is given, and the device is not an RNIC
 *	ENOENT  the RNIC has no queue pair QPN
 *	ENOSPC  16 queue pairs have faults of their own already
 *	ENOMEM  without QPN: the RNIC has no faults any more
 *
 * @HCA_CMD_QP_GET: dump only, without attributes: query the queue pairs of all RDMA devices, those
 *	of kernel consumers included. A message is about one queue pair, with the attributes of
 *	&enum hca_nl_resource. The queue pairs of a device follow each other in the order in which
 *	they were created. A queue pair that is created or destroyed during a dump may be in the
 *	dump or not; any other queue pair is in the dump once.
 * @HCA_CMD_CQ_GET: dump only, query the completion queues as HCA_CMD_QP_GET does queue pairs
 * @HCA_CMD_SRQ_GET: dump only, query the shared receive queues
 * @HCA_CMD_MR_GET: dump only, query the memory regions
 * @HCA_CMD_MW_GET: dump only, query the memory windows
 * @HCA_CMD_EEC_GET: dump only, query the EE contexts of reliable datagrams
 *
 * @HCA_CMD_COUNTERS_GET: dump only, without attributes: query the counters of all ports. A message
 *	is about one port, with all attributes of &enum hca_nl_counters. RNICs have no such ports.
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
	HCA_CMD_QP_GET,
	HCA_CMD_CQ_GET,
	HCA_CMD_SRQ_GET,
	HCA_CMD_MR_GET,
	HCA_CMD_MW_GET,
	HCA_CMD_EEC_GET,
	HCA_CMD_COUNTERS_GET,

	__HCA_CMD_AFTER_LAST,
	HCA_CMD_MAX = __HCA_CMD_AFTER_LAST - 1,
};

/*
 * A device.
 *
 * @HCA_NL_DEVICE_NAME: string of 1 to 63 octets, unique among devices of all types; of an RDMA
 *	device, its name in the RDMA core. A new name must be printable ASCII without space, '/' and
 *	'%', and neither "." nor "..". The RDMA core may rename an RDMA device to the name of a
 *	switch or TCA. Commands with this name then apply to the switch or TCA
 * @HCA_NL_DEVICE_PORTS: u32, number of ports: 1 to 4 for a channel adapter, 1 to 254 for a switch
 *	or a TCA, 1 for an RNIC. Port 0 of a switch is not counted
 * @HCA_NL_DEVICE_GUID: u64, GUID of the node. Port n has GUID + n, but all ports of a switch have
 *	the GUID of the node, and the port of an RNIC has none. No GUID may be 0 or have the group
 *	bit (bit 56), and no two devices may share one (req V3-073)
 * @HCA_NL_DEVICE_DESCRIPTION: string of at most 64 octets, the NodeDescription; by default host
 *	name and NAME with a space between them
 * @HCA_NL_DEVICE_DRIVER_VERSION: string, the version of hca.ko
 * @HCA_NL_DEVICE_PORT: nest, &enum hca_nl_port; one for each port in order, port 0 of a switch
 *	first; none for an RNIC
 * @HCA_NL_DEVICE_OBJECT: nest, &enum hca_nl_object; one for each type of object; RDMA devices only
 * @HCA_NL_DEVICE_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_DEVICE_TYPE: u32, &enum hca_nl_type. The default is TYPE_DEVICE for HCA_CMD_DEVICE_ADD
 *	and any type for other commands, for which TYPE_DEVICE stands for all RDMA devices: also
 *	those of TYPE_RNIC
 * @HCA_NL_DEVICE_ENHANCED: flag, port 0 of the switch is an enhanced port 0
 * @HCA_NL_DEVICE_SYSTEM_IMAGE_GUID: u64, SystemImageGUID: GUID of the system of which the node is a
 *	part, shared by all nodes of the system. It may not be 0 or have the group bit; the default
 *	is GUID
 * @HCA_NL_DEVICE_RANDOM: flag, the switch has a RandomForwardingTable instead of a
 *	LinearForwardingTable
 * @HCA_NL_DEVICE_LED: flag, a subnet manager has switched on the LED of the node (LedInfo); in
 *	replies only
 * @HCA_NL_DEVICE_GOING: flag, the device is being deleted (HCA_CMD_DEVICE_DEL); in replies only
 * @HCA_NL_DEVICE_RNIC: nest, &enum hca_nl_rnic; the interface and the options of an RNIC
 * @HCA_NL_DEVICE_RNIC_FAULT: nest, &enum hca_nl_rnic_fault; faults of what an RNIC sends; in
 *	replies one for all queue pairs and one for each queue pair with faults of its own, only if
 *	there are faults
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
	HCA_NL_DEVICE_GOING,
	HCA_NL_DEVICE_RNIC,
	HCA_NL_DEVICE_RNIC_FAULT,

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
 * @HCA_NL_TYPE_RNIC: an RNIC, which carries RDMA over TCP (iWARP), known to the RDMA core
 */
enum hca_nl_type {
	HCA_NL_TYPE_DEVICE,
	HCA_NL_TYPE_SWITCH,
	HCA_NL_TYPE_TCA,
	HCA_NL_TYPE_RNIC,

	__HCA_NL_TYPE_AFTER_LAST,
	HCA_NL_TYPE_MAX = __HCA_NL_TYPE_AFTER_LAST - 1,
};

/*
 * Messages without octets, of which the initiator of a connection sends one before any other (RTR,
 * RFC 6581). Bits.
 */
enum hca_nl_rtr {
	HCA_NL_RTR_SEND = 1,
	HCA_NL_RTR_WRITE = 2,
	HCA_NL_RTR_READ = 4,
};

/*
 * The interface of an RNIC, and the options of its connections. Commands may leave options out.
 *
 * @HCA_NL_RNIC_INTERFACE: string of 1 to 15 octets, name of the network interface: an Ethernet,
 *	loopback or IP tunnel interface. The RNIC is deleted when the interface is removed, or goes
 *	to another network namespace
 * @HCA_NL_RNIC_ADDRESS: 4 octets (IPv4) or 16 (IPv6): the only local address that is served; by
 *	default those of the interface. Several RNICs can share an interface if each has an address
 * @HCA_NL_RNIC_CRC: u32, 1 (default): ask for CRCs; 0: use them only if the peer asks
 * @HCA_NL_RNIC_MARKERS: u32, 1: ask for markers in what is received; 0: default
 * @HCA_NL_RNIC_STRICT: u32, 1 (default): the sink of an RDMA Read needs the right of remote
 *	writing; 0: that of local writing is enough
 * @HCA_NL_RNIC_MPA: u32, 1 or 2 (default): the highest revision of MPA that connections begin with
 * @HCA_NL_RNIC_RTR: u32, bits of &enum hca_nl_rtr that are offered; by default Write and Read
 * @HCA_NL_RNIC_TIMEOUT: u32, 1 to 3600, by default 5: seconds that an ending connection may take
 * @HCA_NL_RNIC_NETNS: in commands: s32, file descriptor of the interface's network namespace, by
 *	default the caller's; in replies: u32, inode number of the namespace, unless it is the
 *	initial namespace
 * @HCA_NL_RNIC_UP: flag, the interface is up and has a carrier; in replies only
 * @HCA_NL_RNIC_LOCAL: 4 octets (IPv4) or 16 (IPv6): an address that is served, once for each, at
 *	most 16; in replies only
 * @HCA_NL_RNIC_CONNECTIONS: u32, queue pairs that have a TCP connection; in replies only
 */
enum hca_nl_rnic {
	HCA_NL_RNIC_UNSPEC,
	HCA_NL_RNIC_INTERFACE,
	HCA_NL_RNIC_ADDRESS,
	HCA_NL_RNIC_CRC,
	HCA_NL_RNIC_MARKERS,
	HCA_NL_RNIC_STRICT,
	HCA_NL_RNIC_MPA,
	HCA_NL_RNIC_RTR,
	HCA_NL_RNIC_TIMEOUT,
	HCA_NL_RNIC_NETNS,
	HCA_NL_RNIC_UP,
	HCA_NL_RNIC_LOCAL,
	HCA_NL_RNIC_CONNECTIONS,

	__HCA_NL_RNIC_AFTER_LAST,
	HCA_NL_RNIC_MAX = __HCA_NL_RNIC_AFTER_LAST - 1,
};

/*
 * Faults of the FPDUs that an RNIC sends, by which its peers are tested. Each queue pair selects
 * and counts its own FPDUs.
 *
 * @HCA_NL_RNIC_FAULT_QPN: u32, number of a queue pair; by default the faults are those of all queue
 *	pairs
 * @HCA_NL_RNIC_FAULT_KIND: u32, &enum hca_nl_rnic_fault_kind
 * @HCA_NL_RNIC_FAULT_FIELD: u32, &enum hca_nl_rnic_field: the field that is changed; for KIND_FIELD
 * @HCA_NL_RNIC_FAULT_VALUE: u64, as the kind says
 * @HCA_NL_RNIC_FAULT_OPCODE: u32, 0 to 15: only FPDUs with this opcode of RDMAP are selected; not
 *	for KIND_REFUSE
 * @HCA_NL_RNIC_FAULT_NTH: u32, 1 or more: only every nth selected FPDU is hit
 * @HCA_NL_RNIC_FAULT_ONCE: flag, only one FPDU of each queue pair is hit
 * @HCA_NL_RNIC_FAULT_SEED: u32, chooses the octet and the bit that are inverted; by default random
 * @HCA_NL_RNIC_FAULT_MATCHED: u64, selected FPDUs; in replies only
 * @HCA_NL_RNIC_FAULT_HIT: u64, FPDUs that the fault has hit; in replies only
 * @HCA_NL_RNIC_FAULT_PAD: aligns 64-bit numbers; to be skipped
 */
enum hca_nl_rnic_fault {
	HCA_NL_RNIC_FAULT_UNSPEC,
	HCA_NL_RNIC_FAULT_QPN,
	HCA_NL_RNIC_FAULT_KIND,
	HCA_NL_RNIC_FAULT_FIELD,
	HCA_NL_RNIC_FAULT_VALUE,
	HCA_NL_RNIC_FAULT_OPCODE,
	HCA_NL_RNIC_FAULT_NTH,
	HCA_NL_RNIC_FAULT_ONCE,
	HCA_NL_RNIC_FAULT_SEED,
	HCA_NL_RNIC_FAULT_MATCHED,
	HCA_NL_RNIC_FAULT_HIT,
	HCA_NL_RNIC_FAULT_PAD,

	__HCA_NL_RNIC_FAULT_AFTER_LAST,
	HCA_NL_RNIC_FAULT_MAX = __HCA_NL_RNIC_FAULT_AFTER_LAST - 1,
};

/*
 * The kinds of faults of an RNIC.
 *
 * @HCA_NL_RNIC_FAULT_KIND_NONE: no fault; in commands only
 * @HCA_NL_RNIC_FAULT_KIND_CORRUPT: one bit behind ULPDU_Length is inverted, and the CRC is as it
 *	was
 * @HCA_NL_RNIC_FAULT_KIND_BAD_CRC: one bit of the CRC is inverted
 * @HCA_NL_RNIC_FAULT_KIND_FIELD: a field of the header gets the value, and the CRC is right
 * @HCA_NL_RNIC_FAULT_KIND_BAD_MARKER: a marker points to another octet, and the CRC is right; only
 *	FPDUs with a marker are selected
 * @HCA_NL_RNIC_FAULT_KIND_CUT: the connection is reset behind as many octets of the FPDU as the
 *	value says, or behind its last one
 * @HCA_NL_RNIC_FAULT_KIND_STALL: behind the FPDU nothing is sent and nothing received for as many
 *	milliseconds as the value says, at most an hour
 * @HCA_NL_RNIC_FAULT_KIND_REFUSE: a start-up frame, not an FPDU, is not valid; the value is an
 *	&enum hca_nl_rnic_refuse
 */
enum hca_nl_rnic_fault_kind {
	HCA_NL_RNIC_FAULT_KIND_NONE,
	HCA_NL_RNIC_FAULT_KIND_CORRUPT,
	HCA_NL_RNIC_FAULT_KIND_BAD_CRC,
	HCA_NL_RNIC_FAULT_KIND_FIELD,
	HCA_NL_RNIC_FAULT_KIND_BAD_MARKER,
	HCA_NL_RNIC_FAULT_KIND_CUT,
	HCA_NL_RNIC_FAULT_KIND_STALL,
	HCA_NL_RNIC_FAULT_KIND_REFUSE,

	__HCA_NL_RNIC_FAULT_KIND_AFTER_LAST,
	HCA_NL_RNIC_FAULT_KIND_MAX = __HCA_NL_RNIC_FAULT_KIND_AFTER_LAST - 1,
};

/*
 * Fields of the headers of DDP and RDMAP (RFC 5041, RFC 5040). STAG and TO are those of tagged
 * segments, QN, MSN and MO those of untagged ones; other segments stay as they are.
 */
enum hca_nl_rnic_field {
	HCA_NL_RNIC_FIELD_TAGGED, /* 1 bit */
	HCA_NL_RNIC_FIELD_LAST, /* 1 bit */
	HCA_NL_RNIC_FIELD_DV, /* 2 bits, version of DDP */
	HCA_NL_RNIC_FIELD_RV, /* 2 bits, version of RDMAP */
	HCA_NL_RNIC_FIELD_OPCODE, /* 4 bits */
	HCA_NL_RNIC_FIELD_STAG, /* 32 bits */
	HCA_NL_RNIC_FIELD_TO, /* 64 bits */
	HCA_NL_RNIC_FIELD_QN, /* 32 bits */
	HCA_NL_RNIC_FIELD_MSN, /* 32 bits */
	HCA_NL_RNIC_FIELD_MO, /* 32 bits */

	__HCA_NL_RNIC_FIELD_AFTER_LAST,
	HCA_NL_RNIC_FIELD_MAX = __HCA_NL_RNIC_FIELD_AFTER_LAST - 1,
};

/* The part of a start-up frame that is not valid (RFC 5044). */
enum hca_nl_rnic_refuse {
	HCA_NL_RNIC_REFUSE_KEY,
	HCA_NL_RNIC_REFUSE_REVISION,
	HCA_NL_RNIC_REFUSE_LENGTH, /* of the private data */

	__HCA_NL_RNIC_REFUSE_AFTER_LAST,
	HCA_NL_RNIC_REFUSE_MAX = __HCA_NL_RNIC_REFUSE_AFTER_LAST - 1,
};

/*
 * A port. A subnet manager sets its state, LIDs and MTU by PortInfo (req C4-238).
 *
 * @HCA_NL_PORT_NUMBER: u32, from 1; 0: the management port of a switch
 * @HCA_NL_PORT_GUID: u64, the first GUID of GUIDInfo
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
 * @HCA_NL_PORT_ADMIN_DOWN: flag, the link of the port is administratively down
 *	(HCA_NL_LINK_ADMIN_DOWN)
 * @HCA_NL_PORT_BUFFER: nest, &enum hca_nl_buffer; one for each VL with receive buffers in use at
 *	either end of the link; none when the link is idle
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
	HCA_NL_PORT_ADMIN_DOWN,
	HCA_NL_PORT_BUFFER,

	__HCA_NL_PORT_AFTER_LAST,
	HCA_NL_PORT_MAX = __HCA_NL_PORT_AFTER_LAST - 1,
};

/*
 * The use of the receive buffers of one VL, in blocks of 64 octets; for VL15, which has no credits,
 * in packets. A negative number means that more credits were returned than consumed. While packets
 * arrive, the numbers may have been read at different moments.
 *
 * @HCA_NL_BUFFER_VL: u32, number of the VL
 * @HCA_NL_BUFFER_RESERVED: s32, blocks that the port has received and whose credits it has not
 *	returned; in a switch, blocks of packets that have not left the switch
 * @HCA_NL_BUFFER_OUTSTANDING: s32, blocks that the port has sent and whose credits it has not
 *	received back; 0 for VL15, for a port that is Down, and for a link over a network
 */
enum hca_nl_buffer {
	HCA_NL_BUFFER_UNSPEC,
	HCA_NL_BUFFER_VL,
	HCA_NL_BUFFER_RESERVED,
	HCA_NL_BUFFER_OUTSTANDING,

	__HCA_NL_BUFFER_AFTER_LAST,
	HCA_NL_BUFFER_MAX = __HCA_NL_BUFFER_AFTER_LAST - 1,
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
 * @HCA_NL_LINK_NETWORK: nest, &enum hca_nl_network; replaces DEVICE_B and PORT_B in a link over a
 *	network
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
 * @HCA_NL_LINK_ADMIN_DOWN: u32, 1: the link is administratively down, so that both ports are Down
 *	and are not trained; 0: the link is trained, if its ports are enabled; in replies only if 1
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
	HCA_NL_LINK_ADMIN_DOWN,

	__HCA_NL_LINK_AFTER_LAST,
	HCA_NL_LINK_MAX = __HCA_NL_LINK_AFTER_LAST - 1,
};

/*
 * A link over a network. A command that adds a link requires KIND; for KIND_UDP also LOCAL or
 * REMOTE or both; for KIND_ETHER also INTERFACE. Commands may not have the attributes that are in
 * replies only.
 *
 * @HCA_NL_NETWORK_KIND: u32, &enum hca_nl_network_kind
 * @HCA_NL_NETWORK_LOCAL: u32, 1 to 65535, KIND_UDP: UDP port at this end; by default a free one
 * @HCA_NL_NETWORK_REMOTE: struct sockaddr_in or sockaddr_in6, KIND_UDP: address of the other end;
 *	by default the first peer that sends a Hello is accepted
 * @HCA_NL_NETWORK_INTERFACE: string of 1 to 15 octets, KIND_ETHER: name of the network interface
 * @HCA_NL_NETWORK_PEER: 6 octets, KIND_ETHER: MAC address of the other end; by default the first
 *	peer that sends a Hello is accepted
 * @HCA_NL_NETWORK_KEY: 16 to 64 octets: the shared key of both ends, which authenticates frames;
 *	by default frames are not authenticated. In commands only
 * @HCA_NL_NETWORK_KEY_NAME: string of at most 255 octets: name of the key in user space, returned
 *	in replies; needs KEY
 * @HCA_NL_NETWORK_NETNS: in commands: s32, file descriptor of the network namespace, by default the
 *	caller's; in replies: u32, inode number of the namespace, unless it is the initial namespace
 * @HCA_NL_NETWORK_MTU: u32, 256, 512, 1024, 2048 or 4096 (default): the largest MTU that the link
 *	may use, even if the path carries more
 * @HCA_NL_NETWORK_UP: flag, both ends have found each other and are enabled; in replies only
 * @HCA_NL_NETWORK_PEER_PORT: nest, &enum hca_nl_peer; the peer, if it has been found; in replies
 *	only
 * @HCA_NL_NETWORK_REFUSED: u32, &enum hca_nl_refusal: reason for which the end at REMOTE or PEER
 *	rejects this end; in replies only
 * @HCA_NL_NETWORK_REJECTED: u64, Hellos of other ends that were rejected; in replies only
 * @HCA_NL_NETWORK_FORGED: u64, frames dropped because their authentication code does not match KEY;
 *	in replies only
 * @HCA_NL_NETWORK_REPLAYED: u64, frames dropped because they had been received before or were older
 *	than the replay window; in replies only
 * @HCA_NL_NETWORK_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_NETWORK_MALFORMED: u64, frames dropped because they are not of this protocol (too long,
 *	too short or followed by other octets), or because they are segments that do not fit a
 *	packet or are duplicates; in replies only
 * @HCA_NL_NETWORK_INCOMPLETE: u64, packets abandoned because segments were missing; in replies only
 * @HCA_NL_NETWORK_OVERTAKEN: u64, packets and flow-control packets dropped because the network
 *	delivered them after others that had been sent later; in replies only
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
	HCA_NL_NETWORK_OVERTAKEN,

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
 * The peer: the port at the other end of a link over a network. The peer's Hello carries its name,
 * GUID and port number.
 *
 * @HCA_NL_PEER_ADDRESS: address of the peer, with the type of HCA_NL_NETWORK_REMOTE or
 *	HCA_NL_NETWORK_PEER
 * @HCA_NL_PEER_NAME: string of at most 32 octets, the beginning of the peer's NodeDescription
 * @HCA_NL_PEER_GUID: u64, node GUID of the peer
 * @HCA_NL_PEER_PORT: u32, port number of the peer
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
 * Reasons for which the other end of a link over a network rejects this end.
 *
 * @HCA_NL_REFUSAL_NOT: this end is not rejected; never sent
 * @HCA_NL_REFUSAL_VERSION: the other end does not support this version of the protocol
 * @HCA_NL_REJECT_BUSY: the other end has another peer
 * @HCA_NL_REJECT_NOT_PEER: the other end is configured with another peer
 * @HCA_NL_REFUSAL_SELF: both ends of the link are the same port
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
 * certainty. At most one fault happens to a packet; faults are tried in the order DROP, CORRUPT,
 * DUPLICATE. Equal sequences of packets have equal faults if the seeds are equal.
 *
 * A packet matches if each given attribute of CLASSES, OPCODES, QPN and PSN selects it. Raw packets
 * and flow-control packets have no BTH, and do not match if OPCODES, QPN or PSN is given. NTH and
 * COUNT exclude some of the packets that match; the random sequence advances with the remaining
 * packets only.
 *
 * @HCA_NL_FAULT_DROP: u32, probability that a packet is dropped; default 0
 * @HCA_NL_FAULT_CORRUPT: u32, probability that one bit of a packet is inverted; default 0. The
 *	receiver detects a wrong CRC, drops the packet and counts it in PortRcvErrors
 * @HCA_NL_FAULT_DUPLICATE: u32, probability that a packet is delivered twice; default 0
 * @HCA_NL_FAULT_OPCODE: string, the name of an opcode: what hcactl of hca 0.1 has sent in place of
 *	OPCODES and CLASSES. It is always refused (EINVAL), and is not in replies
 * @HCA_NL_FAULT_PSN: u32, 0 to 2^24 - 1: only packets with this PSN are selected; by default
 *	packets with any PSN are selected
 * @HCA_NL_FAULT_SEED: u32, seed of the random sequence; a random one by default
 * @HCA_NL_FAULT_DROPPED: u64, packets dropped; in replies only
 * @HCA_NL_FAULT_CORRUPTED: u64, packets corrupted; in replies only
 * @HCA_NL_FAULT_DUPLICATED: u64, packets duplicated; in replies only
 * @HCA_NL_FAULT_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_FAULT_SLOW_VL: u32, 0 to 14: number of a data VL that is slow: the receiver frees its
 *	buffers, and so returns its credits, at the rate SLOW_VL_RATE; needs SLOW_VL_RATE. Other VLs
 *	are not affected
 * @HCA_NL_FAULT_SLOW_VL_RATE: u32, rate of SLOW_VL, Mb/s, at least 1
 * @HCA_NL_FAULT_QPN: u32, 0 to 2^24 - 1: only packets with this destination QP in the BTH are
 *	selected; by default packets with any destination QP are selected
 * @HCA_NL_FAULT_NTH: u32, at least 1: of the packets that match, only each NTH-th one can have a
 *	fault; default 1
 * @HCA_NL_FAULT_COUNT: u32, at least 1: DROP, CORRUPT and DUPLICATE end when they have happened to
 *	this number of packets in all; by default they do not end. Ended faults begin anew with the
 *	next HCA_CMD_LINK_SET that has the nest
 * @HCA_NL_FAULT_MATCHED: u64, packets that have matched, also after COUNT; in replies only
 * @HCA_NL_FAULT_OPCODES: HCA_NL_OPCODES_OCTETS octets, a bitmap of opcodes: only packets with one
 *	of these opcodes in the BTH are selected. The bit of opcode n is bit n % 8 of octet n / 8,
 *	where bit 0 is the least significant one. At least one bit must be 1; bits of reserved
 *	opcodes may be 1. By default packets with any opcode are selected; in replies only if it
 *	was given
 * @HCA_NL_FAULT_CLASSES: u32, bits of &enum hca_nl_class, of which at least one must be 1: only
 *	packets of these classes are selected; default CLASS_DATA and CLASS_SMP
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
	HCA_NL_FAULT_QPN,
	HCA_NL_FAULT_NTH,
	HCA_NL_FAULT_COUNT,
	HCA_NL_FAULT_MATCHED,
	HCA_NL_FAULT_OPCODES,
	HCA_NL_FAULT_CLASSES,

	__HCA_NL_FAULT_AFTER_LAST,
	HCA_NL_FAULT_MAX = __HCA_NL_FAULT_AFTER_LAST - 1,
};

/*
 * Classes of packets. Each packet belongs to one class, whose value is one bit.
 *
 * @HCA_NL_CLASS_DATA: packets on VLs 0 to 14, those of general management included
 * @HCA_NL_CLASS_SMP: packets on VL15, which are those of subnet management
 * @HCA_NL_CLASS_FLOW: flow-control packets
 */
enum hca_nl_class {
	HCA_NL_CLASS_DATA = 1 << 0,
	HCA_NL_CLASS_SMP = 1 << 1,
	HCA_NL_CLASS_FLOW = 1 << 2,

	__HCA_NL_CLASS_AFTER_LAST = 1 << 3,
	HCA_NL_CLASS_ALL = __HCA_NL_CLASS_AFTER_LAST - 1,
};

/*
 * The shape of one direction of a link: its rate, its delay, reordering of packets, and
 * interruptions of the signal (flapping). The default of SEED is random; the default of each other
 * attribute is 0.
 *
 * @HCA_NL_SHAPE_RATE: u32, rate of packets, Mb/s; 2^32 - 1: the rate of the link's active width and
 *	speed; 0: no limit
 * @HCA_NL_SHAPE_DELAY: u64, delay of each packet, ns, up to 10 s
 * @HCA_NL_SHAPE_JITTER: u64, maximum random change of DELAY, up or down, ns, up to 10 s; packets
 *	keep their order
 * @HCA_NL_SHAPE_REORDER: u32, probability p / 2^32 that a packet is delayed by up to 200 us more,
 *	so that later packets overtake it; 2^32 - 1 means certainty
 * @HCA_NL_SHAPE_FLAP_EVERY: u64, period of interruptions of the signal, ns, up to a day; 0: no
 *	interruptions
 * @HCA_NL_SHAPE_FLAP_FOR: u64, duration of each interruption, ns. Active ports recover from
 *	interruptions of up to 9 ms
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
 * Link widths and speeds, as bitmaps with the values of PortInfo. Commands require WIDTH and SPEED;
 * the default of SPEED_EXT is 0.
 *
 * @HCA_NL_RATE_WIDTH: u32, LinkWidth: 1 is 1x, 2 is 4x, 4 is 8x, 8 is 12x, 16 is 2x
 * @HCA_NL_RATE_SPEED: u32, LinkSpeed: 1 is SDR, 2 is DDR, 4 is QDR
 * @HCA_NL_RATE_SPEED_EXT: u32, LinkSpeedExt: 1 is FDR, 2 is EDR, 4 is HDR, 8 is NDR; may be 0
 */
enum hca_nl_rate {
	HCA_NL_RATE_UNSPEC,
	HCA_NL_RATE_WIDTH,
	HCA_NL_RATE_SPEED,
	HCA_NL_RATE_SPEED_EXT,

	__HCA_NL_RATE_AFTER_LAST,
	HCA_NL_RATE_MAX = __HCA_NL_RATE_AFTER_LAST - 1,
};

/*
 * An object of an RDMA device.
 *
 * @HCA_NL_RESOURCE_DEVICE: string, the name of the device
 * @HCA_NL_RESOURCE_NUMBER: u32. Queue pair: QPN. EE context: its number. CQ, SRQ and MR: number in
 *	the RDMA core (RDMA_NLDEV_ATTR_RES_CQN, _SRQN, _MRN), from 0; also 0 if the core does not
 *	know the object. Memory window: a number without other meaning. The numbers of QP0, QP1 and
 *	of objects that the core does not know are not unique
 * @HCA_NL_RESOURCE_PID: u32, process that has created the object, in the reader's PID namespace;
 *	missing if the namespace does not have the process any more, or if a kernel consumer has
 *	created the object
 * @HCA_NL_RESOURCE_CONSUMER: string, kernel consumer that has created the object; missing if a
 *	process has created it
 * @HCA_NL_RESOURCE_QP: nest, &enum hca_nl_qp; for a queue pair or an EE context
 * @HCA_NL_RESOURCE_CQ: nest, &enum hca_nl_cq; for a CQ
 * @HCA_NL_RESOURCE_SRQ: nest, &enum hca_nl_srq; for an SRQ
 * @HCA_NL_RESOURCE_MR: nest, &enum hca_nl_mr; for an MR
 * @HCA_NL_RESOURCE_MW: nest, &enum hca_nl_mw; for a memory window
 *
 * All values in the nests are numbers: u32, or u64 if the number does not fit into 32 bits. A value
 * is missing if the object does not have it, or if the reader may not see it.
 */
enum hca_nl_resource {
	HCA_NL_RESOURCE_UNSPEC,
	HCA_NL_RESOURCE_DEVICE,
	HCA_NL_RESOURCE_NUMBER,
	HCA_NL_RESOURCE_PID,
	HCA_NL_RESOURCE_CONSUMER,
	HCA_NL_RESOURCE_QP,
	HCA_NL_RESOURCE_CQ,
	HCA_NL_RESOURCE_SRQ,
	HCA_NL_RESOURCE_MR,
	HCA_NL_RESOURCE_MW,

	__HCA_NL_RESOURCE_AFTER_LAST,
	HCA_NL_RESOURCE_MAX = __HCA_NL_RESOURCE_AFTER_LAST - 1,
};

/*
 * A queue pair or an EE context at one moment. RC, UC and XRC queue pairs and EE contexts have the
 * values of a connection and its peer; all of these except UC have values of retries and timers.
 *
 * @HCA_NL_QP_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_QP_TYPE: enum ib_qp_type, or 7 for reliable datagrams; missing for an EE context
 * @HCA_NL_QP_STATE: enum ib_qp_state
 * @HCA_NL_QP_PORT: port number; missing as long as it is not set
 * @HCA_NL_QP_SEND_CQ: NUMBER of the CQ of the send queue
 * @HCA_NL_QP_RECV_CQ: NUMBER of the CQ of receive requests
 * @HCA_NL_QP_SRQ: NUMBER of the SRQ
 * @HCA_NL_QP_PEER_LID: DLID of the path to the peer
 * @HCA_NL_QP_PEER_GID_PREFIX: subnet prefix of the GID of the peer, if packets have a GRH
 * @HCA_NL_QP_PEER_GID_GUID: interface ID of the GID of the peer, if packets have a GRH
 * @HCA_NL_QP_PEER_QPN: QPN of the peer, or the number of its EE context
 * @HCA_NL_QP_PATH_MTU: octets
 * @HCA_NL_QP_MIGRATION: enum ib_mig_state
 * @HCA_NL_QP_SQ_ENTRIES: entries of the send queue
 * @HCA_NL_QP_SQ_POSTED: posted requests that the adapter has not begun
 * @HCA_NL_QP_SQ_OUTSTANDING: requests that the adapter has begun, and that are not complete
 * @HCA_NL_QP_RQ_ENTRIES: entries of the receive queue
 * @HCA_NL_QP_RQ_POSTED: posted receive requests that no message has consumed
 * @HCA_NL_QP_NEXT_PSN: PSN of the next packet to be sent
 * @HCA_NL_QP_SENT_PSN: the PSN after the highest one that was sent; if it is above NEXT_PSN,
 *	packets are being repeated
 * @HCA_NL_QP_UNACKED_PSN: the oldest PSN that is not acknowledged
 * @HCA_NL_QP_WINDOW: maximum number of unacknowledged packets
 * @HCA_NL_QP_READS: outstanding requests that max_rd_atomic limits: RDMA Reads, atomics, Flush and
 *	Atomic Write
 * @HCA_NL_QP_MAX_READS: max_rd_atomic, the maximum of READS
 * @HCA_NL_QP_RETRY_CNT: retries after a timeout or a NAK of a sequence error
 * @HCA_NL_QP_RETRIES_LEFT: remaining retries; RETRY_CNT again after an acknowledgment
 * @HCA_NL_QP_RNR_RETRY: retries after an RNR NAK; 7: without a limit
 * @HCA_NL_QP_RNR_RETRIES_LEFT: remaining retries after RNR NAKs
 * @HCA_NL_QP_CREDITS: number of messages that the peer allows to be sent now; only messages that
 *	consume a receive request count. Missing if the peer does not return end-to-end credits
 * @HCA_NL_QP_CREDIT_LIMIT: number of such messages that the peer has allowed since the connection
 *	began
 * @HCA_NL_QP_ACK_TIMEOUT: the ACK timeout, us; 0: none
 * @HCA_NL_QP_TIMER: &enum hca_nl_timer, the running timer
 * @HCA_NL_QP_TIMER_LEFT: time until the timer expires, us
 * @HCA_NL_QP_EXPECTED_PSN: PSN of the next request packet that is expected
 * @HCA_NL_QP_MSN: message sequence number of the responder
 * @HCA_NL_QP_NAK_SENT: 1: a packet is missing, and a NAK was sent for it; otherwise 0
 * @HCA_NL_QP_RESPONSES: responses that are not sent yet
 * @HCA_NL_QP_CREDITS_OFFERED: end-to-end credits that an acknowledgment would carry now; missing if
 *	acknowledgments do not carry credits
 * @HCA_NL_QP_CREDIT_STALLED: 1: the peer was advertised no credit, and waits for an update;
 *	otherwise 0
 * @HCA_NL_QP_VENDOR_ERR: enum hca_vendor_err of the last request that failed and was not only
 *	flushed; missing if no request has failed since Reset
 * @HCA_NL_QP_NAK_REASON: enum hca_nak_reason of the last request of the peer that was refused by a
 *	NAK; missing if no request was refused since Reset
 *
 * Counters, which are missing unless the queue pair is bound to a counter by rdma-statistic(8). The
 * values are sums over all queue pairs that are bound to the counter.
 *
 * @HCA_NL_QP_DUPLICATE_REQUESTS: duplicates of request packets
 * @HCA_NL_QP_OUT_OF_SEQUENCE: request packets that arrived while an earlier one was missing
 * @HCA_NL_QP_RNR_NAKS_SENT: RNR NAKs sent
 * @HCA_NL_QP_RNR_NAKS_RCVD: RNR NAKs received
 * @HCA_NL_QP_SEQUENCE_NAKS_RCVD: received NAKs of a sequence error that began a retry
 * @HCA_NL_QP_IMPLIED_NAKS: missing responses that began a retry
 * @HCA_NL_QP_ACK_TIMEOUTS: ACK timeouts
 * @HCA_NL_QP_RETRANSMITTED_PACKETS: packets sent again
 * @HCA_NL_QP_RETRIES_EXCEEDED: requests that ended because no retry was left
 * @HCA_NL_QP_RNR_RETRIES_EXCEEDED: requests that ended because no retry after an RNR NAK was left
 * @HCA_NL_QP_ODP_FAULTS: accesses that waited for a page
 * @HCA_NL_QP_OUT_OF_BUFFER: messages of an unreliable service that found no receive request
 * @HCA_NL_QP_RECV_TOO_SHORT: datagrams and raw packets that were longer than their receive request
 *
 * Only queue pairs of an RNIC have the following, those up to OCTETS_OUT as long as they have a
 * connection, and the others from its end by an error on. An IPv4 address is that of RFC 4291,
 * 2.5.5.2.
 *
 * @HCA_NL_QP_LOCAL_PREFIX: the first half of the IPv6 address of this end
 * @HCA_NL_QP_LOCAL_ID: its second half
 * @HCA_NL_QP_LOCAL_TCP_PORT: the TCP port of this end
 * @HCA_NL_QP_REMOTE_PREFIX: the first half of the IPv6 address of the other end
 * @HCA_NL_QP_REMOTE_ID: its second half
 * @HCA_NL_QP_REMOTE_TCP_PORT: the TCP port of the other end
 * @HCA_NL_QP_INITIATOR: 1: this end has begun the connection
 * @HCA_NL_QP_MPA: revision of MPA
 * @HCA_NL_QP_CRC: 1: FPDUs have CRCs
 * @HCA_NL_QP_MARKERS_IN: 1: this end receives markers
 * @HCA_NL_QP_MARKERS_OUT: 1: this end sends markers
 * @HCA_NL_QP_IRD: Read Requests of the other end that may be unanswered
 * @HCA_NL_QP_ORD: Read Requests of this end that may be unanswered
 * @HCA_NL_QP_READS_IN: Read Requests of the other end that are not answered yet
 * @HCA_NL_QP_READS_OUT: Read Requests of this end that are not answered yet
 * @HCA_NL_QP_SEND_MSN_IN: MSN of the next Send that arrives
 * @HCA_NL_QP_SEND_MSN_OUT: MSN of the next Send that leaves
 * @HCA_NL_QP_READ_MSN_IN: MSN of the next Read Request that arrives
 * @HCA_NL_QP_READ_MSN_OUT: MSN of the next Read Request that leaves
 * @HCA_NL_QP_OCTETS_IN: octets that were received in Full Operation
 * @HCA_NL_QP_OCTETS_OUT: octets that were sent in Full Operation
 * @HCA_NL_QP_TERMINATE_ORIGIN: enum hca_terminate_origin of the error that has ended the connection
 * @HCA_NL_QP_TERMINATE_ERROR: its layer, type and code, as in the first two octets of a Terminate
 *	message
 * @HCA_NL_QP_TERMINATE: string, its name; missing if the RFCs have none
 */
enum hca_nl_qp {
	HCA_NL_QP_UNSPEC,
	HCA_NL_QP_PAD,
	HCA_NL_QP_TYPE,
	HCA_NL_QP_STATE,
	HCA_NL_QP_PORT,
	HCA_NL_QP_SEND_CQ,
	HCA_NL_QP_RECV_CQ,
	HCA_NL_QP_SRQ,
	HCA_NL_QP_PEER_LID,
	HCA_NL_QP_PEER_GID_PREFIX,
	HCA_NL_QP_PEER_GID_GUID,
	HCA_NL_QP_PEER_QPN,
	HCA_NL_QP_PATH_MTU,
	HCA_NL_QP_MIGRATION,
	HCA_NL_QP_SQ_ENTRIES,
	HCA_NL_QP_SQ_POSTED,
	HCA_NL_QP_SQ_OUTSTANDING,
	HCA_NL_QP_RQ_ENTRIES,
	HCA_NL_QP_RQ_POSTED,
	HCA_NL_QP_NEXT_PSN,
	HCA_NL_QP_SENT_PSN,
	HCA_NL_QP_UNACKED_PSN,
	HCA_NL_QP_WINDOW,
	HCA_NL_QP_READS,
	HCA_NL_QP_MAX_READS,
	HCA_NL_QP_RETRY_CNT,
	HCA_NL_QP_RETRIES_LEFT,
	HCA_NL_QP_RNR_RETRY,
	HCA_NL_QP_RNR_RETRIES_LEFT,
	HCA_NL_QP_CREDITS,
	HCA_NL_QP_CREDIT_LIMIT,
	HCA_NL_QP_ACK_TIMEOUT,
	HCA_NL_QP_TIMER,
	HCA_NL_QP_TIMER_LEFT,
	HCA_NL_QP_EXPECTED_PSN,
	HCA_NL_QP_MSN,
	HCA_NL_QP_NAK_SENT,
	HCA_NL_QP_RESPONSES,
	HCA_NL_QP_CREDITS_OFFERED,
	HCA_NL_QP_CREDIT_STALLED,
	HCA_NL_QP_VENDOR_ERR,
	HCA_NL_QP_DUPLICATE_REQUESTS,
	HCA_NL_QP_OUT_OF_SEQUENCE,
	HCA_NL_QP_RNR_NAKS_SENT,
	HCA_NL_QP_RNR_NAKS_RCVD,
	HCA_NL_QP_SEQUENCE_NAKS_RCVD,
	HCA_NL_QP_IMPLIED_NAKS,
	HCA_NL_QP_ACK_TIMEOUTS,
	HCA_NL_QP_RETRANSMITTED_PACKETS,
	HCA_NL_QP_RETRIES_EXCEEDED,
	HCA_NL_QP_RNR_RETRIES_EXCEEDED,
	HCA_NL_QP_ODP_FAULTS,
	HCA_NL_QP_NAK_REASON,
	HCA_NL_QP_OUT_OF_BUFFER,
	HCA_NL_QP_RECV_TOO_SHORT,
	HCA_NL_QP_LOCAL_PREFIX,
	HCA_NL_QP_LOCAL_ID,
	HCA_NL_QP_LOCAL_TCP_PORT,
	HCA_NL_QP_REMOTE_PREFIX,
	HCA_NL_QP_REMOTE_ID,
	HCA_NL_QP_REMOTE_TCP_PORT,
	HCA_NL_QP_INITIATOR,
	HCA_NL_QP_MPA,
	HCA_NL_QP_CRC,
	HCA_NL_QP_MARKERS_IN,
	HCA_NL_QP_MARKERS_OUT,
	HCA_NL_QP_IRD,
	HCA_NL_QP_ORD,
	HCA_NL_QP_READS_IN,
	HCA_NL_QP_READS_OUT,
	HCA_NL_QP_SEND_MSN_IN,
	HCA_NL_QP_SEND_MSN_OUT,
	HCA_NL_QP_READ_MSN_IN,
	HCA_NL_QP_READ_MSN_OUT,
	HCA_NL_QP_OCTETS_IN,
	HCA_NL_QP_OCTETS_OUT,
	HCA_NL_QP_TERMINATE_ORIGIN,
	HCA_NL_QP_TERMINATE_ERROR,
	HCA_NL_QP_TERMINATE,

	__HCA_NL_QP_AFTER_LAST,
	HCA_NL_QP_MAX = __HCA_NL_QP_AFTER_LAST - 1,
};

/*
 * The timer of a queue pair or an EE context.
 *
 * @HCA_NL_TIMER_NONE: no timer runs
 * @HCA_NL_TIMER_ACK: the ACK timeout, while packets are unacknowledged
 * @HCA_NL_TIMER_RNR: the delay that the peer has requested by an RNR NAK
 */
enum hca_nl_timer {
	HCA_NL_TIMER_NONE,
	HCA_NL_TIMER_ACK,
	HCA_NL_TIMER_RNR,

	__HCA_NL_TIMER_AFTER_LAST,
	HCA_NL_TIMER_MAX = __HCA_NL_TIMER_AFTER_LAST - 1,
};

/*
 * A completion queue at one moment.
 *
 * @HCA_NL_CQ_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_CQ_ENTRIES: capacity of the CQ
 * @HCA_NL_CQ_USED: completions that the consumer has not polled
 * @HCA_NL_CQ_ARMED: &enum hca_nl_armed
 * @HCA_NL_CQ_OVERFLOW: 1: the CQ has overflowed and is in error; otherwise 0
 * @HCA_NL_CQ_USERS: queues that use the CQ
 * @HCA_NL_CQ_MODERATION_COUNT: number of completions that cause an event at once; 0: each
 *	completion causes an event
 * @HCA_NL_CQ_MODERATION_USECS: time after which a smaller number of completions causes an event,
 *	us
 */
enum hca_nl_cq {
	HCA_NL_CQ_UNSPEC,
	HCA_NL_CQ_PAD,
	HCA_NL_CQ_ENTRIES,
	HCA_NL_CQ_USED,
	HCA_NL_CQ_ARMED,
	HCA_NL_CQ_OVERFLOW,
	HCA_NL_CQ_USERS,
	HCA_NL_CQ_MODERATION_COUNT,
	HCA_NL_CQ_MODERATION_USECS,

	__HCA_NL_CQ_AFTER_LAST,
	HCA_NL_CQ_MAX = __HCA_NL_CQ_AFTER_LAST - 1,
};

/*
 * The event for which a CQ is armed.
 *
 * @HCA_NL_ARMED_NOT: the consumer has not requested an event
 * @HCA_NL_ARMED_SOLICITED: an event for the next completion that is solicited or an error
 * @HCA_NL_ARMED_NEXT: an event for the next completion
 */
enum hca_nl_armed {
	HCA_NL_ARMED_NOT,
	HCA_NL_ARMED_SOLICITED,
	HCA_NL_ARMED_NEXT,

	__HCA_NL_ARMED_AFTER_LAST,
	HCA_NL_ARMED_MAX = __HCA_NL_ARMED_AFTER_LAST - 1,
};

/*
 * A shared receive queue at one moment.
 *
 * @HCA_NL_SRQ_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_SRQ_ENTRIES: number of entries
 * @HCA_NL_SRQ_POSTED: posted receive requests that no message has consumed
 * @HCA_NL_SRQ_LIMIT: number of posted requests below which an event occurs; 0: not armed
 * @HCA_NL_SRQ_FAILED: 1: an index of the ring was invalid, and requests are not consumed any more;
 *	otherwise 0
 * @HCA_NL_SRQ_USERS: queue pairs that use the SRQ
 * @HCA_NL_SRQ_XRC_SRQN: number by which packets name an XRC SRQ
 */
enum hca_nl_srq {
	HCA_NL_SRQ_UNSPEC,
	HCA_NL_SRQ_PAD,
	HCA_NL_SRQ_ENTRIES,
	HCA_NL_SRQ_POSTED,
	HCA_NL_SRQ_LIMIT,
	HCA_NL_SRQ_FAILED,
	HCA_NL_SRQ_USERS,
	HCA_NL_SRQ_XRC_SRQN,

	__HCA_NL_SRQ_AFTER_LAST,
	HCA_NL_SRQ_MAX = __HCA_NL_SRQ_AFTER_LAST - 1,
};

/*
 * An MR at one moment. Only readers with CAP_NET_ADMIN see keys and addresses.
 *
 * @HCA_NL_MR_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_MR_KIND: &enum hca_nl_mr_kind
 * @HCA_NL_MR_KEY: L_Key, which is the R_Key as well
 * @HCA_NL_MR_ADDRESS: address of the first octet in requests and packets
 * @HCA_NL_MR_LENGTH: octets
 * @HCA_NL_MR_ACCESS: enum ib_uverbs_access_flags
 * @HCA_NL_MR_VALID: 1: the MR can be accessed; 0: it cannot, for example before a fast registration
 * @HCA_NL_MR_PAGES: number of pinned pages; missing if it is 0
 * @HCA_NL_MR_WINDOWS: number of memory windows that are bound to the MR
 */
enum hca_nl_mr {
	HCA_NL_MR_UNSPEC,
	HCA_NL_MR_PAD,
	HCA_NL_MR_KIND,
	HCA_NL_MR_KEY,
	HCA_NL_MR_ADDRESS,
	HCA_NL_MR_LENGTH,
	HCA_NL_MR_ACCESS,
	HCA_NL_MR_VALID,
	HCA_NL_MR_PAGES,
	HCA_NL_MR_WINDOWS,

	__HCA_NL_MR_AFTER_LAST,
	HCA_NL_MR_MAX = __HCA_NL_MR_AFTER_LAST - 1,
};

/*
 * The kind of memory of an MR.
 *
 * @HCA_NL_MR_KIND_PINNED: pinned pages of a process
 * @HCA_NL_MR_KIND_SHARED: pinned pages of a process, which other MRs have or had as well
 * @HCA_NL_MR_KIND_ODP: pages of a process on demand
 * @HCA_NL_MR_KIND_DMABUF: a DMA buffer of another driver
 * @HCA_NL_MR_KIND_DM: memory of the device
 * @HCA_NL_MR_KIND_FAST: pages that a kernel consumer registers by work requests
 * @HCA_NL_MR_KIND_ALL: all memory, of a kernel consumer
 */
enum hca_nl_mr_kind {
	HCA_NL_MR_KIND_PINNED,
	HCA_NL_MR_KIND_SHARED,
	HCA_NL_MR_KIND_ODP,
	HCA_NL_MR_KIND_DMABUF,
	HCA_NL_MR_KIND_DM,
	HCA_NL_MR_KIND_FAST,
	HCA_NL_MR_KIND_ALL,

	__HCA_NL_MR_KIND_AFTER_LAST,
	HCA_NL_MR_KIND_MAX = __HCA_NL_MR_KIND_AFTER_LAST - 1,
};

/*
 * A memory window at one moment. Only readers with CAP_NET_ADMIN see keys and addresses. The
 * attributes of its memory are missing while the window is not bound.
 *
 * @HCA_NL_MW_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_MW_TYPE: 1 or 2
 * @HCA_NL_MW_BOUND: 1: the window is bound to an MR; otherwise 0
 * @HCA_NL_MW_KEY: R_Key of the window
 * @HCA_NL_MW_MR_KEY: key of the MR
 * @HCA_NL_MW_ADDRESS: address of the first octet in packets
 * @HCA_NL_MW_LENGTH: octets
 * @HCA_NL_MW_ACCESS: enum ib_uverbs_access_flags
 * @HCA_NL_MW_QPN: type 2: number of the queue pair that has bound the window and may use it
 */
enum hca_nl_mw {
	HCA_NL_MW_UNSPEC,
	HCA_NL_MW_PAD,
	HCA_NL_MW_TYPE,
	HCA_NL_MW_BOUND,
	HCA_NL_MW_KEY,
	HCA_NL_MW_MR_KEY,
	HCA_NL_MW_ADDRESS,
	HCA_NL_MW_LENGTH,
	HCA_NL_MW_ACCESS,
	HCA_NL_MW_QPN,

	__HCA_NL_MW_AFTER_LAST,
	HCA_NL_MW_MAX = __HCA_NL_MW_AFTER_LAST - 1,
};

/*
 * The counters of a port, which are those of PortCountersExtended and PortCounters (req C4-325,
 * C4-336). Each one has 64 bits and counts from the last reset by a manager.
 *
 * @HCA_NL_COUNTERS_DEVICE: string, the device
 * @HCA_NL_COUNTERS_PORT: u32, from 1; 0: the management port of a switch
 * @HCA_NL_COUNTERS_PAD: aligns 64-bit numbers; to be skipped
 * @HCA_NL_COUNTERS_XMIT_DATA: u64, PortXmitData: data sent, in units of four octets from LRH to
 *	ICRC
 * @HCA_NL_COUNTERS_RCV_DATA: u64, PortRcvData
 * @HCA_NL_COUNTERS_XMIT_PACKETS: u64, PortXmitPkts
 * @HCA_NL_COUNTERS_RCV_PACKETS: u64, PortRcvPkts
 * @HCA_NL_COUNTERS_XMIT_WAIT: u64, PortXmitWait: ticks in which packets waited for credits or for
 *	the arbiter
 * @HCA_NL_COUNTERS_SYMBOL_ERROR: u64, SymbolErrorCounter
 * @HCA_NL_COUNTERS_LINK_ERROR_RECOVERY: u64, LinkErrorRecoveryCounter
 * @HCA_NL_COUNTERS_LINK_DOWNED: u64, LinkDownedCounter
 * @HCA_NL_COUNTERS_RCV_ERRORS: u64, PortRcvErrors
 * @HCA_NL_COUNTERS_RCV_REMOTE_PHYSICAL_ERRORS: u64, PortRcvRemotePhysicalErrors
 * @HCA_NL_COUNTERS_RCV_SWITCH_RELAY_ERRORS: u64, PortRcvSwitchRelayErrors
 * @HCA_NL_COUNTERS_XMIT_DISCARDS: u64, PortXmitDiscards
 * @HCA_NL_COUNTERS_XMIT_CONSTRAINT_ERRORS: u64, PortXmitConstraintErrors
 * @HCA_NL_COUNTERS_RCV_CONSTRAINT_ERRORS: u64, PortRcvConstraintErrors
 * @HCA_NL_COUNTERS_LOCAL_LINK_INTEGRITY_ERRORS: u64, LocalLinkIntegrityErrors
 * @HCA_NL_COUNTERS_EXCESSIVE_BUFFER_OVERRUNS: u64, ExcessiveBufferOverrunErrors
 * @HCA_NL_COUNTERS_VL15_DROPPED: u64, VL15Dropped
 */
enum hca_nl_counters {
	HCA_NL_COUNTERS_UNSPEC,
	HCA_NL_COUNTERS_DEVICE,
	HCA_NL_COUNTERS_PORT,
	HCA_NL_COUNTERS_PAD,
	HCA_NL_COUNTERS_XMIT_DATA,
	HCA_NL_COUNTERS_RCV_DATA,
	HCA_NL_COUNTERS_XMIT_PACKETS,
	HCA_NL_COUNTERS_RCV_PACKETS,
	HCA_NL_COUNTERS_XMIT_WAIT,
	HCA_NL_COUNTERS_SYMBOL_ERROR,
	HCA_NL_COUNTERS_LINK_ERROR_RECOVERY,
	HCA_NL_COUNTERS_LINK_DOWNED,
	HCA_NL_COUNTERS_RCV_ERRORS,
	HCA_NL_COUNTERS_RCV_REMOTE_PHYSICAL_ERRORS,
	HCA_NL_COUNTERS_RCV_SWITCH_RELAY_ERRORS,
	HCA_NL_COUNTERS_XMIT_DISCARDS,
	HCA_NL_COUNTERS_XMIT_CONSTRAINT_ERRORS,
	HCA_NL_COUNTERS_RCV_CONSTRAINT_ERRORS,
	HCA_NL_COUNTERS_LOCAL_LINK_INTEGRITY_ERRORS,
	HCA_NL_COUNTERS_EXCESSIVE_BUFFER_OVERRUNS,
	HCA_NL_COUNTERS_VL15_DROPPED,

	__HCA_NL_COUNTERS_AFTER_LAST,
	HCA_NL_COUNTERS_MAX = __HCA_NL_COUNTERS_AFTER_LAST - 1,
};

#endif
