/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The limits of a channel adapter. */
#ifndef HCA_QP_LIMITS_H
#define HCA_QP_LIMITS_H

enum hca_limits {
	HCA_MAX_QP = 16384, /* power of two */
	HCA_MAX_QP_WR = 16384,
	/* Raw queue pairs; each packet without a transport header is offered to all of them. */
	HCA_MAX_RAW_QP = 64,
	HCA_MAX_RAW_QP_GROUPS = 64, /* multicast groups of a raw queue pair */
	HCA_MAX_SGE = 32,
	HCA_MAX_INLINE = 256,
	HCA_MAX_SRQ = 65536,
	HCA_MAX_SRQ_WR = 16384,
	HCA_MAX_XRCD = 65536,
	HCA_MAX_XRC_SRQ = 4096, /* equal to HCA_MAX_EEC */
	/*
	 * XRC targets, counted per user because they can outlive the process that has created them.
	 */
	HCA_MAX_XRC_TGT = 8192,
	HCA_MAX_CQ = 65536,
	HCA_MAX_CQE = 1 << 20,
	HCA_MAX_MR = 65536,
	HCA_MAX_MW = 65536,
	HCA_MAX_FAST_PAGES = 1024, /* pages of a fast registration */
	HCA_MAX_PD = 65536,
	HCA_MAX_DM = 4096, /* device memories */
	HCA_MAX_DM_BYTES = 1 << 20, /* octets of a device memory */
	HCA_MAX_AH = 1 << 20,
	HCA_MAX_COUNTER = 1024, /* counters that queue pairs are bound to */
	HCA_MAX_GROUPS = 4096, /* multicast groups */
	HCA_MAX_GROUP_MEMBERS = 256,
	HCA_MAX_USER_MEMBERS = 128, /* members of a group that belong to one user */
	HCA_MAX_MEMBERS = 65536, /* total of all groups */
	HCA_MAX_RDD = 65536,
	HCA_MAX_RD_ATOMIC = 16,
	/* simultaneous EE contexts; there are twice as many numbers, because of time-wait */
	HCA_MAX_EEC = 4096,
	HCA_MAX_PACKETS = 65536,
	HCA_LOCAL_ACK_DELAY = 15, /* 4.096 us * 2^15 */
};

/* Part of a limit that users share. A sixteenth is reserved for root and for the kernel. */
#define HCA_FOR_USERS(number) ((number) - (number) / 16)

#define HCA_MAX_MESSAGE (1u << 31)

#endif
