// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The doorbell: a uverbs object of this driver that is a file. A write() to it makes the engine
 * process queue pairs (req V3-135, V3-138).
 */
#include <errno.h>
#include <unistd.h>
#include "command.h"
#include "libhca.h"

int hca_doorbell_open(struct hca_context *context)
{
	struct ib_uverbs_attr fd = hca_attr_handle(HCA_ATTR_DOORBELL_ALLOC_FD, 0);
	int ret;

	ret = hca_command(&context->verbs.context, HCA_OBJECT_DOORBELL, HCA_METHOD_DOORBELL_ALLOC,
			  &fd, 1);
	if (!ret)
		context->doorbell = fd.data_s64;
	return ret;
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
