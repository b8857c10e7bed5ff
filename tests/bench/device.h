/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The function by which the programs of the benchmark open their device. */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <err.h>
#include <string.h>
#include <infiniband/verbs.h>

/* Return: the context of a device. The program ends with a message if it cannot be opened. */
static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int i;

	if (!list)
		err(1, "ibv_get_device_list");
	for (i = 0; list[i] && !context; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			context = ibv_open_device(list[i]);
	if (!context)
		errx(1, "%s: no such device, or it cannot be opened", name);
	ibv_free_device_list(list);
	return context;
}

#endif
