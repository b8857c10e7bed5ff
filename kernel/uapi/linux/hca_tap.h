/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * /dev/hca_tap: the packets that ports send and receive.
 *
 * One open file is one capture. It needs CAP_NET_RAW in the initial user namespace when it is
 * opened. HCA_TAP_ADD adds ports, read() gives records.
 *
 * read() gives as many whole records as the buffer holds, each a struct hca_tap_record and the
 * octets of a packet, padded to a multiple of 8. It waits for the first one, unless O_NONBLOCK
 * (EAGAIN). A buffer that is too small for the next record: EINVAL; HCA_TAP_RECORD_MAX will do.
 * When no port is left that could bring one (all were of devices that have been deleted), read()
 * returns 0 and poll() POLLHUP. A pulled cable ends nothing.
 *
 * A port's packets are those that cross the link, as octets from the LRH to the VCRC. What a port
 * sends to itself never leaves its adapter and is not seen. A packet that a cable loses is seen
 * where it was sent, one that is corrupted as it was sent and as it arrived.
 *
 * While a port is captured its cable has flow-control packets, which a cable inside one kernel
 * otherwise does without. They are recorded for those who ask for them.
 */
#ifndef _UAPI_LINUX_HCA_TAP_H
#define _UAPI_LINUX_HCA_TAP_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define HCA_TAP_IN 1 /* as the port received it */
#define HCA_TAP_OUT 2 /* as it was sent */
#define HCA_TAP_FLOW 4 /* with these two: flow-control packets as well */

#define HCA_TAP_RECORD_MAX 8192

/*
 * @time_ns: CLOCK_REALTIME; never falls from record to record, unless the clock is set
 * @length: octets of the packet on the link
 * @captured: octets that follow, less than @length if the packet was cut: then it ends
 *	before the padding and the CRCs
 * @lost: packets between the record before and this one for which there was no room
 * @port: as HCA_TAP_ADD has told it
 * @direction: HCA_TAP_IN or HCA_TAP_OUT
 * @flow: 1: a flow-control packet, from its operand to its LPCRC; 0: any other
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

/*
 * @ring_octets: room for records that have not been read: a power of two, 2^16 to 2^28; else
 *	4 MiB
 * @snap_length: at most so many octets of each packet; 0: all
 */
struct hca_tap_setup {
	__u32 ring_octets;
	__u32 snap_length;
};

/*
 * @device: its name, with a 0 behind it
 * @port: 1 to its number of ports
 * @directions: HCA_TAP_IN, HCA_TAP_OUT or both; perhaps HCA_TAP_FLOW
 */
struct hca_tap_port {
	char device[64];
	__u32 port;
	__u32 directions;
};

/* @captured: packets for which there was room, read or not; @lost: those for which not */
struct hca_tap_statistics {
	__u64 captured;
	__u64 lost;
};

/*
 * HCA_TAP_SETUP: before the first port.
 *	EBUSY   there is a port
 *	EINVAL  not such a number
 * HCA_TAP_ADD: capture a port from now on. Returns its number, from 0.
 *	ENODEV  there is no such device
 *	ENXIO   it has no such port
 *	EINVAL  no direction, or a bit that there is not
 *	ENOSPC  there are 1024 ports
 *	ENOMEM
 * HCA_TAP_STATISTICS: of all ports together.
 */
#define HCA_TAP_SETUP _IOW(0xe9, 0, struct hca_tap_setup)
#define HCA_TAP_ADD _IOW(0xe9, 1, struct hca_tap_port)
#define HCA_TAP_STATISTICS _IOR(0xe9, 2, struct hca_tap_statistics)

#endif
