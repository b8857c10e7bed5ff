/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Address handles of the kernel. Those of libibverbs are the provider's, which asks the kernel for
 * none; other programs may.
 */
#ifndef TESTS_LAB_KERNEL_AH_H
#define TESTS_LAB_KERNEL_AH_H

#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

static inline bool kernel_ah_command(const struct ibv_context *context, uint32_t number, void *cmd,
				     size_t size, uint32_t answer)
{
	struct ib_uverbs_cmd_hdr *hdr = cmd;

	*hdr = (struct ib_uverbs_cmd_hdr){ number, size / 4, answer / 4 };
	return write(context->cmd_fd, cmd, size) == (ssize_t)size;
}

/* Return: whether there is one, whose handle is *@handle. */
static inline bool kernel_ah_create(const struct ibv_pd *pd, uint32_t *handle)
{
	struct ib_uverbs_create_ah_resp resp = {};
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_create_ah core;
	} cmd = { .core = {
		.response = (uintptr_t)&resp,
		.pd_handle = pd->handle,
		.attr = { .dlid = 1, .port_num = 1 },
	} };

	if (!kernel_ah_command(pd->context, IB_USER_VERBS_CMD_CREATE_AH, &cmd, sizeof(cmd),
			       sizeof(resp)))
		return false;
	*handle = resp.ah_handle;
	return true;
}

static inline bool kernel_ah_destroy(const struct ibv_context *context, uint32_t handle)
{
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_destroy_ah core;
	} cmd = { .core = { .ah_handle = handle } };

	return kernel_ah_command(context, IB_USER_VERBS_CMD_DESTROY_AH, &cmd, sizeof(cmd), 0);
}

#endif
