// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Checks the 40 octets before a datagram: a global route header, or the IP header that RoCE has in
 * its place.
 */
#include <string.h>
#include "iteration.h"
#include "outcome.h"

#define TRAFFIC_CLASS 0x58
#define FLOW_LABEL 0x12345
#define HOP_LIMIT 64

#define NEXT_HEADER 0x1b /* NxtHdr of a GRH: InfiniBand transport */
#define BTH_DETH_ICRC (12 + 8 + 4)
#define IMM 4

#define IPV4 20 /* offset of the IPv4 header in the 40 octets, for RoCE */
#define IPV4_SOURCE (IPV4 + 12) /* offset of the source address */
#define IPV4_DESTINATION (IPV4 + 16) /* offset of the destination address */
#define GID_IPV4 12 /* offset of the IPv4 address in an IPv4-mapped GID */

void grh_fill(struct ibv_ah_attr *attr, const struct end *from, const union ibv_gid *to)
{
	attr->is_global = 1;
	attr->grh = (struct ibv_global_route){
		.dgid = *to,
		.flow_label = FLOW_LABEL,
		.sgid_index = from->gid_index,
		.hop_limit = HOP_LIMIT,
		.traffic_class = TRAFFIC_CLASS,
	};
}

static const union ibv_gid *grh_destination(const struct iteration *iteration,
					    const struct flow *flow)
{
	return iteration->task->service->flags & SERVICE_MULTICAST ? &iteration->group :
								     &flow->to->gid;
}

static bool grh_expect(const struct flow *flow, const struct request *request, const char *field,
		       uint32_t actual, uint32_t expected)
{
	return actual == expected ||
	       wrong("%s: message %u: the GRH has %s %#x instead of %#x", flow->to->label,
		     shown_number(request), field, actual, expected);
}

static bool expect_octets(const struct flow *flow, const struct request *request, const char *field,
			  const uint8_t *actual, const uint8_t *expected, size_t length)
{
	return !memcmp(actual, expected, length) ||
	       wrong("%s: message %u: the GRH has another %s", flow->to->label,
		     shown_number(request), field);
}

static bool check_infiniband(const struct flow *flow, const struct request *request,
			     const uint8_t *grh)
{
	uint32_t first = (uint32_t)grh[0] << 24 | grh[1] << 16 | grh[2] << 8 | grh[3];
	uint32_t length = BTH_DETH_ICRC + (request->verb->flags & VERB_IMM ? IMM : 0) +
			  (request->length + 3) / 4 * 4;

	return grh_expect(flow, request, "version", first >> 28, 6) &&
	       grh_expect(flow, request, "traffic class", first >> 20 & 0xff, TRAFFIC_CLASS) &&
	       grh_expect(flow, request, "flow label", first & 0xfffff, FLOW_LABEL) &&
	       grh_expect(flow, request, "payload length", grh[4] << 8 | grh[5], length) &&
	       grh_expect(flow, request, "next header", grh[6], NEXT_HEADER) &&
	       grh_expect(flow, request, "hop limit", grh[7], HOP_LIMIT);
}

bool grh_check(const struct iteration *iteration, const struct flow *flow,
	       const struct request *request, const uint8_t *grh)
{
	const struct ibv_grh *ipv6 = (const struct ibv_grh *)grh;
	const union ibv_gid *to = grh_destination(iteration, flow), *from = &flow->from->gid;

	if (!flow->from->is_ethernet && !check_infiniband(flow, request, grh))
		return false;
	if (flow->from->is_ethernet && grh[IPV4] >> 4 == 4 && grh[0] >> 4 != 6)
		return expect_octets(flow, request, "source", grh + IPV4_SOURCE,
				     from->raw + GID_IPV4, 4) &&
		       expect_octets(flow, request, "destination", grh + IPV4_DESTINATION,
				     to->raw + GID_IPV4, 4);
	return expect_octets(flow, request, "SGID", ipv6->sgid.raw, from->raw, sizeof(from->raw)) &&
	       expect_octets(flow, request, "DGID", ipv6->dgid.raw, to->raw, sizeof(to->raw));
}
