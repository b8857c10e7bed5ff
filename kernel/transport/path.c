// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion of address vectors to LRHs and GRHs. */
#include "transport/path.h"
#include <linux/string.h>

void hca_path_fill(struct hca_packet *pkt, const struct hca_port *port, const struct hca_av *av)
{
	struct hca_lrh *lrh = &pkt->h.lrh;
	struct hca_grh *grh = &pkt->h.grh;
	u8 lmc_mask = (1u << READ_ONCE(port->info.lmc)) - 1;

	lrh->vl = 0;
	lrh->lver = 0;
	lrh->sl = av->sl;
	lrh->dlid = av->dlid;
	lrh->slid = READ_ONCE(port->info.lid) | (av->src_path_bits & lmc_mask);
	lrh->lnh = av->has_grh ? IB_LNH_IBA_GLOBAL : IB_LNH_IBA_LOCAL;
	if (!av->has_grh)
		return;

	grh->ipver = HCA_GRH_IPVER;
	grh->tclass = av->traffic_class;
	grh->flow_label = av->flow_label;
	grh->nxthdr = HCA_GRH_NXTHDR_IBA;
	grh->hoplmt = av->hop_limit;
	grh->sgid.subnet_prefix = READ_ONCE(port->info.subnet_prefix);
	grh->sgid.interface_id = READ_ONCE(port->tables.guid[av->sgid_index]);
	memcpy(grh->dgid.raw, av->dgid, sizeof(grh->dgid));
}

bool hca_av_valid(const struct hca_av *av)
{
	return av->sl < 16 && av->src_path_bits < 128 &&
	       (av->has_grh ? av->sgid_index < HCA_GUIDS && av->flow_label < 1u << 20 :
			      /* a multicast DLID needs a GRH (req C4-090) */
			      !hca_lid_is_multicast(av->dlid));
}
