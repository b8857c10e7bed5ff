// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The events file: a uverbs object of this driver from which events of EE contexts are read (req
 * V3-206). It is opened when the first EE context is created or when the program asks for its
 * descriptor.
 */
#include <errno.h>
#include <unistd.h>
#include "command.h"
#include "libhca.h"

/* Open the events file if it is not open. The caller holds events_lock. Return: 0 or an errno. */
static int open_once(struct hca_context *context)
{
	struct ib_uverbs_attr fd = hca_attr_handle(HCA_ATTR_EVENTS_ALLOC_FD, 0);
	int ret;

	if (context->events >= 0)
		return 0;
	ret = hca_command(&context->verbs.context, HCA_OBJECT_EVENTS, HCA_METHOD_EVENTS_ALLOC, &fd,
			  1);
	if (!ret)
		context->events = fd.data_s64;
	return ret;
}

void hca_events_init(struct hca_context *context)
{
	context->events = -1;
	pthread_mutex_init(&context->events_lock, NULL);
}

void hca_events_close(struct hca_context *context)
{
	if (context->events >= 0)
		close(context->events);
	pthread_mutex_destroy(&context->events_lock);
}

int hcadv_eec_event_fd(struct ibv_context *ibv)
{
	struct hca_context *context = to_hca_context(ibv);
	int ret;

	if (!hca_is_ours(ibv->device)) {
		errno = EOPNOTSUPP;
		return -1;
	}
	pthread_mutex_lock(&context->events_lock);
	ret = open_once(context);
	pthread_mutex_unlock(&context->events_lock);
	if (!ret)
		return context->events;
	errno = ret;
	return -1;
}

int hcadv_get_eec_event(struct ibv_context *context, struct hcadv_eec_event *event)
{
	int fd = hcadv_eec_event_fd(context);
	struct hca_eec_event from;

	if (fd < 0 || read(fd, &from, sizeof(from)) != sizeof(from))
		return errno;
	*event = (struct hcadv_eec_event){
		.eecn = from.eecn,
		.event_type = from.type,
	};
	return 0;
}
