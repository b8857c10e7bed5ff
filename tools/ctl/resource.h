/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Objects of RDMA devices that are shown one by one: queue pairs, CQs, MRs and others. */
#ifndef HCACTL_RESOURCE_H
#define HCACTL_RESOURCE_H

#include <stdint.h>
#include <json-c/json.h>
#include <linux/hca_netlink.h>

/* Conversions of a number of the kernel into a JSON value. */
enum resource_format {
	FORMAT_NUMBER,
	FORMAT_FLAG, /* boolean */
	FORMAT_NAME, /* string: the name of the value; the number if it has none */
	FORMAT_HEX, /* string */
	FORMAT_CODE, /* number, which people read as hexadecimal */
	FORMAT_BITS, /* array of strings: the names of the bits that are set */
	FORMAT_GID, /* string; the next attribute number is the GID's other half */
};

struct resource_name {
	uint64_t value;
	const char *name; /* NULL at the end of a table */
};

/* A value of an object, and the way to read and print it. */
struct resource_field {
	const char *key; /* key of the value in JSON and in details; NULL at the end of a table */
	int attr;
	const char *group; /* title of its line in the details */
	const char *title; /* title of its column in a table; NULL: it is in the details only */
	enum resource_format format;
	const struct resource_name *names; /* for FORMAT_NAME and FORMAT_BITS */
};

/* A type of objects. */
struct resource {
	const char *noun;
	const char *title; /* title of the column of the objects' numbers */
	const char *number; /* key of the objects' numbers in JSON */
	enum hca_command command;
	int nest; /* attribute that nests the values */
	int max; /* highest attribute in that nest */
	const struct resource_field *fields;
};

enum { RESOURCE_QP, RESOURCE_CQ, RESOURCE_SRQ, RESOURCE_MR, RESOURCE_MW, RESOURCE_EEC };

extern const struct resource resources[];

/*
 * Sets *rows to an array of all objects of a type, as hcactl(8) documents them. Return: 0, or an
 * exit status after printing a message.
 */
int resource_read(const struct resource *resource, struct json_object **rows);

/* Print a table of objects, or all values of each object, for people. */
void resource_print_table(const struct resource *resource, struct json_object *rows);
void resource_print_details(const struct resource *resource, struct json_object *rows);

#endif
