// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Links through UDP and Ethernet networks: parses their arguments, writes them into netlink
 * requests, and reads them from the kernel's replies.
 */
#define _GNU_SOURCE
#include "tools/ctl/noun/network.h"
#include <inttypes.h>
#include <limits.h>
#include <net/ethernet.h>
#include <netinet/ether.h>
#include <netlink/attr.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"

#define MIN_KEY 16
#define MAX_KEY 64

enum { UDP_LISTEN, UDP_REMOTE, UDP_MTU, UDP_KEY, UDP_NETNS, NUM_UDP };
enum { ETHER_PEER, ETHER_MTU, ETHER_KEY, ETHER_NETNS, NUM_ETHER };

static const char *const udp_keywords[] = { "listen", "remote", "mtu", "key", "netns", NULL };
static const char *const ether_keywords[] = { "peer", "mtu", "key", "netns", NULL };

static const char *const kind_names[HCA_NL_NETWORK_KIND_MAX + 1] = {
	[HCA_NL_NETWORK_KIND_UDP] = "udp",
	[HCA_NL_NETWORK_KIND_ETHER] = "ether",
};

bool is_network(const char *argument)
{
	int i;

	for (i = 0; i <= HCA_NL_NETWORK_KIND_MAX; i++)
		if (!strcmp(kind_names[i], argument))
			return true;
	return false;
}

static char *copy_text(const char *text)
{
	return text ? need(strdup(text)) : NULL;
}

/*
 * Stores the names of the key file and of the network namespace. The path of the key file is made
 * absolute, so that it is valid in any working directory.
 */
static void store_files(struct network *network, const char *key, const char *netns)
{
	if (key)
		network->key = realpath(key, NULL) ?: copy_text(key);
	network->netns = copy_text(netns);
}

/* Parses an MTU. The kernel checks its value. */
static int parse_mtu(const struct command *command, const char *text, struct network *network)
{
	if (text && (!number_parse(text, &network->mtu) || !network->mtu))
		return usage_error(command, "mtu '%s' is not 256, 512, 1024, 2048 or 4096", text);
	return 0;
}

static int parse_udp(const struct command *command, char **args, struct network *network)
{
	const char *value[NUM_UDP];

	if (!parse_keywords(command, args, udp_keywords, value))
		return STATUS_USAGE;
	if (!value[UDP_LISTEN] && !value[UDP_REMOTE])
		return usage_error(command, "say where to listen, or where the other end is: "
				   "listen, remote");
	if (value[UDP_LISTEN] && (!number_parse(value[UDP_LISTEN], &network->local) ||
				  !network->local || network->local > UINT16_MAX))
		return usage_error(command, "listen '%s' is not a port, 1 to 65535",
				   value[UDP_LISTEN]);
	if (parse_mtu(command, value[UDP_MTU], network))
		return STATUS_USAGE;
	store_files(network, value[UDP_KEY], value[UDP_NETNS]);
	if (!value[UDP_REMOTE])
		return 0;
	return address_find(command, value[UDP_REMOTE], network->netns, &network->remote);
}

static int parse_ether(const struct command *command, char **args, struct network *network)
{
	const char *interface = parse_argument(command, &args, "the interface");
	const char *value[NUM_ETHER];

	if (!interface || !parse_keywords(command, args, ether_keywords, value) ||
	    parse_mtu(command, value[ETHER_MTU], network))
		return STATUS_USAGE;
	network->interface = copy_text(interface);
	store_files(network, value[ETHER_KEY], value[ETHER_NETNS]);
	network->has_peer = value[ETHER_PEER];
	if (network->has_peer &&
	    !ether_aton_r(value[ETHER_PEER], (struct ether_addr *)network->peer))
		return usage_error(command, "peer '%s' is not an Ethernet address; as in "
				   "02:00:00:00:00:01", value[ETHER_PEER]);
	return 0;
}

static int (*const parse[])(const struct command *command, char **args, struct network *network) = {
	[HCA_NL_NETWORK_KIND_UDP] = parse_udp,
	[HCA_NL_NETWORK_KIND_ETHER] = parse_ether,
};

int network_parse(const struct command *command, char **args, struct network **network)
{
	struct network *made = need(calloc(1, sizeof(*made)));
	int status;

	while (strcmp(kind_names[made->kind], *args))
		made->kind++;
	status = parse[made->kind](command, args + 1, made);
	if (status) {
		network_free(made);
		made = NULL;
	}
	*network = made;
	return status;
}

/*
 * Reads a key from a file. A newline at the end of the file is not part of the key. Return: the
 * number of octets of the key; -1 after printing a message.
 */
static ssize_t read_key(const char *name, uint8_t *key)
{
	uint8_t octets[MAX_KEY + 2];
	FILE *file = fopen(name, "re");
	ssize_t length;

	if (!file) {
		print_message("key '%s': %m", name);
		return -1;
	}
	length = fread(octets, 1, sizeof(octets), file);
	if (ferror(file)) {
		print_message("key '%s': %m", name);
		length = -1;
	}
	fclose(file);
	if (length > 0 && octets[length - 1] == '\n')
		length--;
	if (length >= 0 && (length < MIN_KEY || length > MAX_KEY)) {
		print_message("key '%s': must have %d to %d octets", name, MIN_KEY, MAX_KEY);
		length = -1;
	}
	if (length > 0)
		memcpy(key, octets, length);
	explicit_bzero(octets, sizeof(octets));
	return length;
}

static int put_key(struct request *request, const char *name)
{
	uint8_t key[MAX_KEY];
	ssize_t length = read_key(name, key);

	if (length < 0)
		return STATUS_REFUSED;
	request_put_octets(request, HCA_NL_NETWORK_KEY, "key", name, key, length);
	request_put_string(request, HCA_NL_NETWORK_KEY_NAME, "key", name);
	explicit_bzero(key, sizeof(key));
	return 0;
}

static void put_addresses(struct request *request, const struct network *network)
{
	char text[ADDRESS_TEXT];

	if (network->local)
		request_put_number(request, HCA_NL_NETWORK_LOCAL, "listen", network->local);
	if (network->remote.any.sa_family)
		request_put_octets(request, HCA_NL_NETWORK_REMOTE, "remote",
				   address_text(&network->remote, text), &network->remote,
				   sizeof(network->remote));
	if (network->interface)
		request_put_string(request, HCA_NL_NETWORK_INTERFACE, "interface",
				   network->interface);
	if (network->has_peer)
		request_put_octets(request, HCA_NL_NETWORK_PEER, "peer",
				   station_text(network->peer, text), network->peer,
				   sizeof(network->peer));
}

int network_put(struct request *request, const struct network *network)
{
	struct nlattr *nest = request_open(request, HCA_NL_LINK_NETWORK);
	int fd, status = 0;

	request_put_number(request, HCA_NL_NETWORK_KIND, kind_names[network->kind], network->kind);
	put_addresses(request, network);
	if (network->mtu)
		request_put_number(request, HCA_NL_NETWORK_MTU, "mtu", network->mtu);
	if (network->netns) {
		fd = netns_open(network->netns);
		if (fd < 0)
			return STATUS_REFUSED;
		request_put_file(request, HCA_NL_NETWORK_NETNS, "netns", network->netns, fd);
	}
	if (network->key)
		status = put_key(request, network->key);
	request_close(request, nest);
	return status;
}

static void read_text(struct nlattr *attr, char **text)
{
	if (attr)
		*text = copy_text(nla_get_string(attr));
}

bool network_attributes(struct nlattr *nest, struct nlattr **attrs)
{
	static struct nla_policy types[HCA_NL_NETWORK_MAX + 1] = {
		[HCA_NL_NETWORK_KIND] = { .type = NLA_U32 },
		[HCA_NL_NETWORK_LOCAL] = { .type = NLA_U32 },
		[HCA_NL_NETWORK_INTERFACE] = { .type = NLA_STRING },
		[HCA_NL_NETWORK_PEER] = { .minlen = sizeof((struct network){}.peer) },
		[HCA_NL_NETWORK_KEY_NAME] = { .type = NLA_STRING },
		[HCA_NL_NETWORK_NETNS] = { .type = NLA_U32 },
		[HCA_NL_NETWORK_REFUSED] = { .type = NLA_U32 },
		[HCA_NL_NETWORK_REJECTED] = { .type = NLA_U64 },
		[HCA_NL_NETWORK_FORGED] = { .type = NLA_U64 },
		[HCA_NL_NETWORK_REPLAYED] = { .type = NLA_U64 },
		[HCA_NL_NETWORK_MTU] = { .type = NLA_U32 },
		[HCA_NL_NETWORK_MALFORMED] = { .type = NLA_U64 },
		[HCA_NL_NETWORK_INCOMPLETE] = { .type = NLA_U64 },
		[HCA_NL_NETWORK_OVERTAKEN] = { .type = NLA_U64 },
	};

	return nest && !nla_parse_nested(attrs, HCA_NL_NETWORK_MAX, nest, types) &&
	       attrs[HCA_NL_NETWORK_KIND] &&
	       nla_get_u32(attrs[HCA_NL_NETWORK_KIND]) <= HCA_NL_NETWORK_KIND_MAX;
}

struct network *network_read(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_NETWORK_MAX + 1];
	struct network *network;

	if (!network_attributes(nest, attr))
		return NULL;
	network = need(calloc(1, sizeof(*network)));
	network->kind = nla_get_u32(attr[HCA_NL_NETWORK_KIND]);
	if (attr[HCA_NL_NETWORK_LOCAL])
		network->local = nla_get_u32(attr[HCA_NL_NETWORK_LOCAL]);
	if (attr[HCA_NL_NETWORK_REMOTE])
		nla_memcpy(&network->remote, attr[HCA_NL_NETWORK_REMOTE], sizeof(network->remote));
	network->has_peer = attr[HCA_NL_NETWORK_PEER];
	if (network->has_peer)
		nla_memcpy(network->peer, attr[HCA_NL_NETWORK_PEER], sizeof(network->peer));
	if (attr[HCA_NL_NETWORK_MTU])
		network->mtu = nla_get_u32(attr[HCA_NL_NETWORK_MTU]);
	read_text(attr[HCA_NL_NETWORK_INTERFACE], &network->interface);
	read_text(attr[HCA_NL_NETWORK_KEY_NAME], &network->key);
	if (attr[HCA_NL_NETWORK_NETNS])
		network->netns = netns_name(nla_get_u32(attr[HCA_NL_NETWORK_NETNS]));
	return network;
}

struct network *network_copy(const struct network *network)
{
	struct network *copy;

	if (!network)
		return NULL;
	copy = need(malloc(sizeof(*copy)));
	*copy = *network;
	copy->interface = copy_text(network->interface);
	copy->key = copy_text(network->key);
	copy->netns = copy_text(network->netns);
	return copy;
}

void network_free(struct network *network)
{
	if (!network)
		return;
	free(network->interface);
	free(network->key);
	free(network->netns);
	free(network);
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? !strcmp(one, other) : one == other;
}

static bool same_address(const union address *one, const union address *other)
{
	char text[2][ADDRESS_TEXT];

	if (!one->any.sa_family || !other->any.sa_family)
		return one->any.sa_family == other->any.sa_family;
	return !strcmp(address_text(one, text[0]), address_text(other, text[1]));
}

bool is_network_as_wanted(const struct network *present, const struct network *wanted)
{
	return present->kind == wanted->kind && present->mtu == wanted->mtu &&
	       (!wanted->local || present->local == wanted->local) &&
	       same_address(&present->remote, &wanted->remote) &&
	       same_text(present->interface, wanted->interface) &&
	       !memcmp(present->peer, wanted->peer, sizeof(wanted->peer)) &&
	       same_text(present->key, wanted->key) && same_text(present->netns, wanted->netns);
}

const char *network_kind_name(uint32_t kind)
{
	return kind_names[kind];
}

void network_print(FILE *file, const struct network *network)
{
	char text[ADDRESS_TEXT];

	fputs(kind_names[network->kind], file);
	if (network->interface)
		fprintf(file, " %s", network->interface);
	if (network->local)
		fprintf(file, " listen %" PRIu32, network->local);
	if (network->remote.any.sa_family)
		fprintf(file, " remote %s", address_text(&network->remote, text));
	if (network->has_peer)
		fprintf(file, " peer %s", station_text(network->peer, text));
	if (network->mtu)
		fprintf(file, " mtu %" PRIu32, network->mtu);
	if (network->key)
		fprintf(file, " key %s", network->key);
	if (network->netns)
		fprintf(file, " netns %s", network->netns);
}
