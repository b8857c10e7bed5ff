// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Address handles (req V3-323 to V3-326) and address vectors of queue pairs. A handle contains only
 * an address vector. Posting copies the vector, so the handle is not used afterwards (req V3-156).
 */
#include "transport/path.h"
#include "verbs/ib/ca_device.h"

/* Converts attributes of the RDMA core to an address vector. Context: any. Return: 0 or -EINVAL. */
int hca_av_from_ah_attr(struct ib_device *ib, const struct rdma_ah_attr *attr, struct hca_av *av)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(attr);

	if (attr->type != RDMA_AH_ATTR_TYPE_IB || !rdma_is_port_valid(ib, attr->port_num))
		return -EINVAL;
	*av = (struct hca_av){
		.dlid = attr->ib.dlid,
		.sl = attr->sl,
		.src_path_bits = attr->ib.src_path_bits,
		.static_rate = attr->static_rate,
		.port_num = attr->port_num,
	};
	if (attr->ah_flags & IB_AH_GRH) {
		av->has_grh = 1;
		av->sgid_index = grh->sgid_index;
		av->hop_limit = grh->hop_limit;
		av->traffic_class = grh->traffic_class;
		av->flow_label = grh->flow_label;
		memcpy(av->dgid, grh->dgid.raw, sizeof(av->dgid));
	}
	return hca_av_valid(av) ? 0 : -EINVAL;
}

/* Converts an address vector to attributes of the RDMA core. Context: any. */
void hca_av_to_ah_attr(const struct hca_av *av, struct rdma_ah_attr *attr)
{
	union ib_gid dgid;

	*attr = (struct rdma_ah_attr){
		.type = RDMA_AH_ATTR_TYPE_IB,
		.sl = av->sl,
		.static_rate = av->static_rate,
		.port_num = av->port_num,
		.ib.dlid = av->dlid,
		.ib.src_path_bits = av->src_path_bits,
	};
	if (av->has_grh) {
		memcpy(dgid.raw, av->dgid, sizeof(dgid.raw));
		rdma_ah_set_grh(attr, &dgid, av->flow_label, av->sgid_index, av->hop_limit,
				av->traffic_class);
	}
}

/* Creates an address handle for a kernel consumer or a process. */
int hca_ib_create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	struct hca_ib_context *context = hca_udata_context(udata);
	int ret;

	to_hca_ib_ah(ah)->context = context;
	ret = hca_context_object_add(ah->device, context, HCA_OBJ_AH);
	if (ret)
		return ret;
	ret = hca_av_from_ah_attr(ah->device, init->ah_attr, &to_hca_ib_ah(ah)->av);
	if (ret)
		hca_context_object_del(ah->device, context, HCA_OBJ_AH);
	return ret;
}

int hca_ib_modify_ah(struct ib_ah *ah, struct rdma_ah_attr *attr)
{
	struct hca_av av;
	int ret;

	ret = hca_av_from_ah_attr(ah->device, attr, &av);
	if (!ret)
		to_hca_ib_ah(ah)->av = av;
	return ret;
}

/* Implements query_ah for ib_mad, which queries the address handle of each LID-routed response. */
int hca_ib_query_ah(struct ib_ah *ah, struct rdma_ah_attr *attr)
{
	hca_av_to_ah_attr(&to_hca_ib_ah(ah)->av, attr);
	return 0;
}

int hca_ib_destroy_ah(struct ib_ah *ah, u32 flags)
{
	hca_context_object_del(ah->device, to_hca_ib_ah(ah)->context, HCA_OBJ_AH);
	return 0;
}
