// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The doorbell: a file of our own among the context's uverbs objects, whose write() makes the
 * engine look (V3-135, V3-138). libibverbs has no public way to make an object of a driver's
 * own, so this speaks to uverbs itself.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include "libhca.h"

int hca_doorbell_open(struct hca_context *context)
{
	union {
		struct ib_uverbs_ioctl_hdr header;
		char room[sizeof(struct ib_uverbs_ioctl_hdr) + sizeof(struct ib_uverbs_attr)];
	} cmd = {
		.header = {
			.length = sizeof(cmd),
			.object_id = HCA_OBJECT_DOORBELL,
			.method_id = HCA_METHOD_DOORBELL_ALLOC,
			.num_attrs = 1,
			.driver_id = 0, /* RDMA_DRIVER_UNKNOWN */
		},
	};
	struct ib_uverbs_attr *fd = &cmd.header.attrs[0];

	*fd = (struct ib_uverbs_attr){
		.attr_id = HCA_ATTR_DOORBELL_ALLOC_FD,
		.flags = UVERBS_ATTR_F_MANDATORY,
	};
	if (ioctl(context->verbs.context.cmd_fd, RDMA_VERBS_IOCTL, &cmd))
		return errno;
	context->doorbell = fd->data_s64;
	return 0;
}

void hca_doorbell_close(struct hca_context *context)
{
	close(context->doorbell);
}

int hca_doorbell_ring(const struct hca_context *context, uint32_t qpn)
{
	ssize_t n;

	do
		n = write(context->doorbell, &qpn, sizeof(qpn));
	while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return n < 0 ? errno : 0;
}
