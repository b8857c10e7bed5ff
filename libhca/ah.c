// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Address handles. A handle contains only an address vector. Send WQEs contain a copy of the
 * vector, so the kernel does not know handles (req V3-165) and a handle may be destroyed while
 * requests that used it are outstanding. The engine checks each vector again (req V3-160).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libhca.h"

#define MAX_SL 15
#define MAX_PATH_BITS 127
#define MAX_FLOW_LABEL 0xfffff
#define FIRST_MULTICAST_LID 0xc000
#define PERMISSIVE_LID 0xffff

/*
 * Return whether a static rate is 0 (the rate of the port), or a rate of IBA that libibverbs knows.
 */
static bool rate_valid(uint8_t rate)
{
	return rate == IBV_RATE_MAX || ibv_rate_to_mbps(rate) > 0;
}

static bool grh_valid(const struct ibv_global_route *grh, uint16_t num_gids)
{
	return grh->sgid_index < num_gids && grh->flow_label <= MAX_FLOW_LABEL;
}

/*
 * Return whether a LID is a multicast LID, which needs a GRH with the group as DGID (req C4-090).
 */
static bool ah_lid_is_multicast(uint16_t lid)
{
	return lid >= FIRST_MULTICAST_LID && lid != PERMISSIVE_LID;
}

bool hca_ah_attr_valid(const struct hca_context *context, const struct ibv_ah_attr *attr)
{
	uint8_t port = attr->port_num;

	return port >= 1 && port <= context->num_ports && attr->sl <= MAX_SL &&
	       attr->src_path_bits <= MAX_PATH_BITS && rate_valid(attr->static_rate) &&
	       (attr->is_global ? grh_valid(&attr->grh, context->num_gids[port]) :
				  !ah_lid_is_multicast(attr->dlid));
}

void hca_av_fill(struct hca_av *av, const struct ibv_ah_attr *attr)
{
	*av = (struct hca_av){
		.dlid = attr->dlid,
		.sl = attr->sl,
		.src_path_bits = attr->src_path_bits,
		.static_rate = attr->static_rate,
		.port_num = attr->port_num,
	};
	if (!attr->is_global)
		return;
	av->has_grh = 1;
	av->sgid_index = attr->grh.sgid_index;
	av->hop_limit = attr->grh.hop_limit;
	av->traffic_class = attr->grh.traffic_class;
	av->flow_label = attr->grh.flow_label;
	memcpy(av->dgid, attr->grh.dgid.raw, sizeof(av->dgid));
}

/* Convert an address vector to the attributes of an address handle. */
void hca_av_to_ah_attr(const struct hca_av *av, struct ibv_ah_attr *attr)
{
	*attr = (struct ibv_ah_attr){
		.dlid = av->dlid,
		.sl = av->sl,
		.src_path_bits = av->src_path_bits,
		.static_rate = av->static_rate,
		.port_num = av->port_num,
		.is_global = av->has_grh,
	};
	if (!av->has_grh)
		return;
	attr->grh.sgid_index = av->sgid_index;
	attr->grh.hop_limit = av->hop_limit;
	attr->grh.traffic_class = av->traffic_class;
	attr->grh.flow_label = av->flow_label;
	memcpy(attr->grh.dgid.raw, av->dgid, sizeof(av->dgid));
}

struct ibv_ah *hca_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct hca_ah *ah;

	if (hca_is_rnic(pd->context->device)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (!hca_ah_attr_valid(to_hca_context(pd->context), attr)) {
		errno = EINVAL;
		return NULL;
	}
	ah = calloc(1, sizeof(*ah));
	if (!ah)
		return NULL;
	hca_av_fill(&ah->av, attr);
	atomic_fetch_add(&to_hca_pd(pd)->users, 1);
	return &ah->ah;
}

int hca_destroy_ah(struct ibv_ah *ah)
{
	atomic_fetch_sub(&to_hca_pd(ah->pd)->users, 1);
	free(to_hca_ah(ah));
	return 0;
}

int hcadv_query_ah(struct ibv_ah *ah, struct ibv_ah_attr *attr)
{
	if (!hca_is_ours(ah->context->device))
		return EOPNOTSUPP;
	hca_av_to_ah_attr(&to_hca_ah(ah)->av, attr);
	return 0;
}

int hcadv_modify_ah(struct ibv_ah *ah, const struct ibv_ah_attr *attr)
{
	if (!hca_is_ours(ah->context->device))
		return EOPNOTSUPP;
	if (!hca_ah_attr_valid(to_hca_context(ah->context), attr))
		return EINVAL;
	hca_av_fill(&to_hca_ah(ah)->av, attr);
	return 0;
}
