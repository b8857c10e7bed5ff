/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Octets of the TCP connections of RNICs: start-up frames of MPA, and FPDUs with their headers. */
#ifndef HCADUMP_FPDU_H
#define HCADUMP_FPDU_H

#include <stdbool.h>
#include <stddef.h>
#include "iwarp/wire/mpa.h"
#include "iwarp/wire/rdmap.h"
#include "iwarp/wire/terminate.h"
#include "linux/hca_tap.h"

struct packet;

enum fpdu_state {
	FPDU_GOOD, /* the CRC and the markers are right */
	FPDU_UNCHECKED, /* the markers are right, and CRCs are not used */
	FPDU_CUT, /* not all octets were captured, so that the CRC is not known */
	FPDU_WRONG_CRC,
	FPDU_WRONG_MARKER, /* a marker and the length disagree, or the length is not possible */
};

/* The dissected octets of a start-up frame or of an FPDU */
struct fpdu {
	bool has_frame; /* @frame is valid, but for its private data */
	struct hca_mpa_frame frame;

	enum fpdu_state state; /* of an FPDU */
	bool has_header; /* the fields from @ddp to @payload are valid */
	struct hca_ddp ddp;
	u8 opcode; /* enum hca_rdmap_opcode, or a reserved value */
	u32 payload; /* octets behind the DDP header */
	bool has_read;
	struct hca_read_request read;
	bool has_terminate;
	struct hca_terminate terminate;
	const char *fault; /* what is wrong with the headers; NULL: nothing */
};

/* Dissects the octets of a packet whose field @is_stream is set, and sets its field @fpdu. */
void fpdu_decode(struct packet *packet);

/*
 * Returns a text about the error of a start-up frame or of an FPDU; NULL if no error was found.
 * *cut is set to whether a part was not captured, in which case errors cannot be found.
 */
const char *fpdu_fault(const struct packet *packet, bool *cut);

/* Returns the name of the message, or of the start-up frame. */
const char *fpdu_name(const struct packet *packet);

/* Returns the state of the CRC in a word. */
const char *fpdu_crc_text(const struct packet *packet);

/* Size of an address and a port as text, with the 0 at the end */
#define FPDU_END_OCTETS 56

/*
 * Writes the address and the port of the sender or of the receiver of a packet, as 10.0.0.1:80 or
 * [fe80::1]:80. Return: @text, a buffer of FPDU_END_OCTETS octets.
 */
const char *fpdu_source(const struct packet *packet, char *text);
const char *fpdu_destination(const struct packet *packet, char *text);

/* Size of the text of the headers, with the 0 at the end */
#define FPDU_TEXT_OCTETS 256

/*
 * Writes the fields of the headers that follow the name of the message. Return: @text, a buffer of
 * FPDU_TEXT_OCTETS octets.
 */
const char *fpdu_text(const struct packet *packet, char *text);

#endif
