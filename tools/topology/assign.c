// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses lines NAME=VALUE, whose values apply to the lines that follow. */
#include <stdarg.h>
#include <stdio.h>
#include "reader.h"
#include "scan.h"

/*
 * GUIDs of the first channel adapter and the first switch whose GUIDs are not in the file. ibsim
 * assigns the same GUIDs.
 */
#define FIRST_CA_GUID 0x100000
#define FIRST_SWITCH_GUID 0x200000

/* The rate of a link whose rate is not in the file: 4x SDR. */
static const struct rate_masks default_masks = { .width = 2, .speed = 1 };

void reader_init(struct reader *reader, struct topology *topology, struct report *report)
{
	*reader = (struct reader){
		.topology = topology,
		.report = report,
		.place.file = topology->file,
		.node = NO_NODE,
		.next_guid = { [NODE_CA] = FIRST_CA_GUID, [NODE_SWITCH] = FIRST_SWITCH_GUID },
		.masks = default_masks,
	};
}

void fault(struct reader *reader, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	report(reader->report, &reader->place, "%s", message);
}

void oddity(struct reader *reader, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	report_warning(reader->report, &reader->place, "%s", message);
}

bool read_end(struct reader *reader, const char *rest)
{
	scan_blanks(&rest);
	if (!*rest || *rest == '#')
		return true;
	fault(reader, "'%.40s' is too much; behind a '#', it would be a comment", rest);
	return false;
}

static bool assign_guid(struct reader *reader, const char **rest, uint64_t *guid)
{
	if (scan_number(rest, UINT64_MAX, guid) && *guid)
		return true;
	fault(reader, "there must be a GUID, as in 0x0002c90300001234");
	return false;
}

static bool assign_id(struct reader *reader, const char **rest, uint64_t max, uint32_t *id)
{
	uint64_t number;

	if (!scan_number(rest, max, &number)) {
		fault(reader, "there must be a number, as in 0x%llx at most",
		      (unsigned long long)max);
		return false;
	}
	*id = number;
	return true;
}

bool assign_vendor(struct reader *reader, const char **rest)
{
	return assign_id(reader, rest, 0xffffff, &reader->vendor);
}

bool assign_device(struct reader *reader, const char **rest)
{
	return assign_id(reader, rest, 0xffff, &reader->device);
}

bool assign_system_guid(struct reader *reader, const char **rest)
{
	return assign_guid(reader, rest, &reader->system_guid);
}

/*
 * Parses 0x2c90200000000(2c90200000000) after "switchguid=": the GUID of the node and, in
 * parentheses, the GUID of its port 0.
 */
bool assign_switch_guid(struct reader *reader, const char **rest)
{
	if (!assign_guid(reader, rest, &reader->next_guid[NODE_SWITCH]))
		return false;
	reader->switch_port_guid = 0;
	if (!scan_text(rest, "("))
		return true;
	if (scan_hex(rest, &reader->switch_port_guid) && scan_text(rest, ")"))
		return true;
	fault(reader, "in parentheses there must be the GUID of port 0, as in (2c90300001234)");
	return false;
}

bool assign_ca_guid(struct reader *reader, const char **rest)
{
	return assign_guid(reader, rest, &reader->next_guid[NODE_CA]);
}

static bool assign_mask(struct reader *reader, const char **rest, uint32_t max, unsigned int *mask)
{
	uint64_t number;

	if (!scan_number(rest, max, &number) || !number) {
		fault(reader, "there must be a mask of what is enabled, 1 to %u", max);
		return false;
	}
	*mask = number;
	return true;
}

bool assign_width(struct reader *reader, const char **rest)
{
	return assign_mask(reader, rest, RATE_WIDTH_MAX, &reader->masks.width);
}

bool assign_speed(struct reader *reader, const char **rest)
{
	return assign_mask(reader, rest, RATE_SPEED_MAX, &reader->masks.speed);
}

bool read_extended(struct reader *reader, const char **rest, unsigned int *mask)
{
	uint64_t number;

	if (!scan_number(rest, RATE_EXTENDED_MASK, &number))
		return false;
	*mask = number & RATE_EXTENDED_MAX;
	if (number > RATE_EXTENDED_MAX) {
		*mask |= RATE_EXTENDED_MAX & ~(RATE_EXTENDED_MAX >> 1);
		oddity(reader, "extended speeds above %u are not known; NDR is taken for them",
		       RATE_EXTENDED_MAX);
	}
	return true;
}

bool assign_extended(struct reader *reader, const char **rest)
{
	if (read_extended(reader, rest, &reader->masks.extended))
		return true;
	fault(reader, "there must be a mask of what is enabled, 0 to %u", RATE_EXTENDED_MASK);
	return false;
}
