/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of classes, methods and attributes of MADs. */
#ifndef HCADUMP_MAD_H
#define HCADUMP_MAD_H

#include <linux/types.h>
#include <stdbool.h>

/* The header that all MADs have (IBA 13.4.2). */
struct mad {
	u8 class;
	u8 method;
	u16 status;
	u64 tid;
	u16 attribute;
	u32 modifier;
	bool is_directed; /* the MAD is a directed route SMP, so the following fields are valid */
	bool is_returning;
	u8 hop_pointer, hop_count;
};

struct mad mad_parse(const u8 *octets);

/*
 * Functions that return the name of a MAD's class, method or attribute; NULL if it does not have a
 * name.
 */
const char *mad_class_name(const struct mad *mad);
const char *mad_method_name(const struct mad *mad);
const char *mad_attribute_name(const struct mad *mad);

#define MAD_TEXT_OCTETS 80

/*
 * Writes class, method and attribute in the notation of the specification, as in
 * "SubnGet(NodeInfo)". A value that does not have a name is written as a number. Return: @text, a
 * buffer of MAD_TEXT_OCTETS octets.
 */
const char *mad_text(const struct mad *mad, char *text);

#endif
