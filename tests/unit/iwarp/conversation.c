// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads the conversations of tests/golden/iwarp, and compares their fields with what tests find. */
#include "tests/unit/iwarp/conversation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <check.h>
#include <linux/kernel.h>
#include "tests/unit/wire/golden.h"

#define MAX_FOUND 48

const char *const golden_conversations[] = { "enhanced", "markers", "messages", "terminate" };
const int golden_num_conversations = ARRAY_SIZE(golden_conversations);

/* Fields that were found in a frame: numbers, or octets. */
static struct found {
	const char *name;
	u64 value;
	const u8 *octets;
	u32 len;
} found[MAX_FOUND];
static int num_found;

void golden_found_none(void)
{
	num_found = 0;
}

void golden_found_number(const char *name, u64 value)
{
	ck_assert_int_lt(num_found, MAX_FOUND);
	found[num_found++] = (struct found){ .name = name, .value = value };
}

void golden_found_octets(const char *name, const u8 *octets, u32 len)
{
	ck_assert_int_lt(num_found, MAX_FOUND);
	found[num_found++] = (struct found){ .name = name, .octets = octets, .len = len };
}

static void golden_read_comment(struct golden_conversation *c, const char *line)
{
	struct golden_frame *frame;
	struct golden_field *field;

	if (sscanf(line, "# frame %127[^\n]", c->frame[c->num_frames].title) == 1) {
		c->num_frames++;
		ck_assert_int_lt(c->num_frames, GOLDEN_MAX_FRAMES);
		return;
	}
	if (!c->num_frames)
		return;
	frame = &c->frame[c->num_frames - 1];
	field = &frame->field[frame->num_fields];
	if (sscanf(line, "# expect %63s == %127s", field->name, field->value) == 2 ||
	    sscanf(line, "# also %63s == %127s", field->name, field->value) == 2)
		frame->num_fields++;
	ck_assert_int_lt(frame->num_fields, GOLDEN_MAX_FIELDS);
}

static void golden_read_octets(struct golden_conversation *c, const char *line)
{
	struct golden_frame *frame;
	unsigned int offset, octet;
	int used;

	ck_assert_int_gt(c->num_frames, 0);
	frame = &c->frame[c->num_frames - 1];
	if (*line == 'O' || *line == 'I') {
		frame->from_responder = *line == 'I';
		return;
	}
	ck_assert_int_eq(sscanf(line, "%x%n", &offset, &used), 1);
	ck_assert_uint_eq(offset, frame->len);
	for (line += used; sscanf(line, "%2x%n", &octet, &used) == 1; line += used) {
		ck_assert_uint_lt(frame->len, GOLDEN_MAX_OCTETS);
		frame->octets[frame->len++] = octet;
	}
}

void golden_read(struct golden_conversation *conversation, const char *name)
{
	char directory[480], path[512], line[512];
	FILE *file;

	golden_directory(directory, sizeof(directory));
	snprintf(path, sizeof(path), "%.400s/iwarp/%.80s.txt", directory, name);
	file = fopen(path, "r");
	ck_assert_msg(file, "%s (HCA_GOLDEN)", path);
	memset(conversation, 0, sizeof(*conversation));
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			golden_read_comment(conversation, line);
		else
			golden_read_octets(conversation, line);
	}
	fclose(file);
	ck_assert_int_gt(conversation->num_frames, 2);
}

static u32 golden_text_octets(const char *text, u8 *data)
{
	unsigned int octet;
	u32 len = 0;
	int used;

	for (; sscanf(text, "%2x%n", &octet, &used) == 1; text += used + (text[used] == ':'))
		data[len++] = octet;
	return len;
}

static bool golden_agrees(const struct found *f, const char *text)
{
	u8 data[128];
	u32 len;

	if (!f->octets)
		return f->value == strtoull(text, NULL, 0);
	len = golden_text_octets(text, data);
	return len == f->len && !memcmp(data, f->octets, len);
}

/* A field that there are several of, such as FPDUPTR, is right if one of them has the value. */
void golden_assert(const struct golden_frame *frame)
{
	int field, i;

	ck_assert_int_gt(frame->num_fields, 0);
	for (field = 0; field < frame->num_fields; field++) {
		const struct golden_field *f = &frame->field[field];

		for (i = 0; i < num_found; i++)
			if (!strcmp(f->name, found[i].name) && golden_agrees(&found[i], f->value))
				break;
		ck_assert_msg(i < num_found, "%s: %s is not %s", frame->title, f->name, f->value);
	}
}
