/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The packets that a fault is about, by opcode or by class: the value of the keyword "opcode" of
 * "link set". An empty list stands for all packets but flow-control packets.
 */
#ifndef HCACTL_FAULT_OPCODES_H
#define HCACTL_FAULT_OPCODES_H

#include "tools/lib/opcodes.h"

struct command;
struct nlattr;
struct request;

/*
 * Parses the value of "opcode"; NULL: it is not given. Return: 0, or an exit status after printing
 * a message that names the wrong word and the nearest words that are right.
 */
int fault_opcodes_parse(const struct command *command, const char *text, struct opcodes *opcodes);

/* Adds the list to a nest of enum hca_nl_fault that is open in the request. */
void fault_opcodes_put(struct request *request, const struct opcodes *opcodes);

/*
 * Reads the list from the attributes of enum hca_nl_fault. An older module names opcodes, and this
 * name is converted.
 */
void fault_opcodes_read(struct nlattr **attr, struct opcodes *opcodes);

/*
 * Returns the list as a value of "opcode", which the caller frees. It is an empty text for an empty
 * list.
 */
char *fault_opcodes_text(const struct opcodes *opcodes);

#endif
