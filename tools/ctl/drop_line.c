// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses lines of tracefs about the tracepoint hca_drop. */
#include "tools/ctl/drop_line.h"
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "tools/lib/number.h"

#define EVENT ": hca_drop: "

/* A field of a line, which consists of a key and a number */
struct field {
	const char *key;
	size_t offset; /* offset of the number in struct drop */
	uint64_t max;
};

static const struct field before_opcode[] = {
	{ "node=", offsetof(struct drop, node), UINT64_MAX },
	{ " port=", offsetof(struct drop, port), UINT8_MAX },
	{ " slid=", offsetof(struct drop, slid), UINT16_MAX },
	{ " dlid=", offsetof(struct drop, dlid), UINT16_MAX },
	{ " vl=", offsetof(struct drop, vl), UINT8_MAX },
	{ " sl=", offsetof(struct drop, sl), UINT8_MAX },
	{}
};

static const struct field behind_opcode[] = {
	{ " qpn=", offsetof(struct drop, qpn), UINT32_MAX },
	{ " psn=", offsetof(struct drop, psn), UINT32_MAX },
	{ " octets=", offsetof(struct drop, octets), UINT16_MAX },
	{}
};

/* Advances *text past a key. Return: false if *text does not begin with the key. */
static bool line_skip(const char **text, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(*text, key, length))
		return false;
	*text += length;
	return true;
}

/*
 * Parses a number of at most @max, and advances *text past it. A GUID is hexadecimal (0x...). Other
 * numbers are decimal. Return: false if the text does not begin with such a number.
 */
static bool scan_number(const char **text, uint64_t max, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**text) || !number_scan(*text, 0, &end, number) ||
	    *number > max)
		return false;
	*text = end;
	return true;
}

static bool scan_fields(const char **text, const struct field *field, struct drop *drop)
{
	for (; field->key; field++)
		if (!line_skip(text, field->key) ||
		    !scan_number(text, field->max, (uint64_t *)((char *)drop + field->offset)))
			return false;
	return true;
}

/*
 * Copies the octets from @text up to @end, and appends a 0 octet. Return: false if there are no
 * octets, too many, or octets that are not printable.
 */
static bool line_copy(char *to, const char *text, const char *end)
{
	size_t i, length = end - text;

	if (!length || length >= DROP_TEXT)
		return false;
	for (i = 0; i < length; i++)
		if (!isprint((unsigned char)text[i]))
			return false;
	memcpy(to, text, length);
	to[length] = '\0';
	return true;
}

/* Sets drop->time to the last word before the event. Return: false if the word is not a time. */
static bool scan_time(const char *line, const char *event, struct drop *drop)
{
	const char *begin = event;

	while (begin > line && begin[-1] != ' ')
		begin--;
	return line_copy(drop->time, begin, event) &&
	       drop->time[strspn(drop->time, "0123456789.")] == '\0';
}

static bool scan_packet(const char *text, struct drop *drop)
{
	const char *behind, *quote;

	if (!scan_fields(&text, before_opcode, drop) || !line_skip(&text, " "))
		return false;
	behind = strstr(text, behind_opcode[0].key);
	if (!behind || !line_copy(drop->opcode, text, behind) ||
	    !scan_fields(&behind, behind_opcode, drop) || !line_skip(&behind, " reason=\""))
		return false;
	quote = strrchr(behind, '"');
	return quote && !quote[1] && line_copy(drop->reason, behind, quote);
}

/*
 * Returns the last occurrence of the event's name in a line; NULL if there is none. The name of the
 * process, which comes before the event, may also contain this name.
 */
static const char *find_event(const char *line)
{
	const char *event = NULL, *next = line;

	while ((next = strstr(next, EVENT)))
		event = next++;
	return event;
}

/*
 * Parses the heading of a trace. The heading contains the number of events in the trace buffer, and
 * the number of all events that were written to the buffer. *lost is set to the difference.
 */
static bool scan_heading(const char *text, uint64_t *lost)
{
	uint64_t kept, written;

	if (!scan_number(&text, UINT64_MAX, &kept) || !line_skip(&text, "/") ||
	    !scan_number(&text, UINT64_MAX, &written))
		return false;
	*lost = written > kept ? written - kept : 0;
	return true;
}

/* Parses a line about lost events. If the line does not contain their number, *lost is set to 1. */
static bool scan_gap(const char *line, uint64_t *lost)
{
	const char *text = strstr(line, " [LOST ");

	*lost = 1;
	if (!text || !line_skip(&text, " [LOST "))
		return false;
	return !strcmp(text, "EVENTS]") ||
	       (scan_number(&text, UINT64_MAX, lost) && !strcmp(text, " EVENTS]"));
}

enum drop_line drop_line_parse(const char *line, struct drop *drop, uint64_t *lost)
{
	const char *event = find_event(line), *rest = line;

	if (event)
		return scan_time(line, event, drop) &&
		       scan_packet(event + strlen(EVENT), drop) ? DROP_LINE_DROP : DROP_LINE_WRONG;
	if (line_skip(&rest, "# entries-in-buffer/entries-written: "))
		return scan_heading(rest, lost) ? DROP_LINE_LOST : DROP_LINE_WRONG;
	if (line_skip(&rest, "CPU:"))
		return scan_gap(rest, lost) ? DROP_LINE_LOST : DROP_LINE_WRONG;
	return DROP_LINE_OTHER;
}
