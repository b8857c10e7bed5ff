// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shows links through other networks, as JSON and as text. */
#include <inttypes.h>
#include <json-c/json.h>
#include <linux/hca_netlink.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <string.h>
#include "tools/ctl/noun/network.h"

static const char *const refusals[HCA_NL_REFUSAL_MAX + 1] = {
	[HCA_NL_REFUSAL_VERSION] = "it does not speak this version of the protocol",
	[HCA_NL_REJECT_BUSY] = "it has a peer already",
	[HCA_NL_REJECT_NOT_PEER] = "it is told to be somebody else's",
	[HCA_NL_REFUSAL_SELF] = "it is the same port",
};

/*
 * Converts a name to JSON. Control characters are replaced, because another machine has sent the
 * name.
 */
static struct json_object *name_json(struct nlattr *attr)
{
	const char *c = attr ? nla_get_string(attr) : "";
	char clean[40];
	size_t used = 0;

	for (; *c && used < sizeof(clean) - 1; c++)
		clean[used++] = *c >= ' ' && *c <= '~' ? *c : '?';
	return json_object_new_string_len(clean, used);
}

static struct json_object *address_json(struct nlattr *attr, uint32_t kind)
{
	union address address = {};
	char text[ADDRESS_TEXT];

	if (!attr)
		return NULL;
	nla_memcpy(&address, attr, sizeof(address));
	if (kind == HCA_NL_NETWORK_KIND_UDP)
		return json_object_new_string(address_text(&address, text));
	return json_object_new_string(station_text((const uint8_t *)&address, text));
}

static struct json_object *peer_json(struct nlattr *nest, uint32_t kind)
{
	static struct nla_policy types[HCA_NL_PEER_MAX + 1] = {
		[HCA_NL_PEER_NAME] = { .type = NLA_STRING },
		[HCA_NL_PEER_GUID] = { .type = NLA_U64 },
		[HCA_NL_PEER_PORT] = { .type = NLA_U32 },
	};
	struct nlattr *attr[HCA_NL_PEER_MAX + 1];
	struct json_object *peer;
	char guid[24];

	if (!nest || nla_parse_nested(attr, HCA_NL_PEER_MAX, nest, types) ||
	    !attr[HCA_NL_PEER_GUID] || !attr[HCA_NL_PEER_PORT])
		return NULL;
	snprintf(guid, sizeof(guid), "0x%016" PRIx64, nla_get_u64(attr[HCA_NL_PEER_GUID]));
	peer = json_object_new_object();
	json_object_object_add(peer, "address", address_json(attr[HCA_NL_PEER_ADDRESS], kind));
	json_object_object_add(peer, "description", name_json(attr[HCA_NL_PEER_NAME]));
	json_object_object_add(peer, "guid", json_object_new_string(guid));
	json_object_object_add(peer, "port",
			       json_object_new_int64(nla_get_u32(attr[HCA_NL_PEER_PORT])));
	return peer;
}

static struct json_object *text_json(const char *text)
{
	return text ? json_object_new_string(text) : NULL;
}

static struct json_object *refusal_json(struct nlattr *attr)
{
	uint32_t why = attr ? nla_get_u32(attr) : HCA_NL_REFUSAL_NOT;

	if (!why)
		return NULL;
	return json_object_new_string(why <= HCA_NL_REFUSAL_MAX ? refusals[why] :
								  "for a reason unknown here");
}

static struct json_object *count_json(struct nlattr *attr)
{
	return json_object_new_int64(attr ? nla_get_u64(attr) : 0);
}

static void add_arguments(struct json_object *object, struct nlattr **attr,
			  const struct network *network)
{
	json_object_object_add(object, "kind", text_json(network_kind_name(network->kind)));
	json_object_object_add(object, "interface", text_json(network->interface));
	json_object_object_add(object, "listen",
			       network->local ? json_object_new_int64(network->local) : NULL);
	json_object_object_add(object, "remote",
			       address_json(attr[HCA_NL_NETWORK_REMOTE], network->kind));
	json_object_object_add(object, "peer",
			       address_json(attr[HCA_NL_NETWORK_PEER], network->kind));
	json_object_object_add(object, "mtu",
			       network->mtu ? json_object_new_int64(network->mtu) : NULL);
	json_object_object_add(object, "key", text_json(network->key));
	json_object_object_add(object, "netns", text_json(network->netns));
}

struct json_object *network_json(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_NETWORK_MAX + 1];
	struct network *network = network_read(nest);
	struct json_object *object;

	if (!network || !network_attributes(nest, attr))
		return NULL;
	object = json_object_new_object();
	add_arguments(object, attr, network);
	json_object_object_add(object, "up", json_object_new_boolean(!!attr[HCA_NL_NETWORK_UP]));
	json_object_object_add(object, "peer_port",
			       peer_json(attr[HCA_NL_NETWORK_PEER_PORT], network->kind));
	json_object_object_add(object, "refused", refusal_json(attr[HCA_NL_NETWORK_REFUSED]));
	json_object_object_add(object, "rejected", count_json(attr[HCA_NL_NETWORK_REJECTED]));
	json_object_object_add(object, "forged", count_json(attr[HCA_NL_NETWORK_FORGED]));
	json_object_object_add(object, "replayed", count_json(attr[HCA_NL_NETWORK_REPLAYED]));
	json_object_object_add(object, "malformed", count_json(attr[HCA_NL_NETWORK_MALFORMED]));
	json_object_object_add(object, "incomplete", count_json(attr[HCA_NL_NETWORK_INCOMPLETE]));
	json_object_object_add(object, "overtaken", count_json(attr[HCA_NL_NETWORK_OVERTAKEN]));
	network_free(network);
	return object;
}

void network_print_arguments(FILE *file, struct json_object *network)
{
	static const char *const keywords[] = { "listen", "remote", "peer", "mtu", "key", "netns" };
	struct json_object *value = json_object_object_get(network, "interface");
	size_t i;

	fputs(json_object_get_string(json_object_object_get(network, "kind")), file);
	if (value)
		fprintf(file, " %s", json_object_get_string(value));
	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		value = json_object_object_get(network, keywords[i]);
		if (value)
			fprintf(file, " %s %s", keywords[i], json_object_get_string(value));
	}
}

static void print_peer(struct json_object *peer, bool up)
{
	printf("%s: port %" PRId64 " of \"%s\" guid %s at %s\n",
	       up ? "linked" : "found, but one end does not want the link",
	       json_object_get_int64(json_object_object_get(peer, "port")),
	       json_object_get_string(json_object_object_get(peer, "description")),
	       json_object_get_string(json_object_object_get(peer, "guid")),
	       json_object_get_string(json_object_object_get(peer, "address")));
}

static void print_counts(struct json_object *network, const char *indent)
{
	static const struct { const char *key, *text; } counts[] = {
		{ "rejected", "Hellos rejected" },
		{ "forged", "frames without our key dropped" },
		{ "replayed", "frames dropped that had come before" },
		{ "malformed", "frames dropped that make no sense" },
		{ "incomplete", "packets lost for want of a part" },
		{ "overtaken", "packets dropped that came after later ones" },
	};
	int64_t count;
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		count = json_object_get_int64(json_object_object_get(network, counts[i].key));
		if (count)
			printf("%s%s: %" PRId64 "\n", indent, counts[i].text, count);
	}
}

void network_print_state(struct json_object *network, const char *indent)
{
	struct json_object *peer = json_object_object_get(network, "peer_port");
	struct json_object *refused = json_object_object_get(network, "refused");

	fputs(indent, stdout);
	if (peer)
		print_peer(peer, json_object_get_boolean(json_object_object_get(network, "up")));
	else if (refused)
		printf("refused by the other end: %s\n", json_object_get_string(refused));
	else
		puts("no other end found");
	print_counts(network, indent);
}
