/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The conversations of tests/golden/iwarp: their frames, and the fields that tshark, or the file,
 * has of each. A test names the fields that it has found itself, which are compared.
 */
#ifndef HCA_TESTS_IWARP_CONVERSATION_H
#define HCA_TESTS_IWARP_CONVERSATION_H

#include <linux/types.h>

#define GOLDEN_MAX_OCTETS 2048
#define GOLDEN_MAX_FIELDS 32
#define GOLDEN_MAX_FRAMES 16

/* The conversations there are; files of these names, and their number. */
extern const char *const golden_conversations[];
extern const int golden_num_conversations;

/* A line `# expect NAME == VALUE` or `# also NAME == VALUE`. */
struct golden_field {
	char name[64];
	char value[128];
};

struct golden_frame {
	char title[128];
	bool from_responder; /* I; the initiator's are O */
	u8 octets[GOLDEN_MAX_OCTETS];
	u32 len;
	struct golden_field field[GOLDEN_MAX_FIELDS];
	int num_fields;
};

struct golden_conversation {
	struct golden_frame frame[GOLDEN_MAX_FRAMES];
	int num_frames;
};

/* Read a file: a request, a reply, and FPDUs. */
void golden_read(struct golden_conversation *conversation, const char *name);

/* Begin with the fields of another frame. */
void golden_found_none(void);
/* A field was found to have this value. Octets are referred to until golden_found_none(). */
void golden_found_number(const char *name, u64 value);
void golden_found_octets(const char *name, const u8 *octets, u32 len);
/* Assert that what was found has each field of the frame. */
void golden_assert(const struct golden_frame *frame);

#endif
