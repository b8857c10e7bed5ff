// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion between structures and a wire format that a table of fields describes. */
#include "wire/field.h"
#include <linux/kernel.h>
#include <linux/string.h>

void hca_field_put(u8 *data, unsigned int bit, unsigned int width, u64 value)
{
	/* Each turn of the loop writes one octet, beginning with the least significant bits. */
	while (width) {
		unsigned int last = bit + width - 1;
		unsigned int shift = 7 - last % 8;
		unsigned int n = min(width, 8 - shift);
		u8 mask = ((1u << n) - 1) << shift;

		data[last / 8] = (data[last / 8] & ~mask) | ((u8)(value << shift) & mask);
		value >>= n;
		width -= n;
	}
}

u64 hca_field_get(const u8 *data, unsigned int bit, unsigned int width)
{
	u64 value = 0;

	/* Each turn of the loop reads one octet, beginning with the most significant bits. */
	while (width) {
		unsigned int left = 8 - bit % 8;
		unsigned int n = min(width, left);

		value = value << n | (data[bit / 8] >> (left - n) & ((1u << n) - 1));
		bit += n;
		width -= n;
	}
	return value;
}

static u64 field_read(const void *p, unsigned int size)
{
	__be64 key;

	switch (size) {
	case 1:
		return *(const u8 *)p;
	case 2:
		return *(const u16 *)p;
	case 4:
		return *(const u32 *)p;
	default:
		memcpy(&key, p, sizeof(key));
		return be64_to_cpu(key);
	}
}

static void field_write(void *p, unsigned int size, u64 value)
{
	__be64 key;

	switch (size) {
	case 1:
		*(u8 *)p = value;
		break;
	case 2:
		*(u16 *)p = value;
		break;
	case 4:
		*(u32 *)p = value;
		break;
	default:
		key = cpu_to_be64(value);
		memcpy(p, &key, sizeof(key));
	}
}

void hca_fields_pack(const struct hca_field *field, unsigned int count, const void *from, u8 *data)
{
	for (; count; field++, count--)
		hca_field_put(data, field->bit, field->width,
			      field_read(from + field->member, field->size));
}

void hca_fields_unpack(const struct hca_field *field, unsigned int count, const u8 *data, void *to)
{
	for (; count; field++, count--)
		field_write(to + field->member, field->size,
			    hca_field_get(data, field->bit, field->width));
}
