/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Commands for objects of our own among a context's uverbs objects. libibverbs has no public way
 * to them, so this speaks to uverbs itself.
 */
#ifndef HCA_COMMAND_H
#define HCA_COMMAND_H

#include <stdint.h>
#include <rdma/rdma_user_ioctl_cmds.h>

struct ibv_context;

/* More than this no command has. */
#define HCA_COMMAND_ATTRS 4

/* An object that exists: of one that is made, the kernel's answer is its handle, in data. */
static inline struct ib_uverbs_attr hca_attr_handle(uint16_t id, uint32_t handle)
{
	return (struct ib_uverbs_attr){
		.attr_id = id,
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = handle,
	};
}

/* A structure, of more than 8 octets if it goes in: read from @data, or written to it. */
static inline struct ib_uverbs_attr hca_attr_struct(uint16_t id, const void *data, uint16_t octets)
{
	return (struct ib_uverbs_attr){
		.attr_id = id,
		.len = octets,
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = (uintptr_t)data,
	};
}

/**
 * hca_command() - call a method of an object
 * @context: known to the kernel
 * @object: enum hca_objects
 * @method: one of that object's
 * @attrs: @n of them; handles of what is made are filled in
 * @n: at most HCA_COMMAND_ATTRS
 *
 * Return: 0 or an errno: what the method says; EPROTONOSUPPORT: hca.ko does not have it.
 */
int hca_command(const struct ibv_context *context, uint16_t object, uint16_t method,
		struct ib_uverbs_attr *attrs, unsigned int n);

#endif
