// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* RNICs: their interfaces and options, as arguments, in requests and in answers. */
#include "tools/ctl/noun/rnic.h"
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/address.h"
#include "tools/ctl/status.h"
#include "tools/lib/append.h"
#include "tools/lib/memory.h"
#include "tools/lib/number.h"

#define MAX_TIMEOUT 3600 /* seconds */
#define RTR_TEXT 24 /* size in octets of a list of RTR messages, with the 0 at its end */

/* How the value of an option is written. */
enum form { SWITCH, NUMBER, MESSAGES };

static const struct option {
	const char *name;
	int attr; /* enum hca_nl_rnic */
	uint32_t usual; /* the default */
	enum form form;
	uint32_t min, max; /* NUMBER */
} options[NUM_RNIC_OPTIONS] = {
	[RNIC_CRC - RNIC_OPTIONS] = { "crc", HCA_NL_RNIC_CRC, 1, SWITCH, 0, 1 },
	[RNIC_MARKERS - RNIC_OPTIONS] = { "markers", HCA_NL_RNIC_MARKERS, 0, SWITCH, 0, 1 },
	[RNIC_STRICT - RNIC_OPTIONS] = { "strict", HCA_NL_RNIC_STRICT, 1, SWITCH, 0, 1 },
	[RNIC_MPA - RNIC_OPTIONS] = { "mpa", HCA_NL_RNIC_MPA, 2, NUMBER, 1, 2 },
	[RNIC_RTR - RNIC_OPTIONS] = {
		"rtr", HCA_NL_RNIC_RTR, HCA_NL_RTR_WRITE | HCA_NL_RTR_READ, MESSAGES, 0, 0,
	},
	[RNIC_TIMEOUT - RNIC_OPTIONS] = {
		"timeout", HCA_NL_RNIC_TIMEOUT, 5, NUMBER, 1, MAX_TIMEOUT,
	},
};

static const struct {
	const char *name;
	uint32_t bit;
} messages[] = {
	{ "write", HCA_NL_RTR_WRITE },
	{ "read", HCA_NL_RTR_READ },
	{ "send", HCA_NL_RTR_SEND },
};

#define NUM_MESSAGES (sizeof(messages) / sizeof(*messages))

/* Returns the bit of a message whose name is the first @length octets of @name; 0: it has none. */
static uint32_t message_bit(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < NUM_MESSAGES; i++)
		if (strlen(messages[i].name) == length && !memcmp(messages[i].name, name, length))
			return messages[i].bit;
	return 0;
}

/* Parses "none" or a list such as "write,read". */
static bool parse_messages(const char *text, uint32_t *bits)
{
	size_t length;
	uint32_t bit;

	*bits = 0;
	if (!strcmp(text, "none"))
		return true;
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		bit = message_bit(text, length);
		*bits |= bit;
		if (!bit || !text[length])
			return bit;
	}
}

static bool parse_switch(const char *text, uint32_t *on)
{
	*on = !strcmp(text, "on");
	return *on || !strcmp(text, "off");
}

static int rnic_parse_option(const struct command *command, const struct option *option,
			     const char *text, uint32_t *value)
{
	switch (option->form) {
	case SWITCH:
		if (parse_switch(text, value))
			return 0;
		return usage_error(command, "%s '%s' is neither on nor off", option->name, text);
	case MESSAGES:
		if (parse_messages(text, value))
			return 0;
		return usage_error(command,
				   "%s '%s' is neither none nor a list of write, read and send",
				   option->name, text);
	default:
		if (number_parse(text, value) && *value >= option->min && *value <= option->max)
			return 0;
		return usage_error(command, "%s '%s' is not a number from %" PRIu32 " to %" PRIu32,
				   option->name, text, option->min, option->max);
	}
}

static int rnic_parse_address(const struct command *command, const char *text, struct rnic *rnic)
{
	rnic->family = strchr(text, ':') ? AF_INET6 : AF_INET;
	if (inet_pton(rnic->family, text, rnic->address) == 1)
		return 0;
	return usage_error(command, "address '%s' is not an IPv4 or IPv6 address", text);
}

int rnic_parse(const struct command *command, const char **values, struct rnic *rnic)
{
	const char *netdev = values[RNIC_NETDEV];
	int i, status = 0;

	*rnic = (struct rnic){};
	if (!netdev)
		return usage_error(command, "say which interface: netdev INTERFACE");
	if (!*netdev || strlen(netdev) >= IFNAMSIZ)
		return usage_error(command, "netdev '%s' does not have 1 to %d octets", netdev,
				   IFNAMSIZ - 1);
	rnic->netdev = need(strdup(netdev));
	if (values[RNIC_NETNS])
		rnic->netns = need(strdup(values[RNIC_NETNS]));
	if (values[RNIC_ADDRESS])
		status = rnic_parse_address(command, values[RNIC_ADDRESS], rnic);
	for (i = 0; !status && i < NUM_RNIC_OPTIONS; i++) {
		if (!values[RNIC_OPTIONS + i])
			continue;
		status = rnic_parse_option(command, &options[i], values[RNIC_OPTIONS + i],
					   &rnic->option[i]);
		if (rnic->option[i] != options[i].usual)
			rnic->given |= 1u << i;
	}
	return status;
}

void rnic_copy(struct rnic *copy)
{
	if (copy->netdev)
		copy->netdev = need(strdup(copy->netdev));
	if (copy->netns)
		copy->netns = need(strdup(copy->netns));
}

void rnic_free(struct rnic *rnic)
{
	free(rnic->netdev);
	free(rnic->netns);
}

static int address_octets(int family)
{
	return family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr);
}

int rnic_put(struct request *request, const struct rnic *rnic)
{
	struct nlattr *nest = request_open(request, HCA_NL_DEVICE_RNIC);
	char text[INET6_ADDRSTRLEN];
	int i, fd;

	request_put_string(request, HCA_NL_RNIC_INTERFACE, "netdev", rnic->netdev);
	if (rnic->family)
		request_put_octets(request, HCA_NL_RNIC_ADDRESS, "address",
				   inet_ntop(rnic->family, rnic->address, text, sizeof(text)),
				   rnic->address, address_octets(rnic->family));
	for (i = 0; i < NUM_RNIC_OPTIONS; i++)
		if (rnic->given & 1u << i)
			request_put_number(request, options[i].attr, options[i].name,
					   rnic->option[i]);
	if (rnic->netns) {
		fd = netns_open(rnic->netns);
		if (fd < 0)
			return STATUS_REFUSED;
		request_put_file(request, HCA_NL_RNIC_NETNS, "netns", rnic->netns, fd);
	}
	request_close(request, nest);
	return 0;
}

static bool rnic_attributes(struct nlattr *nest, struct nlattr **attrs)
{
	static struct nla_policy types[HCA_NL_RNIC_MAX + 1] = {
		[HCA_NL_RNIC_INTERFACE] = { .type = NLA_STRING },
		[HCA_NL_RNIC_CRC] = { .type = NLA_U32 },
		[HCA_NL_RNIC_MARKERS] = { .type = NLA_U32 },
		[HCA_NL_RNIC_STRICT] = { .type = NLA_U32 },
		[HCA_NL_RNIC_MPA] = { .type = NLA_U32 },
		[HCA_NL_RNIC_RTR] = { .type = NLA_U32 },
		[HCA_NL_RNIC_TIMEOUT] = { .type = NLA_U32 },
		[HCA_NL_RNIC_NETNS] = { .type = NLA_U32 },
		[HCA_NL_RNIC_CONNECTIONS] = { .type = NLA_U32 },
	};

	return nest && !nla_parse_nested(attrs, HCA_NL_RNIC_MAX, nest, types) &&
	       attrs[HCA_NL_RNIC_INTERFACE];
}

static void rnic_read_address(struct nlattr *attr, struct rnic *rnic)
{
	if (!attr)
		return;
	rnic->family = nla_len(attr) == sizeof(struct in_addr) ? AF_INET : AF_INET6;
	nla_memcpy(rnic->address, attr, sizeof(rnic->address));
}

void rnic_read(struct nlattr *nest, struct rnic *rnic)
{
	struct nlattr *attr[HCA_NL_RNIC_MAX + 1];
	int i;

	*rnic = (struct rnic){};
	if (!rnic_attributes(nest, attr))
		return;
	rnic->netdev = need(strdup(nla_get_string(attr[HCA_NL_RNIC_INTERFACE])));
	if (attr[HCA_NL_RNIC_NETNS])
		rnic->netns = netns_name(nla_get_u32(attr[HCA_NL_RNIC_NETNS]));
	rnic_read_address(attr[HCA_NL_RNIC_ADDRESS], rnic);
	for (i = 0; i < NUM_RNIC_OPTIONS; i++) {
		if (!attr[options[i].attr])
			continue;
		rnic->option[i] = nla_get_u32(attr[options[i].attr]);
		if (rnic->option[i] != options[i].usual)
			rnic->given |= 1u << i;
	}
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? !strcmp(one, other) : one == other;
}

static uint32_t option_value(const struct rnic *rnic, int i)
{
	return rnic->given & 1u << i ? rnic->option[i] : options[i].usual;
}

bool rnic_equal(const struct rnic *one, const struct rnic *other)
{
	int i;

	for (i = 0; i < NUM_RNIC_OPTIONS; i++)
		if (option_value(one, i) != option_value(other, i))
			return false;
	return same_text(one->netdev, other->netdev) && same_text(one->netns, other->netns) &&
	       one->family == other->family &&
	       !memcmp(one->address, other->address, sizeof(one->address));
}

/* Writes a value as rnic_parse_option() reads it. Return: @text, of RTR_TEXT octets. */
static const char *option_text(const struct option *option, uint32_t value, char *text)
{
	size_t used = 0, i;

	if (option->form == SWITCH)
		return value ? "on" : "off";
	if (option->form == MESSAGES && !value)
		return "none";
	if (option->form == NUMBER)
		text_append(text, RTR_TEXT, 0, "%" PRIu32, value);
	for (i = 0; option->form == MESSAGES && i < NUM_MESSAGES; i++)
		if (value & messages[i].bit)
			used = text_append(text, RTR_TEXT, used, "%s%s", used ? "," : "",
					   messages[i].name);
	return text;
}

void rnic_print(FILE *file, const struct rnic *rnic)
{
	char text[INET6_ADDRSTRLEN], value[RTR_TEXT];
	int i;

	fprintf(file, " netdev %s", rnic->netdev);
	if (rnic->family)
		fprintf(file, " address %s",
			inet_ntop(rnic->family, rnic->address, text, sizeof(text)));
	if (rnic->netns)
		fprintf(file, " netns %s", rnic->netns);
	for (i = 0; i < NUM_RNIC_OPTIONS; i++)
		if (rnic->given & 1u << i)
			fprintf(file, " %s %s", options[i].name,
				option_text(&options[i], rnic->option[i], value));
}

static struct json_object *option_json(const struct option *option, uint32_t value)
{
	char text[RTR_TEXT];

	if (option->form == SWITCH)
		return json_object_new_boolean(value);
	if (option->form == NUMBER)
		return json_object_new_int64(value);
	return json_object_new_string(option_text(option, value, text));
}

static struct json_object *text_or_null(const char *text)
{
	return text ? json_object_new_string(text) : NULL;
}

static struct json_object *address_json(struct nlattr *attr)
{
	int family = nla_len(attr) == sizeof(struct in_addr) ? AF_INET : AF_INET6;
	char text[INET6_ADDRSTRLEN];

	return text_or_null(nla_len(attr) == address_octets(family) ?
				    inet_ntop(family, nla_data(attr), text, sizeof(text)) :
				    NULL);
}

/* Returns the addresses at which an RNIC can be reached. */
static struct json_object *locals_json(struct nlattr *nest)
{
	struct json_object *array = json_object_new_array();
	struct nlattr *attr;
	int left;

	nla_for_each_nested(attr, nest, left)
		if (nla_type(attr) == HCA_NL_RNIC_LOCAL)
			json_object_array_add(array, address_json(attr));
	return array;
}

struct json_object *rnic_json(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_RNIC_MAX + 1];
	struct json_object *object;
	char text[INET6_ADDRSTRLEN];
	struct rnic rnic;
	int i;

	if (!rnic_attributes(nest, attr))
		return NULL;
	rnic_read(nest, &rnic);
	object = json_object_new_object();
	json_object_object_add(object, "netdev", text_or_null(rnic.netdev));
	json_object_object_add(object, "netns", text_or_null(rnic.netns));
	json_object_object_add(object, "address",
			       text_or_null(rnic.family ? inet_ntop(rnic.family, rnic.address,
								    text, sizeof(text)) :
							  NULL));
	json_object_object_add(object, "up", json_object_new_boolean(!!attr[HCA_NL_RNIC_UP]));
	for (i = 0; i < NUM_RNIC_OPTIONS; i++)
		json_object_object_add(object, options[i].name,
				       option_json(&options[i], option_value(&rnic, i)));
	json_object_object_add(object, "addresses", locals_json(nest));
	json_object_object_add(object, "connections",
			       json_object_new_int64(attr[HCA_NL_RNIC_CONNECTIONS] ?
				       nla_get_u32(attr[HCA_NL_RNIC_CONNECTIONS]) : 0));
	rnic_free(&rnic);
	return object;
}

static const char *json_text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

static void print_locals(struct json_object *addresses)
{
	size_t i, count = json_object_array_length(addresses);

	printf("    addresses:%s", count ? "" : " none");
	for (i = 0; i < count; i++)
		printf(" %s", json_object_get_string(json_object_array_get_idx(addresses, i)));
	putchar('\n');
}

void rnic_print_state(struct json_object *rnic)
{
	bool up = json_object_get_boolean(json_object_object_get(rnic, "up"));
	struct json_object *value;
	int i;

	printf("    netdev %s %s", json_text(rnic, "netdev"), up ? "up" : "down");
	if (json_text(rnic, "netns"))
		printf(" netns %s", json_text(rnic, "netns"));
	if (json_text(rnic, "address"))
		printf(" address %s", json_text(rnic, "address"));
	for (i = 0; i < NUM_RNIC_OPTIONS; i++) {
		value = json_object_object_get(rnic, options[i].name);
		printf(" %s %s", options[i].name,
		       options[i].form != SWITCH ? json_object_get_string(value) :
		       json_object_get_boolean(value) ? "on" : "off");
	}
	putchar('\n');
	print_locals(json_object_object_get(rnic, "addresses"));
	printf("    connections: %s\n", json_text(rnic, "connections"));
}
