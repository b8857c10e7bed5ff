/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Commands for the uverbs object types of this driver. libibverbs has no public function for
 * them, so the provider calls the ioctl of uverbs itself.
 */
#ifndef HCA_COMMAND_H
#define HCA_COMMAND_H

#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdint.h>
#include <string.h>

struct ibv_context;

/* Maximum number of attributes of a command. */
#define HCA_COMMAND_ATTRS 5

/* An attribute for a handle. The kernel writes the handle of a new object to member data. */
static inline struct ib_uverbs_attr hca_attr_handle(uint16_t id, uint32_t handle)
{
	return (struct ib_uverbs_attr){
		.attr_id = id,
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = handle,
	};
}

/*
 * An attribute for a structure at @data, which the kernel reads or writes. A structure that the
 * kernel reads must be longer than 8 octets.
 */
static inline struct ib_uverbs_attr hca_attr_struct(uint16_t id, const void *data, uint16_t octets)
{
	return (struct ib_uverbs_attr){
		.attr_id = id,
		.len = octets,
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = (uintptr_t)data,
	};
}

/* An attribute for a structure that the kernel writes to @data, if hca.ko knows the attribute. */
static inline struct ib_uverbs_attr hca_attr_optional(uint16_t id, void *data, uint16_t octets)
{
	struct ib_uverbs_attr attr = hca_attr_struct(id, data, octets);

	attr.flags = 0;
	return attr;
}

/* An attribute for a number that the kernel reads. The attribute itself contains the number. */
static inline struct ib_uverbs_attr hca_attr_u32(uint16_t id, uint32_t number)
{
	struct ib_uverbs_attr attr = {
		.attr_id = id,
		.len = sizeof(number),
		.flags = UVERBS_ATTR_F_MANDATORY,
	};

	memcpy(&attr.data, &number, sizeof(number));
	return attr;
}

/**
 * hca_command() - call a method of an object
 * @context: context that the kernel has allocated
 * @object: type of the object: enum hca_objects, or UVERBS_OBJECT_*
 * @method: method of that type
 * @attrs: @n attributes; handles of new objects are filled in
 * @n: number of attributes, at most HCA_COMMAND_ATTRS
 *
 * Return: 0, an errno of the method, or EPROTONOSUPPORT if hca.ko does not have the method.
 */
int hca_command(const struct ibv_context *context, uint16_t object, uint16_t method,
		struct ib_uverbs_attr *attrs, unsigned int n);

#endif
