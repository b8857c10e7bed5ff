/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Attributes as tables of fields: where on the wire a field is, and which member of a structure
 * holds it. The wire counts bits from the most significant one of the first octet.
 */
#ifndef HCA_SMA_FIELD_H
#define HCA_SMA_FIELD_H

#include <linux/stddef.h>
#include <linux/types.h>

struct hca_field {
	u16 bit; /* of the attribute's data */
	u8 width; /* bits */
	u8 size; /* of the member, octets: 1, 2, 4 in host byte order; 8 is a __be64 */
	u16 member; /* its offset */
};

#define HCA_FIELD(type, name, octet, bit_in_octet, bits)                                           \
	{                                                                                          \
		.bit = (octet) * 8 + (bit_in_octet), .width = (bits),                              \
		.size = sizeof_field(type, name), .member = offsetof(type, name),                  \
	}

/* One field, by its place: @width up to 64. */
void hca_field_put(u8 *data, unsigned int bit, unsigned int width, u64 value);
u64 hca_field_get(const u8 *data, unsigned int bit, unsigned int width);

/**
 * hca_fields_pack() - write members as an attribute
 * @field: table
 * @count: its rows
 * @from: structure
 * @data: attribute; bits that no field covers are left alone
 */
void hca_fields_pack(const struct hca_field *field, unsigned int count, const void *from, u8 *data);

/**
 * hca_fields_unpack() - read members from an attribute
 * @field: table
 * @count: its rows
 * @data: attribute
 * @to: structure; members that no field names are left alone
 */
void hca_fields_unpack(const struct hca_field *field, unsigned int count, const u8 *data, void *to);

#endif
