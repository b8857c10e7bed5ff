// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Prints a sequence diagram as text. It is 80 characters wide, unless it has more than six columns.
 */
#include <stdlib.h>
#include <string.h>
#include "ladder.h"
#include "mark.h"
#include "time_style.h"
#include "tools/lib/memory.h"

#define WIDTH 80
#define TIME_WIDTH 14
#define FIRST_X 18 /* position of the first column */
#define LAST_MARGIN 4 /* margin to the right of the last column */
#define MIN_GAP 11 /* least distance between two columns */
#define MAX_WIDTH (FIRST_X + LADDER_MAX_COLUMNS * MIN_GAP + LAST_MARGIN)

#define MAX_LABEL (LADDER_NAME_OCTETS + LADDER_DETAIL_OCTETS + MARKS_TEXT_OCTETS)

struct sheet {
	FILE *to;
	const struct ladder *ladder;
	unsigned int width;
	char row[MAX_WIDTH + 1];
};

static unsigned int gaps_of(const struct ladder *ladder)
{
	return ladder->num_columns > 1 ? ladder->num_columns - 1 : 1;
}

static unsigned int width_of(const struct ladder *ladder)
{
	unsigned int least = FIRST_X + gaps_of(ladder) * MIN_GAP + LAST_MARGIN;

	return least > WIDTH ? least : WIDTH;
}

static unsigned int x_of(const struct sheet *sheet, unsigned int column)
{
	return FIRST_X + column * (sheet->width - FIRST_X - LAST_MARGIN) / gaps_of(sheet->ladder);
}

static void begin_row(struct sheet *sheet, char line)
{
	unsigned int i;

	memset(sheet->row, ' ', sheet->width);
	sheet->row[sheet->width] = 0;
	for (i = 0; i < sheet->ladder->num_columns; i++)
		sheet->row[x_of(sheet, i)] = line;
}

static void end_row(struct sheet *sheet)
{
	unsigned int end = sheet->width;

	while (end && sheet->row[end - 1] == ' ')
		end--;
	fprintf(sheet->to, "%.*s\n", end, sheet->row);
}

/* Writes a text into the row. A text that exceeds the row is cut off. */
static void sheet_put(struct sheet *sheet, unsigned int x, const char *text)
{
	size_t length = strlen(text);

	if (x + length > sheet->width)
		length = sheet->width - x;
	memcpy(sheet->row + x, text, length);
}

static void put_centred(struct sheet *sheet, unsigned int x, const char *text, unsigned int room)
{
	unsigned int length = strnlen(text, room);
	char part[MAX_WIDTH + 1];

	snprintf(part, sizeof(part), "%.*s", length, text);
	x -= length / 2;
	sheet_put(sheet, x + length > sheet->width ? sheet->width - length : x, part);
}

/* --- head --------------------------------------------------------------------------------- */

static unsigned int name_room(const struct sheet *sheet)
{
	unsigned int room = x_of(sheet, 1) - x_of(sheet, 0) - 1;

	return room < 2 * (FIRST_X - 1) ? room : 2 * (FIRST_X - 1);
}

static void print_names(struct sheet *sheet)
{
	unsigned int i;

	begin_row(sheet, ' ');
	for (i = 0; i < sheet->ladder->num_columns; i++)
		put_centred(sheet, x_of(sheet, i), sheet->ladder->columns[i].name,
			    name_room(sheet));
	end_row(sheet);
}

/* Prints a row with the queue pair of each column that has only one. */
static void print_qpns(struct sheet *sheet)
{
	bool has_any = false;
	char text[16];
	unsigned int i;

	begin_row(sheet, ' ');
	for (i = 0; i < sheet->ladder->num_columns; i++) {
		if (!ladder_has_qpn(sheet->ladder, i))
			continue;
		snprintf(text, sizeof(text), "qp %u", sheet->ladder->columns[i].qpn);
		put_centred(sheet, x_of(sheet, i), text, name_room(sheet));
		has_any = true;
	}
	if (has_any)
		end_row(sheet);
}

/* --- arrows ------------------------------------------------------------------------------- */

/*
 * The positions of an arrow's first and last character in a row. The arrow of a lost packet is
 * shortened at its tip.
 */
struct shaft {
	unsigned int first, last;
	bool is_leftward, is_lost;
};

static struct shaft shaft_of(const struct sheet *sheet, const struct ladder_event *event)
{
	bool is_leftward = event->to < event->from;
	unsigned int left = x_of(sheet, is_leftward ? event->to : event->from) + 1;
	unsigned int right = x_of(sheet, is_leftward ? event->from : event->to) - 1;
	struct shaft shaft = { left, right, is_leftward, event->marks & MARK_LOST };
	unsigned int part = (right - left) / 8;

	if (shaft.is_lost && is_leftward)
		shaft.first += part;
	else if (shaft.is_lost)
		shaft.last -= part;
	return shaft;
}

static void put_shaft(struct sheet *sheet, const struct shaft *shaft)
{
	memset(sheet->row + shaft->first, '-', shaft->last - shaft->first + 1);
	if (shaft->is_leftward)
		sheet->row[shaft->first] = shaft->is_lost ? 'X' : '<';
	else
		sheet->row[shaft->last] = shaft->is_lost ? 'X' : '>';
}

/* Writes the label into the shaft, which must be six characters longer than the label. */
static void put_label(struct sheet *sheet, const struct shaft *shaft, const char *label)
{
	unsigned int x = shaft->first + (shaft->is_leftward ? 3 : 2);

	sheet->row[x] = ' ';
	sheet_put(sheet, x + 1, label);
	sheet->row[x + 1 + strlen(label)] = ' ';
}

static bool label_fits(const struct shaft *shaft, const char *label)
{
	return strlen(label) + 6 <= shaft->last - shaft->first + 1;
}

/* Writes a label above its arrow. */
static void print_label_row(struct sheet *sheet, const struct ladder_event *event,
			    const char *label)
{
	unsigned int x = x_of(sheet, event->from < event->to ? event->from : event->to) + 2;
	size_t length = strlen(label);

	if (x + length > sheet->width)
		x = length < sheet->width - FIRST_X ? sheet->width - length : FIRST_X;
	begin_row(sheet, '|');
	sheet_put(sheet, x, label);
	end_row(sheet);
}

static void put_time(struct sheet *sheet, u64 first_ns, u64 ns)
{
	size_t length;
	char *text;
	FILE *to = need(open_memstream(&text, &length));

	time_print_difference(to, first_ns, ns);
	fclose(to);
	if (length < TIME_WIDTH)
		sheet_put(sheet, TIME_WIDTH - length, text);
	else
		memcpy(sheet->row, text, length < FIRST_X ? length : FIRST_X - 1);
	free(text);
}

static void print_event(struct sheet *sheet, const struct ladder_event *event)
{
	char detail[LADDER_DETAIL_OCTETS], marks[MARKS_TEXT_OCTETS], label[MAX_LABEL];
	bool is_arrow = event->from != event->to, is_inside;
	struct shaft shaft = shaft_of(sheet, event);

	ladder_detail(sheet->ladder, event, detail);
	marks_text(event->marks, marks);
	snprintf(label, sizeof(label), "%s%s%s%s%s", event->name, detail[0] ? " " : "", detail,
		 marks[0] ? " " : "", marks);
	is_inside = is_arrow && label_fits(&shaft, label);
	if (!is_inside)
		print_label_row(sheet, event, label);
	begin_row(sheet, '|');
	put_time(sheet, sheet->ladder->events[0].time_ns, event->time_ns);
	if (is_arrow)
		put_shaft(sheet, &shaft);
	if (is_inside)
		put_label(sheet, &shaft, label);
	end_row(sheet);
}

static void print_pause(struct sheet *sheet, const char *duration)
{
	char text[LADDER_DURATION_OCTETS + 2];

	snprintf(text, sizeof(text), "(%s)", duration);
	begin_row(sheet, ':');
	sheet_put(sheet, TIME_WIDTH - (strlen(text) < TIME_WIDTH ? strlen(text) : TIME_WIDTH),
		  text);
	end_row(sheet);
}

void ladder_print_text(FILE *to, const struct ladder *ladder)
{
	struct sheet sheet = { .to = to, .ladder = ladder, .width = width_of(ladder) };
	u64 typical_ns = ladder_typical_ns(ladder);
	char duration[LADDER_DURATION_OCTETS];
	unsigned int i;

	if (!ladder->num_events)
		return;
	print_names(&sheet);
	print_qpns(&sheet);
	for (i = 0; i < ladder->num_events; i++) {
		if (ladder_pause(ladder, i, typical_ns, duration))
			print_pause(&sheet, duration);
		print_event(&sheet, &ladder->events[i]);
	}
	if (ladder->left_out)
		fprintf(to, "(%llu packets more)\n", ladder->left_out);
}
