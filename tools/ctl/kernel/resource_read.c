// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads objects of RDMA devices from the kernel as JSON values. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/resource.h"

struct reading {
	const struct resource *resource;
	struct json_object *rows;
};

static struct nla_policy types[HCA_NL_RESOURCE_MAX + 1] = {
	[HCA_NL_RESOURCE_DEVICE] = { .type = NLA_STRING },
	[HCA_NL_RESOURCE_NUMBER] = { .type = NLA_U32 },
	[HCA_NL_RESOURCE_PID] = { .type = NLA_U32 },
	[HCA_NL_RESOURCE_CONSUMER] = { .type = NLA_STRING },
};

/* Reads a number of 32 or 64 bits. Return: false if @attr is NULL or has another length. */
static bool number_of(struct nlattr *attr, uint64_t *number)
{
	if (attr && nla_len(attr) == sizeof(uint32_t))
		*number = nla_get_u32(attr);
	else if (attr && nla_len(attr) == sizeof(uint64_t))
		*number = nla_get_u64(attr);
	else
		return false;
	return true;
}

/*
 * Converts a string to JSON. Control characters are replaced, because names of devices and
 * processes may contain any octets.
 */
static struct json_object *resource_text(const char *from)
{
	char clean[128];
	size_t used = 0;

	for (; *from && used < sizeof(clean) - 1; from++)
		clean[used++] = *from >= ' ' && *from <= '~' ? *from : '?';
	return json_object_new_string_len(clean, used);
}

static struct json_object *resource_hex(uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "0x%" PRIx64, number);
	return json_object_new_string(digits);
}

static struct json_object *name_of(const struct resource_name *names, uint64_t number)
{
	for (; names->name; names++)
		if (names->value == number)
			return json_object_new_string(names->name);
	return json_object_new_uint64(number);
}

static struct json_object *resource_bits(const struct resource_name *names, uint64_t number)
{
	struct json_object *array = json_object_new_array();

	for (; names->name; names++)
		if (names->value & number)
			json_object_array_add(array, json_object_new_string(names->name));
	return array;
}

/* Joins two halves of a GID or of an IPv6 address, of which the attribute @other is the second. */
static struct in6_addr join_halves(uint64_t prefix, struct nlattr *other)
{
	struct in6_addr joined;
	uint64_t half = 0;
	size_t i;

	number_of(other, &half);
	for (i = 0; i < 8; i++) {
		joined.s6_addr[i] = prefix >> (56 - 8 * i);
		joined.s6_addr[8 + i] = half >> (56 - 8 * i);
	}
	return joined;
}

static struct json_object *resource_gid(uint64_t prefix, struct nlattr *other)
{
	struct in6_addr gid = join_halves(prefix, other);
	char address[INET6_ADDRSTRLEN];

	return json_object_new_string(inet_ntop(AF_INET6, &gid, address, sizeof(address)));
}

/* Converts an address and a port, as in 10.9.8.1:7174 or [fe80::1]:7174. */
static struct json_object *resource_address(uint64_t prefix, struct nlattr *other,
					    struct nlattr *port)
{
	struct in6_addr ip = join_halves(prefix, other);
	char address[INET6_ADDRSTRLEN], text[INET6_ADDRSTRLEN + 16];
	uint64_t number = 0;

	number_of(port, &number);
	if (IN6_IS_ADDR_V4MAPPED(&ip))
		snprintf(text, sizeof(text), "%s:%" PRIu64,
			 inet_ntop(AF_INET, ip.s6_addr + 12, address, sizeof(address)), number);
	else
		snprintf(text, sizeof(text), "[%s]:%" PRIu64,
			 inet_ntop(AF_INET6, &ip, address, sizeof(address)), number);
	return json_object_new_string(text);
}

static struct json_object *resource_value(const struct resource_field *field, struct nlattr **attr)
{
	uint64_t number;

	if (field->format == FORMAT_TEXT)
		return attr[field->attr] ? resource_text(nla_get_string(attr[field->attr])) : NULL;
	if (!number_of(attr[field->attr], &number))
		return NULL;
	switch (field->format) {
	case FORMAT_FLAG:
		return json_object_new_boolean(number);
	case FORMAT_NAME:
		return name_of(field->names, number);
	case FORMAT_HEX:
		return resource_hex(number);
	case FORMAT_BITS:
		return resource_bits(field->names, number);
	case FORMAT_GID:
		return resource_gid(number, attr[field->attr + 1]);
	case FORMAT_ADDRESS:
		return resource_address(number, attr[field->attr + 1], attr[field->attr + 2]);
	default:
		return json_object_new_uint64(number);
	}
}

/* Returns the name of a process; JSON null if the process has ended. */
static struct json_object *command_of(uint32_t pid)
{
	char path[32], name[64];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/comm", pid);
	file = fopen(path, "re");
	good = file && fgets(name, sizeof(name), file);
	if (file)
		fclose(file);
	if (!good)
		return NULL;
	name[strcspn(name, "\n")] = '\0';
	return resource_text(name);
}

static void add_owner(struct json_object *row, struct nlattr **attr)
{
	struct nlattr *pid = attr[HCA_NL_RESOURCE_PID];
	struct nlattr *consumer = attr[HCA_NL_RESOURCE_CONSUMER];

	json_object_object_add(row, "pid", pid ? json_object_new_int64(nla_get_u32(pid)) : NULL);
	json_object_object_add(row, "command", pid ? command_of(nla_get_u32(pid)) : NULL);
	json_object_object_add(row, "consumer", consumer ? resource_text(nla_get_string(consumer)) :
			       NULL);
}

static void add_values(struct json_object *row, const struct resource *resource,
		       struct nlattr *nest)
{
	const struct resource_field *field = resource->fields;
	struct nlattr *attr[resource->max + 1];

	memset(attr, 0, sizeof(attr));
	if (nest)
		nla_parse_nested(attr, resource->max, nest, NULL);
	for (; field->key; field++)
		json_object_object_add(row, field->key, resource_value(field, attr));
}

static void add_row(struct nlattr *attrs, int length, void *arg)
{
	struct nlattr *attr[HCA_NL_RESOURCE_MAX + 1];
	struct reading *reading = arg;
	struct json_object *row;

	if (nla_parse(attr, HCA_NL_RESOURCE_MAX, attrs, length, types) ||
	    !attr[HCA_NL_RESOURCE_DEVICE] || !attr[HCA_NL_RESOURCE_NUMBER])
		return;
	row = json_object_new_object();
	json_object_object_add(row, "device",
			       resource_text(nla_get_string(attr[HCA_NL_RESOURCE_DEVICE])));
	json_object_object_add(row, reading->resource->number,
			       json_object_new_int64(nla_get_u32(attr[HCA_NL_RESOURCE_NUMBER])));
	add_owner(row, attr);
	add_values(row, reading->resource, attr[reading->resource->nest]);
	json_object_array_add(reading->rows, row);
}

static void resource_begin(void *arg)
{
	struct reading *reading = arg;

	json_object_put(reading->rows);
	reading->rows = json_object_new_array();
}

int resource_read(const struct resource *resource, struct json_object **rows)
{
	struct request *request = request_new(resource->command, "%s show", resource->noun);
	struct reading reading = { .resource = resource };
	int status = request_dump(request, resource_begin, add_row, &reading);

	*rows = reading.rows;
	return status;
}
