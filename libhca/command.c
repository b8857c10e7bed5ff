// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands for the uverbs object types of this driver. */
#include "command.h"
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>
#include <sys/ioctl.h>

int hca_command(const struct ibv_context *context, uint16_t object, uint16_t method,
		struct ib_uverbs_attr *attrs, unsigned int n)
{
	union {
		struct ib_uverbs_ioctl_hdr header;
		char room[sizeof(struct ib_uverbs_ioctl_hdr) +
			  HCA_COMMAND_ATTRS * sizeof(struct ib_uverbs_attr)];
	} cmd = {
		.header = {
			.length = sizeof(cmd.header) + n * sizeof(*attrs),
			.object_id = object,
			.method_id = method,
			.num_attrs = n,
			.driver_id = 0, /* RDMA_DRIVER_UNKNOWN */
		},
	};

	memcpy(cmd.header.attrs, attrs, n * sizeof(*attrs));
	if (ioctl(context->cmd_fd, RDMA_VERBS_IOCTL, &cmd))
		return errno;
	memcpy(attrs, cmd.header.attrs, n * sizeof(*attrs));
	return 0;
}
