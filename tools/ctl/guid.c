// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses GUIDs, and derives GUIDs from names. */
#include "tools/ctl/guid.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include "tools/lib/rng.h"

static int digit_value(char digit)
{
	if (isdigit((unsigned char)digit))
		return digit - '0';
	return tolower((unsigned char)digit) - 'a' + 10;
}

/* Parses @groups groups of @digits hexadecimal digits each. Colons separate the groups. */
static bool parse_groups(const char *text, int groups, int digits, uint64_t *guid)
{
	uint64_t value = 0;
	int i;

	if (strlen(text) != (size_t)(groups * (digits + 1) - 1))
		return false;
	for (i = 0; text[i]; i++) {
		if (i % (digits + 1) == digits) {
			if (text[i] != ':')
				return false;
		} else {
			if (!isxdigit((unsigned char)text[i]))
				return false;
			value = value << 4 | digit_value(text[i]);
		}
	}
	*guid = value;
	return true;
}

bool guid_parse(const char *text, uint64_t *guid)
{
	size_t digits;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		digits = strlen(text + 2);
		return digits >= 1 && digits <= 16 && parse_groups(text + 2, 1, digits, guid);
	}
	return parse_groups(text, 8, 2, guid) || parse_groups(text, 4, 4, guid);
}

/*
 * Continues an FNV-1a hash with a text and the 0 octet at its end. The 0 octet makes the texts "a",
 * "bc" differ from the texts "ab", "c".
 */
static uint64_t guid_hash(uint64_t state, const char *text)
{
	do
		state = (state ^ (unsigned char)*text) * 0x100000001b3ULL;
	while (*text++);
	return state;
}

uint64_t guid_derive(const char *machine_id, const char *node_seed, const char *name)
{
	uint64_t state = 0xcbf29ce484222325ULL;

	state = guid_hash(state, "hca guid");
	state = guid_hash(state, machine_id);
	state = guid_hash(state, node_seed);
	state = guid_hash(state, name);
	/*
	 * The hash is mixed once more, because the last octets of the text hardly change the high
	 * bits of an FNV-1a hash.
	 */
	return guid_from_bits(rng_mix(state));
}

uint64_t guid_from_bits(uint64_t bits)
{
	return (bits & ~(GUID_GROUP_BIT | GUID_PORTS_MASK)) | GUID_LOCAL_BIT;
}
