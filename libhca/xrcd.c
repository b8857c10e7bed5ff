// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* XRC domains, which processes can share by the inode of a file. */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

struct ibv_xrcd *hca_open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attr)
{
	VERBS_COMMAND(struct ib_uverbs_open_xrcd) cmd = {};
	struct ib_uverbs_open_xrcd_resp resp;
	struct verbs_xrcd *xrcd;
	int ret;

	xrcd = calloc(1, sizeof(*xrcd));
	if (!xrcd)
		return NULL;
	ret = ibv_cmd_open_xrcd(context, xrcd, sizeof(*xrcd), attr, &cmd, sizeof(cmd), &resp,
				sizeof(resp));
	if (ret) {
		free(xrcd);
		errno = ret;
		return NULL;
	}
	return &xrcd->xrcd;
}

int hca_close_xrcd(struct ibv_xrcd *ibv)
{
	struct verbs_xrcd *xrcd = HCA_CONTAINER(ibv, struct verbs_xrcd, xrcd);
	int ret;

	ret = ibv_cmd_close_xrcd(xrcd);
	if (!ret)
		free(xrcd);
	return ret;
}
