/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of classes, methods and attributes of MADs. */
#ifndef HCADUMP_MAD_H
#define HCADUMP_MAD_H

#include <stdbool.h>
#include <linux/types.h>

/* The header that all MADs have (IBA 13.4.2). */
struct mad {
	u8 class;
	u8 method;
	u16 status;
	u64 tid;
	u16 attribute;
	u32 modifier;
	bool is_directed; /* directed route; the following fields are valid then */
	bool is_returning;
	u8 hop_pointer, hop_count;
};

struct mad mad_parse(const u8 *octets);

/* Return the name of a class, method or attribute; NULL if it does not have one. */
const char *mad_class_name(const struct mad *mad);
const char *mad_method_name(const struct mad *mad);
const char *mad_attribute_name(const struct mad *mad);

#define MAD_TEXT_OCTETS 80

/*
 * Writes class, method and attribute in the form of the specification: SubnGet(NodeInfo). A value
 * without a name is written as a number.
 * Return: @text, which has MAD_TEXT_OCTETS octets.
 */
const char *mad_text(const struct mad *mad, char *text);

#endif
