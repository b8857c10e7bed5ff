// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of what a queue pair sends: wrong octets, a stream that is cut, and silence. */
#include "iwarp/fault.h"
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#define FAULT_CRC_BYTES 4
/* A marker and ULPDU_Length, without which nobody would find the end of the FPDU. */
#define FAULT_FRAME_BYTES 6
#define FAULT_OPCODE 0x0f /* in the second octet of a header */
#define FAULT_TAGGED 0x80 /* in the first one */
#define FAULT_POINTER 3 /* the last octet of a marker, whose two lowest bits are reserved */
#define FAULT_POINTER_BIT 0x04

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

/* Places in a start-up frame, and octets there that no valid frame has. */
static const struct {
	u8 offset, octet;
} fault_refusals[HCA_IWARP_REFUSALS] = {
	[HCA_IWARP_REFUSE_KEY] = { 0, 'm' },
	[HCA_IWARP_REFUSE_REVISION] = { 17, 3 },
	[HCA_IWARP_REFUSE_LENGTH] = { 18, 0xff },
};

/* Whether the FPDU or the frame that is selected next gets the fault. */
static bool fault_happens(struct hca_iwarp_fault *fault)
{
	const struct hca_iwarp_fault_spec *spec = &fault->spec;

	fault->selected++;
	if (fault->selected % max(spec->nth, 1u) || (spec->once && fault->happened))
		return false;
	fault->happened++;
	return true;
}

/* Whether the FPDU that is being written has the opcode that is selected. */
static bool fault_has_opcode(const struct hca_iwarp_fault *fault)
{
	return !fault->spec.has_opcode || fault->spec.opcode == fault->opcode;
}

/* Whether the FPDU that begins gets the fault. Its markers, if it has any, are not known yet. */
static bool fault_strikes(struct hca_iwarp_fault *fault)
{
	return fault->spec.kind != HCA_IWARP_FAULT_REFUSE &&
	       fault->spec.kind != HCA_IWARP_FAULT_BAD_MARKER && fault_has_opcode(fault) &&
	       fault_happens(fault);
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
	fault->opcode = head[1] & FAULT_OPCODE;
	fault->strikes = fault_strikes(fault);
	if (fault->strikes && fault->spec.kind == HCA_IWARP_FAULT_FIELD)
		fault_set_field(head, fault->spec.field, fault->spec.value);
}

void hca_iwarp_fault_marker(struct hca_iwarp_fault *fault, u8 *marker)
{
	if (fault->spec.kind == HCA_IWARP_FAULT_BAD_MARKER && marker &&
	    fault_has_opcode(fault) && fault_happens(fault))
		marker[FAULT_POINTER] ^= FAULT_POINTER_BIT;
}

bool hca_iwarp_fault_cuts(const struct hca_iwarp_fault *fault, u32 *length)
{
	if (!fault->strikes || fault->spec.kind != HCA_IWARP_FAULT_CUT)
		return false;
	*length = min_t(u64, *length, fault->spec.value);
	return true;
}

/* Return: a number below @limit. The numbers of Numerical Recipes' generator follow each other. */
static u32 fault_random(struct hca_iwarp_fault *fault, u32 limit)
{
	fault->random = fault->random * 1664525 + 1013904223;
	return (u64)fault->random * limit >> 32;
}

static void fault_stall(struct hca_iwarp_fault *fault)
{
	fault->is_stalled = true;
	fault->stalled_until = jiffies + msecs_to_jiffies(min_t(u64, fault->spec.value, INT_MAX));
}

void hca_iwarp_fault_end(struct hca_iwarp_fault *fault, u8 *octets, u32 length)
{
	u32 at = length - FAULT_CRC_BYTES;

	if (!fault->strikes)
		return;
	fault->strikes = false;
	switch (fault->spec.kind) {
	case HCA_IWARP_FAULT_CORRUPT:
		at = FAULT_FRAME_BYTES + fault_random(fault, at - FAULT_FRAME_BYTES);
		break;
	case HCA_IWARP_FAULT_BAD_CRC:
		at += fault_random(fault, FAULT_CRC_BYTES);
		break;
	case HCA_IWARP_FAULT_STALL:
		fault_stall(fault);
		return;
	default:
		return;
	}
	octets[at] ^= 1 << fault_random(fault, 8);
}

bool hca_iwarp_fault_stalls(struct hca_iwarp_fault *fault)
{
	if (fault->is_stalled && !time_before(jiffies, fault->stalled_until))
		fault->is_stalled = false;
	return fault->is_stalled;
}

void hca_iwarp_fault_frame(struct hca_iwarp_fault *fault, u8 *frame)
{
	const struct hca_iwarp_fault_spec *spec = &fault->spec;

	if (spec->kind == HCA_IWARP_FAULT_REFUSE && spec->value < HCA_IWARP_REFUSALS &&
	    fault_happens(fault))
		frame[fault_refusals[spec->value].offset] = fault_refusals[spec->value].octet;
}
