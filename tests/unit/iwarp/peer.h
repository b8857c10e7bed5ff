/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A model of an iWARP peer: MPA, DDP and RDMAP as RFC 5040, 5041, 5044 and 6581 describe them,
 * octet by octet and without any function of kernel/iwarp. It can send whatever a test wants, wrong
 * octets included, and reports what it has received as fields.
 */
#ifndef HCA_TESTS_IWARP_PEER_H
#define HCA_TESTS_IWARP_PEER_H

#include <linux/types.h>

#define PEER_PRIVATE_MAX 512
#define PEER_START_MAX (20 + PEER_PRIVATE_MAX)
#define PEER_ULPDU_MAX 65535
#define PEER_FPDU_MAX (65544 + 4 * 130)
#define PEER_HEAD_MAX 46 /* octets of the headers of a Read Request */
#define PEER_QUEUES 4 /* queue numbers whose MSNs are counted */
#define PEER_OUT_MAX (2 * PEER_FPDU_MAX) /* octets that wait to be sent */
#define PEER_IN_MAX (8 * PEER_FPDU_MAX) /* octets that have been received and not been decoded */

/* CRC32c by its definition, bit by bit; the initial value of @crc is ~0. */
u32 peer_crc(u32 crc, const u8 *octets, u32 length);

/* A frame of MPA's start-up. Each member is what the octets have, even if that is not allowed. */
struct peer_start {
	bool is_reply; /* the key is that of a reply */
	bool has_key; /* the key is one of the two; received frames only */
	bool markers, crc, rejected, enhanced; /* M, C, R, S */
	u8 reserved; /* the low four bits of the octet of flags */
	u8 revision;
	u16 pd_length; /* as it is in the frame */
	/* Enhanced frames: the first four octets of the private data. */
	bool peer_to_peer, rtr_send, rtr_write, rtr_read; /* A, B, C, D */
	u16 ird, ord;
	u8 private_data[PEER_PRIVATE_MAX]; /* without these four octets */
	u32 private_length;
};

/* Write a frame of PEER_START_MAX octets at most; @pd_length may be wrong. Returns its octets. */
u32 peer_start_pack(const struct peer_start *start, u8 *octets);

/*
 * Read a frame. Returns its octets; 0 if more than @length are needed. Octets that are no frame are
 * one without a key, or with a PD_Length above 512, and are as many as @length.
 */
u32 peer_start_parse(struct peer_start *start, const u8 *octets, u32 length);

/* The headers of DDP and RDMAP, with the bits that a receiver has to check or to ignore. */
struct peer_header {
	bool tagged, last;
	u8 ddp_reserved; /* the four bits 0x3c of the first octet */
	u8 dv, rv; /* versions */
	u8 rdmap_reserved; /* the two bits 0x30 of the second octet */
	u8 opcode;
	u32 stag; /* tagged */
	u64 to;
	u32 invalidate; /* untagged: the rest of RsvdULP */
	u32 qn, msn, mo;
};

struct peer_read_request {
	u32 sink_stag;
	u64 sink_to;
	u32 size;
	u32 source_stag;
	u64 source_to;
};

struct peer_terminate {
	u8 control[4]; /* the octets themselves */
	u8 layer, type, code;
	bool m, d, r;
	/* The control octets are no error in the order of RFC 5040, but are one in that of siw. */
	bool is_swapped;
	u16 segment_length; /* M */
	u8 ddp[18]; /* D */
	u32 ddp_length;
	u8 read[28]; /* R */
	u32 excess; /* octets behind all that the control octets announce */
	bool is_short; /* fewer octets than these announce */
};

/* An FPDU that was received. */
struct peer_fpdu {
	u32 octets; /* of the stream, with markers */
	u32 markers;
	bool has_crc, has_markers, has_pad; /* CRC, each FPDUPTR, the zeros of the pad are right */
	u16 length; /* of the ULPDU */
	u8 ulpdu[PEER_ULPDU_MAX];
	bool is_whole; /* the ULPDU has a whole header of DDP; the members below are valid */
	struct peer_header header;
	const u8 *payload; /* octets behind the header of DDP */
	u32 payload_length;
	struct peer_read_request read; /* a Read Request of 28 octets or more */
	struct peer_terminate terminate; /* a Terminate of four octets or more */
};

/* Errors that are put into an FPDU. */
struct peer_faults {
	bool crc; /* the CRC is wrong */
	bool marker; /* each FPDUPTR is wrong, and the CRC is right */
	bool pad; /* the pad is not zero */
	bool has_length; /* ULPDU_Length is @length, which is not that of the ULPDU */
	u16 length;
};

struct peer {
	bool markers_out, markers_in, crc; /* of FPDUs */
	u64 position_out, position_in; /* in Full Operation */
	u32 msn[PEER_QUEUES]; /* the MSN of the next message */
	u8 out[PEER_OUT_MAX]; /* octets to be sent */
	u32 out_length;
	bool fin, reset; /* behind these octets */
	u8 sent[PEER_HEAD_MAX]; /* the first octets of the ULPDU that was made last */
	u32 sent_length; /* of that ULPDU */
	u8 in[PEER_IN_MAX]; /* octets that were received */
	u32 in_length;
	struct peer_start own, start; /* the frames that were sent and received last */
	struct peer_fpdu fpdu; /* the FPDU that was received last */
};

/* A peer before its start-up. */
void peer_init(struct peer *peer);

/* Full Operation begins, with the markers and CRCs that the frames sent and received ask for. */
void peer_agree(struct peer *peer);

/* Write a ULPDU: the header and @length octets of payload. Returns its octets. */
u32 peer_ulpdu_pack(const struct peer_header *header, const void *payload, u32 length, u8 *ulpdu);
/* Write the 28 octets of a Read Request behind the header of DDP. */
void peer_read_pack(const struct peer_read_request *read, u8 *octets);

/* Append octets, a frame of the start-up, or an FPDU to what is to be sent. */
void peer_put(struct peer *peer, const void *octets, u32 length);
void peer_put_start(struct peer *peer, const struct peer_start *start);
void peer_put_fpdu(struct peer *peer, const u8 *ulpdu, u32 length,
		   const struct peer_faults *faults);

/* Octets have been received. */
void peer_receive(struct peer *peer, const void *octets, u32 length);

/*
 * Decode what has been received into peer->start or peer->fpdu. They return false if that is not
 * there yet, and leave the octets of what follows.
 */
bool peer_next_start(struct peer *peer);
bool peer_next_fpdu(struct peer *peer);

/*
 * Send what a script lists: commands that end with ';' or the end of a line, each with its options
 * behind it, between blanks. A number may be decimal or begin with 0x.
 *
 *   request, reply     a frame of the start-up: rev=1 crc markers reject enhanced reserved=0 p2p
 *                      rtr-send rtr-write rtr-read ird=0 ord=0 pd=HEX (private data), and faults:
 *                      length=PD_LENGTH, octets=N (only the first N octets are sent)
 *   agree              peer_agree()
 *   write, response    tagged: stag=1 to=0
 *   read               sink=1 sinkto=0 size=0 src=1 srcto=0
 *   send, send-inv, send-se, send-se-inv   inval=0
 *   terminate          error=0xLTCC, the Layer, EType and Error Code
 *                      each FPDU: more (not the last segment) payload=N (octets of a pattern that
 *                      begins at first=0) hex=OCTETS and, instead of what is right: opcode=N
 *                      tagged=0|1 dv=N rv=N ddpreserved=N rdmapreserved=N qn=N msn=N mo=N, the
 *                      faults bad-crc bad-marker bad-pad length=N, and cut=N (the ULPDU has only
 *                      its first N octets)
 *   raw HEX            octets as they are
 *   fin, reset         behind all octets
 */
void peer_run(struct peer *peer, const char *script);

/* The octet at a place of the pattern that is the payload of a script's messages. */
u8 peer_pattern(u64 place);

#endif
