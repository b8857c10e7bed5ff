/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tables of fields, which describe a wire format as struct ib_field of <rdma/ib_pack.h> does. A row
 * contains the position of a field in the wire format, and the structure member with the value of
 * the field. Bit 0 of the wire format is the most significant bit of the first octet. Linux's
 * ib_pack() is not used, because this code is also compiled in user space.
 */
#ifndef HCA_WIRE_FIELD_H
#define HCA_WIRE_FIELD_H

#include <linux/stddef.h>
#include <linux/types.h>

struct hca_field {
	u16 bit; /* offset in the wire format, bits */
	u8 width; /* number of bits in the wire format */
	u8 size; /* octets of the member: 1, 2 or 4 for a u8, u16 or u32; 8 for a __be64 */
	u16 member; /* offset of the member in its structure, octets */
};

#define HCA_FIELD(type, name, octet, bit_in_octet, bits)                                           \
	{                                                                                          \
		.bit = (octet) * 8 + (bit_in_octet), .width = (bits),                              \
		.size = sizeof_field(type, name), .member = offsetof(type, name),                  \
	}

/**
 * hca_field_put() - write one field of a wire format
 * @data: octets of the wire format
 * @bit: offset of the field's most significant bit
 * @width: bits, 1 to 64
 * @value: value of the field; higher bits are ignored
 *
 * Context: any.
 */
void hca_field_put(u8 *data, unsigned int bit, unsigned int width, u64 value);

/**
 * hca_field_get() - read one field of a wire format
 * @data: octets of the wire format
 * @bit: offset of the field's most significant bit
 * @width: bits, 1 to 64
 *
 * Context: any.
 * Return: the value of the field.
 */
u64 hca_field_get(const u8 *data, unsigned int bit, unsigned int width);

/**
 * hca_fields_pack() - write the members of a structure in wire format
 * @field: table of fields
 * @count: rows of @field
 * @from: structure to read
 * @data: octets to write; bits that no field covers are not changed
 *
 * Context: any.
 */
void hca_fields_pack(const struct hca_field *field, unsigned int count, const void *from, u8 *data);

/**
 * hca_fields_unpack() - read the members of a structure from a wire format
 * @field: table of fields
 * @count: rows of @field
 * @data: octets to read
 * @to: structure to write; members that no field names are not changed
 *
 * Context: any.
 */
void hca_fields_unpack(const struct hca_field *field, unsigned int count, const u8 *data, void *to);

#endif
