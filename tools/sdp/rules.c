// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Matches the rules that choose between SDP and TCP for the sockets of a program. */
#include "tools/sdp/rules.h"
#include <arpa/inet.h>
#include <fnmatch.h>
#include <netinet/in.h>
#include <string.h>

/* An address and a port that rules are compared with */
struct endpoint {
	int family;
	const uint8_t *address;
	uint16_t port;
};

static struct endpoint endpoint_of_inet6(const struct sockaddr_in6 *in6)
{
	const uint8_t *address = in6->sin6_addr.s6_addr;
	struct endpoint endpoint = { AF_INET6, address, ntohs(in6->sin6_port) };

	if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
		endpoint.family = AF_INET;
		endpoint.address = address + 12;
	}
	return endpoint;
}

static struct endpoint endpoint_of(const struct sockaddr *address)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)address;

	if (address->sa_family == AF_INET6)
		return endpoint_of_inet6((const struct sockaddr_in6 *)address);
	return (struct endpoint){ AF_INET, (const uint8_t *)&in->sin_addr, ntohs(in->sin_port) };
}

static bool begins_equal(const uint8_t *a, const uint8_t *b, unsigned int bits)
{
	unsigned int whole = bits / 8, rest = bits % 8;

	return !memcmp(a, b, whole) && (!rest || !((a[whole] ^ b[whole]) >> (8 - rest)));
}

static bool rule_matches(const struct sdp_rule *rule, enum sdp_role role,
			 const struct endpoint *endpoint)
{
	if (!(rule->roles & role) || endpoint->port < rule->first || endpoint->port > rule->last)
		return false;
	if (rule->family == AF_UNSPEC)
		return true;
	return rule->family == endpoint->family &&
	       begins_equal(rule->address, endpoint->address, rule->prefix);
}

enum sdp_use sdp_rules_find(const struct sdp_rules *rules, enum sdp_role role,
			    const struct sockaddr *address)
{
	struct endpoint endpoint = endpoint_of(address);
	unsigned int i;

	for (i = 0; i < rules->count; i++)
		if (rule_matches(&rules->rules[i], role, &endpoint))
			return rules->rules[i].use;
	return rules->otherwise;
}

void sdp_rules_select(struct sdp_rules *rules, const char *program)
{
	unsigned int i, count = 0;

	for (i = 0; i < rules->count; i++)
		if (!fnmatch(rules->rules[i].program, program, 0))
			rules->rules[count++] = rules->rules[i];
	rules->count = count;
}

static bool matches_all(const struct sdp_rule *rule)
{
	return rule->roles == (SDP_ROLE_SERVER | SDP_ROLE_CLIENT) && rule->family == AF_UNSPEC &&
	       !rule->first && rule->last == UINT16_MAX;
}

bool sdp_rules_are_total(const struct sdp_rules *rules, enum sdp_use *use)
{
	if (rules->count && !matches_all(&rules->rules[0]))
		return false;
	*use = rules->count ? rules->rules[0].use : rules->otherwise;
	return true;
}
