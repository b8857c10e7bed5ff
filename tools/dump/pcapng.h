/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The blocks of a pcapng file (draft-ietf-opsawg-pcapng) that hcadump reads and writes. Unlike a
 * pcap file, a pcapng file contains the names of the ports.
 */
#ifndef HCADUMP_PCAPNG_H
#define HCADUMP_PCAPNG_H

enum pcapng_block_type {
	PCAPNG_SECTION = 0x0a0d0d0a, /* a palindrome, which is equal in both byte orders */
	PCAPNG_INTERFACE = 1,
	PCAPNG_OLD_PACKET = 2,
	PCAPNG_SIMPLE_PACKET = 3,
	PCAPNG_STATISTICS = 5,
	PCAPNG_PACKET = 6,
};

enum pcapng_option {
	PCAPNG_END_OF_OPTIONS = 0,
	PCAPNG_COMMENT = 1, /* text, of any block */
	/* Options of a section */
	PCAPNG_APPLICATION = 4,
	/* Options of an interface */
	PCAPNG_NAME = 2,
	/* one octet, n or 0x80 + n; the unit of time is 10^-n s or 2^-n s, respectively */
	PCAPNG_RESOLUTION = 9,
	PCAPNG_TIME_OFFSET = 14, /* 8 octets: seconds that are added to each time */
	/* Options of a packet */
	PCAPNG_FLAGS = 2, /* 4 octets of flags, of which two bits are the direction */
	PCAPNG_LOST = 4, /* 8 octets: number of packets that were lost before this one */
};

#define PCAPNG_BYTE_ORDER 0x1a2b3c4d

#define PCAPNG_FLAGS_DIRECTION 3
#define PCAPNG_FLAGS_IN 1
#define PCAPNG_FLAGS_OUT 2

/* Number of octets before a block's body: type and length */
#define PCAPNG_HEAD_OCTETS 8
/* Number of octets after a block's body: the length again */
#define PCAPNG_TAIL_OCTETS 4

/*
 * Octets of the fixed part of a block's body, for each type of block. The options or the packet's
 * octets follow it.
 */
#define PCAPNG_SECTION_OCTETS 16
#define PCAPNG_INTERFACE_OCTETS 8
#define PCAPNG_PACKET_OCTETS 20
#define PCAPNG_STATISTICS_OCTETS 12

#endif
