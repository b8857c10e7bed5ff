// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A live socket that becomes the stream of an RNIC's queue pair (req R0-253). */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "command.h"
#include "libhca.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME(HCADV_STREAM_INITIATOR, HCA_STREAM_INITIATOR);
SAME(HCADV_STREAM_RESPONDER, HCA_STREAM_RESPONDER);
SAME(HCADV_STREAM_IMMEDIATE, HCA_STREAM_IMMEDIATE);
SAME(HCADV_STREAM_MESSAGE_MAX, HCA_STREAM_MESSAGE_MAX);
SAME(HCADV_STREAM_PRIVATE_MAX, HCA_STREAM_PRIVATE_MAX);
#undef SAME

static int stream_check(const struct ibv_qp *qp, size_t length, size_t pd_length)
{
	struct ibv_device *device = qp->context->device;

	if (!hca_is_ours(device) || device->transport_type != IBV_TRANSPORT_IWARP)
		return EOPNOTSUPP;
	if (length > HCADV_STREAM_MESSAGE_MAX || pd_length > HCADV_STREAM_PRIVATE_MAX)
		return EINVAL;
	return 0;
}

/* An attribute of octets that the kernel reads. It contains them itself if they are few. */
static struct ib_uverbs_attr stream_octets(uint16_t id, const void *octets, size_t length)
{
	struct ib_uverbs_attr attr = hca_attr_struct(id, octets, length);

	if (length > sizeof(attr.data))
		return attr;
	attr.data = 0;
	memcpy(&attr.data, octets, length);
	return attr;
}

int hcadv_attach_stream(struct ibv_qp *qp, int fd, enum hcadv_stream_role role,
			const void *last_message, size_t length, const void *private_data,
			size_t pd_length, uint32_t flags)
{
	const struct hca_stream_start start = { .fd = fd, .role = role, .flags = flags };
	struct ib_uverbs_attr attrs[4] = {
		hca_attr_handle(HCA_ATTR_QP_STREAM_HANDLE, qp->handle),
		hca_attr_struct(HCA_ATTR_QP_STREAM_START, &start, sizeof(start)),
	};
	int ret = stream_check(qp, length, pd_length);
	unsigned int n = 2;

	if (ret)
		return ret;
	if (length)
		attrs[n++] = stream_octets(HCA_ATTR_QP_STREAM_MESSAGE, last_message, length);
	if (pd_length)
		attrs[n++] = stream_octets(HCA_ATTR_QP_STREAM_PRIVATE, private_data, pd_length);
	return hca_command(qp->context, UVERBS_OBJECT_QP, HCA_METHOD_QP_ATTACH_STREAM, attrs, n);
}
