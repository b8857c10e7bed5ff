/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Types of objects of RDMA devices, such as queue pairs, CQs and MRs. */
#ifndef HCACTL_RESOURCE_H
#define HCACTL_RESOURCE_H

#include <json-c/json.h>
#include <linux/hca_netlink.h>
#include <stdint.h>

/* Formats in which the kernel's numbers are converted to JSON values */
enum resource_format {
	FORMAT_NUMBER,
	FORMAT_FLAG, /* boolean */
	/* string, which is the name of the value; number if the value does not have a name */
	FORMAT_NAME,
	FORMAT_HEX, /* string with a hexadecimal number */
	FORMAT_CODE, /* number, which is printed as hexadecimal in text */
	FORMAT_BITS, /* array of strings, which are the names of the bits that are set */
	/* string with a GID; the netlink attribute with the next number contains the second half */
	FORMAT_GID,
	/*
	 * string with an IP address and a TCP port; the netlink attributes with the next two
	 * numbers contain the second half of the address, and the port
	 */
	FORMAT_ADDRESS,
	FORMAT_TEXT, /* string, which the kernel sends */
};

struct resource_name {
	uint64_t value;
	const char *name; /* name of the value; NULL at the end of a table */
};

/* A value of an object, and how it is read and printed */
struct resource_field {
	/* key of the value in JSON and in the output of --details; NULL at the end of a table */
	const char *key;
	int attr;
	/* title of the line that contains the value in the output of --details */
	const char *group;
	/*
	 * title of the value's column in a table; NULL: only --details and --json print the value
	 */
	const char *title;
	enum resource_format format;
	const struct resource_name *names; /* names of values, for FORMAT_NAME and FORMAT_BITS */
};

/* A type of objects */
struct resource {
	const char *noun;
	const char *title; /* title of the column with the objects' numbers */
	const char *number; /* key of an object's number in JSON */
	enum hca_command command;
	int nest; /* nested netlink attribute that contains the values */
	int max; /* highest attribute inside of @nest */
	const struct resource_field *fields;
};

enum { RESOURCE_QP, RESOURCE_CQ, RESOURCE_SRQ, RESOURCE_MR, RESOURCE_MW, RESOURCE_EEC };

extern const struct resource resources[];

/*
 * Sets *rows to an array of all objects of a type. hcactl(8) documents their values. Return: 0, or
 * an exit status after printing a message.
 */
int resource_read(const struct resource *resource, struct json_object **rows);

/*
 * Functions that print objects as text. resource_print_table() prints a table, and
 * resource_print_details() prints all values of each object.
 */
void resource_print_table(const struct resource *resource, struct json_object *rows);
void resource_print_details(const struct resource *resource, struct json_object *rows);

#endif
