/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * /dev/hca_tap captures the packets that ports send and receive, and the octets of the TCP
 * connections of RNICs.
 *
 * Each open file is one capture. Opening it requires CAP_NET_RAW in the initial user namespace.
 * HCA_TAP_ADD adds ports, and HCA_TAP_ADD_RNIC RNICs; read() returns records.
 *
 * read() returns as many whole records as fit into the buffer. A record is a struct hca_tap_record,
 * followed by the octets of a packet, padded to a multiple of 8. read() waits for the first record,
 * unless the file is O_NONBLOCK (EAGAIN). If the buffer is too small for the next record, read()
 * fails with EINVAL; a buffer of HCA_TAP_RECORD_MAX octets is large enough, and one of
 * HCA_TAP_STREAM_RECORD_MAX octets if there are RNICs. When the devices of all
 * captured ports have been deleted, read() returns the remaining records and then 0, and poll()
 * returns POLLHUP. Removing a cable does not end a capture.
 *
 * A capture contains the packets that cross the link of a port, each from its LRH to its VCRC.
 * Packets that a port sends to itself do not cross the link and are not captured. A packet that an
 * injected fault drops is captured at the sender. A packet that an injected fault corrupts is
 * captured unchanged at the sender and corrupted at the receiver.
 *
 * While a port is captured, flow-control packets are exchanged over its cable. Otherwise two ports
 * of one kernel usually do not send them. Flow-control packets are captured if HCA_TAP_FLOW is set.
 *
 * A capture of an RNIC contains the octets of its streams, as TCP carries them: a record for each
 * start-up frame of MPA, and for each FPDU, with its markers and its CRC, right or wrong. What an
 * RNIC sends is captured when it is written, before TCP has it, and what it receives when all of an
 * FPDU has arrived; segments of TCP, retransmissions and octets that the RNIC discards at the end
 * of a connection are not seen. If the start-up frames of a connection have passed before the
 * capture began, they come, with HCA_TAP_KEPT, before the first FPDU of the connection.
 */
#ifndef _UAPI_LINUX_HCA_TAP_H
#define _UAPI_LINUX_HCA_TAP_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define HCA_TAP_IN 1 /* packets that the port receives */
#define HCA_TAP_OUT 2 /* packets that the port sends */
#define HCA_TAP_FLOW 4 /* flow-control packets as well, with HCA_TAP_IN, HCA_TAP_OUT or both */

#define HCA_TAP_RECORD_MAX 8192 /* octets; no record of a port is longer */
#define HCA_TAP_STREAM_RECORD_MAX 66560 /* octets; no record of an RNIC is longer */

#define HCA_TAP_STREAM 2 /* the value of hca_tap_record.flow of an RNIC's records */

/*
 * The header of a record.
 *
 * @time_ns: CLOCK_REALTIME, ns; does not decrease from record to record, unless the clock is set
 * @length: octets of the packet on the link
 * @captured: octets of the packet that follow; less than @length if the packet was cut. A cut
 *	packet ends before its pad octets and CRCs
 * @lost: packets between the previous record and this one that were lost because the buffer was
 *	full
 * @port: number of the port in this capture, as HCA_TAP_ADD has returned it
 * @direction: HCA_TAP_IN or HCA_TAP_OUT
 * @flow: 1: a flow-control packet, from its operand to its LPCRC; HCA_TAP_STREAM: a struct
 *	hca_tap_stream and octets of a stream, both of which @length and @captured count; 0: any
 *	other packet
 */
struct hca_tap_record {
	__u64 time_ns;
	__u32 length;
	__u32 captured;
	__u32 lost;
	__u16 port;
	__u8 direction;
	__u8 flow;
};

/* Values of hca_tap_stream.flags; bits. */
#define HCA_TAP_STARTUP 1 /* a start-up frame; otherwise an FPDU */
#define HCA_TAP_KEPT 2 /* the frame has passed before the capture began */
#define HCA_TAP_MARKERS 4 /* FPDUs of this direction have markers */
#define HCA_TAP_CRC 8 /* CRCs are used */

/* Values of hca_tap_stream.family. */
#define HCA_TAP_IPV4 4
#define HCA_TAP_IPV6 6

/*
 * A place in a stream, before the octets of a record of an RNIC.
 *
 * @offset: octets of this direction before these, from the start-up frame on; of a frame with
 *	HCA_TAP_KEPT, as if the first FPDU of the capture followed it
 * @start: octets of the start-up frame of this direction, which Full Operation follows
 * @qpn: number of the queue pair; 0: the connection has none, yet or any more
 * @local_port, @remote_port: ports of TCP
 * @family: HCA_TAP_IPV4 or HCA_TAP_IPV6; 0: the addresses are unknown
 * @flags: bits HCA_TAP_STARTUP to HCA_TAP_CRC
 * @reserved: 0
 * @acked: octets of the other direction that have passed, counted as @offset counts them
 * @local, @remote: addresses in network order, of which IPv4 has the first four octets
 */
struct hca_tap_stream {
	__u64 offset;
	__u32 start;
	__u32 qpn;
	__u16 local_port;
	__u16 remote_port;
	__u8 family;
	__u8 flags;
	__u8 reserved[2];
	__u64 acked;
	__u8 local[16];
	__u8 remote[16];
};

/*
 * The sizes of the buffer and of the records of a capture.
 *
 * @ring_octets: size of the buffer for unread records, octets: a power of two from 2^16 to 2^28;
 *	4 MiB without HCA_TAP_SETUP
 * @snap_length: maximum octets captured of each packet, start-up frame or FPDU; 0: all octets.
 *	FPDUs that are longer than half of the buffer are cut
 */
struct hca_tap_setup {
	__u32 ring_octets;
	__u32 snap_length;
};

/*
 * A port, or an RNIC, to capture.
 *
 * @device: name of the device, with a final 0
 * @port: HCA_TAP_ADD: 1 to the device's number of ports. HCA_TAP_ADD_RNIC: number of the only queue
 *	pair whose connections are captured; 0: all connections of the RNIC are
 * @directions: HCA_TAP_IN, HCA_TAP_OUT or both, optionally with HCA_TAP_FLOW
 */
struct hca_tap_port {
	char device[64];
	__u32 port;
	__u32 directions;
};

/*
 * Counts of all ports of a capture together.
 *
 * @captured: packets recorded, whether read or not
 * @lost: packets lost because the buffer was full
 */
struct hca_tap_statistics {
	__u64 captured;
	__u64 lost;
};

/*
 * HCA_TAP_SETUP: set up the capture before its first port is added.
 *	EBUSY   HCA_TAP_SETUP has succeeded before, or HCA_TAP_ADD has set up the capture
 *	EINVAL  ring_octets is not allowed
 * HCA_TAP_ADD: start to capture a port. Returns the number of the port in this capture, from 0.
 * HCA_TAP_ADD_RNIC: start to capture an RNIC, and return its number as HCA_TAP_ADD
 * does that of a port.
 *	ENODEV  there is no such device, or it is being deleted
 *	ENXIO   HCA_TAP_ADD: the device has no such port
 *	ENOENT  HCA_TAP_ADD_RNIC: the device has no such queue pair
 *	EOPNOTSUPP  HCA_TAP_ADD: the device is an RNIC, which has no links; HCA_TAP_ADD_RNIC: it is
 *		not an RNIC
 *	EINVAL  directions has neither HCA_TAP_IN nor HCA_TAP_OUT, or has an unknown bit; device has
 *		no final 0
 *	ENOSPC  the capture has 1024 ports, or the port is in 64 captures (60 for users but root)
 *	ENOMEM
 * HCA_TAP_STATISTICS: return the counts of all ports of the capture together.
 */
#define HCA_TAP_SETUP _IOW(0xe9, 0, struct hca_tap_setup)
#define HCA_TAP_ADD _IOW(0xe9, 1, struct hca_tap_port)
#define HCA_TAP_STATISTICS _IOR(0xe9, 2, struct hca_tap_statistics)
#define HCA_TAP_ADD_RNIC _IOW(0xe9, 3, struct hca_tap_port)

#endif
