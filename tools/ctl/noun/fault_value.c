// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of cables as values: compares them, and prints them as lines of a file. */
#include "tools/ctl/noun/fault_value.h"
#include <inttypes.h>
#include <linux/hca_netlink.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/noun/fault_opcodes.h"
#include "tools/ctl/noun/shape.h"
#include "tools/lib/probability.h"

const struct fault_kind fault_kinds[NUM_FAULT_KINDS] = {
	{ "drop", "dropped", HCA_NL_FAULT_DROP, HCA_NL_FAULT_DROPPED },
	{ "corrupt", "corrupted", HCA_NL_FAULT_CORRUPT, HCA_NL_FAULT_CORRUPTED },
	{ "duplicate", "duplicated", HCA_NL_FAULT_DUPLICATE, HCA_NL_FAULT_DUPLICATED },
};

bool fault_has_chance(const struct fault *fault)
{
	int i;

	for (i = 0; i < NUM_FAULT_KINDS; i++)
		if (fault->chance[i])
			return true;
	return false;
}

bool fault_has_any(const struct fault *fault)
{
	return fault_has_chance(fault) || fault->slow_rate;
}

bool is_none(const struct fault *fault)
{
	return !fault_has_any(fault) && shape_is_none(&fault->shape);
}

static bool same_selection(const struct fault *one, const struct fault *other)
{
	return !memcmp(&one->opcodes, &other->opcodes, sizeof(one->opcodes)) &&
	       one->has_qpn == other->has_qpn && one->qpn == other->qpn &&
	       one->has_psn == other->has_psn && one->psn == other->psn &&
	       one->has_nth == other->has_nth && one->nth == other->nth &&
	       one->has_count == other->has_count && one->count == other->count;
}

bool is_as_wanted(const struct fault *present, const struct fault *wanted)
{
	return !memcmp(present->chance, wanted->chance, sizeof(wanted->chance)) &&
	       present->slow_vl == wanted->slow_vl && present->slow_rate == wanted->slow_rate &&
	       same_selection(present, wanted) &&
	       shape_is_same(&present->shape, &wanted->shape) &&
	       (!wanted->has_seed || present->seed == wanted->seed);
}

static void print_selection(FILE *file, const struct fault *fault)
{
	char *opcodes = fault_opcodes_text(&fault->opcodes);

	if (*opcodes)
		fprintf(file, " opcode %s", opcodes);
	free(opcodes);
	if (fault->has_qpn)
		fprintf(file, " qpn %" PRIu32, fault->qpn);
	if (fault->has_psn)
		fprintf(file, " psn %" PRIu32, fault->psn);
	if (fault->has_nth)
		fprintf(file, " nth %" PRIu32, fault->nth);
	if (fault->has_count)
		fprintf(file, " count %" PRIu32, fault->count);
}

void print_fault_line(FILE *file, const struct fault *fault)
{
	char text[PROBABILITY_TEXT];
	int i;

	fprintf(file, "link set %s %s", fault->link.a.text, fault->link.b.text);
	if (is_none(fault))
		fputs(" none", file);
	for (i = 0; i < NUM_FAULT_KINDS; i++)
		if (fault->chance[i])
			fprintf(file, " %s %s", fault_kinds[i].name,
				probability_format(fault->chance[i], text));
	if (fault->slow_rate)
		fprintf(file, " slow-vl %" PRIu32 ":%" PRIu32, fault->slow_vl, fault->slow_rate);
	print_selection(file, fault);
	if (fault->has_seed)
		fprintf(file, " seed %" PRIu32, fault->seed);
	shape_print(file, &fault->shape);
	fprintf(file, " from %s\n", fault_sender(fault)->text);
}
