// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of what a queue pair sends: wrong octets in its FPDUs. */
#include "iwarp/fault.h"
#include <linux/kernel.h>

#define FAULT_CRC_BYTES 4
/* A marker and ULPDU_Length, without which nobody would find the end of the FPDU. */
#define FAULT_FRAME_BYTES 6
#define FAULT_OPCODE 0x0f /* in the second octet of a header */
#define FAULT_TAGGED 0x80 /* in the first one */

enum fault_form { FAULT_ANY, FAULT_OF_TAGGED, FAULT_OF_UNTAGGED };

/* Places of the fields: @mask of one octet, or @bytes octets, most significant one first. */
static const struct {
	u8 offset, mask, bytes;
	u8 form; /* enum fault_form */
} fault_fields[HCA_IWARP_FIELDS] = {
	[HCA_IWARP_FIELD_TAGGED] = { .offset = 0, .mask = FAULT_TAGGED },
	[HCA_IWARP_FIELD_LAST] = { .offset = 0, .mask = 0x40 },
	[HCA_IWARP_FIELD_DV] = { .offset = 0, .mask = 0x03 },
	[HCA_IWARP_FIELD_RV] = { .offset = 1, .mask = 0xc0 },
	[HCA_IWARP_FIELD_OPCODE] = { .offset = 1, .mask = FAULT_OPCODE },
	[HCA_IWARP_FIELD_STAG] = { .offset = 2, .bytes = 4, .form = FAULT_OF_TAGGED },
	[HCA_IWARP_FIELD_TO] = { .offset = 6, .bytes = 8, .form = FAULT_OF_TAGGED },
	[HCA_IWARP_FIELD_QN] = { .offset = 6, .bytes = 4, .form = FAULT_OF_UNTAGGED },
	[HCA_IWARP_FIELD_MSN] = { .offset = 10, .bytes = 4, .form = FAULT_OF_UNTAGGED },
	[HCA_IWARP_FIELD_MO] = { .offset = 14, .bytes = 4, .form = FAULT_OF_UNTAGGED },
};

void hca_iwarp_fault_init(struct hca_iwarp_fault *fault, const struct hca_iwarp_fault_spec *spec)
{
	*fault = (struct hca_iwarp_fault){ .spec = *spec, .random = spec->seed };
}

/* Whether the FPDU that begins gets the fault. */
static bool fault_strikes(struct hca_iwarp_fault *fault, u8 opcode)
{
	const struct hca_iwarp_fault_spec *spec = &fault->spec;

	if (spec->has_opcode && spec->opcode != opcode)
		return false;
	fault->selected++;
	if (fault->selected % max(spec->nth, 1u) || (spec->once && fault->happened))
		return false;
	fault->happened++;
	return true;
}

static void fault_set_field(u8 *head, enum hca_iwarp_field field, u64 value)
{
	u8 form = *head & FAULT_TAGGED ? FAULT_OF_TAGGED : FAULT_OF_UNTAGGED;
	u8 *at = head + fault_fields[field].offset, mask = fault_fields[field].mask;
	int i;

	if (fault_fields[field].form != FAULT_ANY && fault_fields[field].form != form)
		return;
	/* The lowest bit of the mask is that of the value. */
	if (mask)
		*at = (*at & ~mask) | ((u8)value * (mask & -mask) & mask);
	for (i = fault_fields[field].bytes; i--; value >>= 8)
		at[i] = value;
}

void hca_iwarp_fault_header(struct hca_iwarp_fault *fault, u8 *head)
{
	fault->strikes = fault_strikes(fault, head[1] & FAULT_OPCODE);
	if (fault->strikes && fault->spec.kind == HCA_IWARP_FAULT_FIELD)
		fault_set_field(head, fault->spec.field, fault->spec.value);
}

/* Return: a number below @limit. The numbers of Numerical Recipes' generator follow each other. */
static u32 fault_random(struct hca_iwarp_fault *fault, u32 limit)
{
	fault->random = fault->random * 1664525 + 1013904223;
	return (u64)fault->random * limit >> 32;
}

void hca_iwarp_fault_end(struct hca_iwarp_fault *fault, u8 *octets, u32 length)
{
	u32 at = length - FAULT_CRC_BYTES;

	if (!fault->strikes)
		return;
	fault->strikes = false;
	if (fault->spec.kind == HCA_IWARP_FAULT_CORRUPT)
		at = FAULT_FRAME_BYTES + fault_random(fault, at - FAULT_FRAME_BYTES);
	else if (fault->spec.kind == HCA_IWARP_FAULT_BAD_CRC)
		at += fault_random(fault, FAULT_CRC_BYTES);
	else
		return;
	octets[at] ^= 1 << fault_random(fault, 8);
}
