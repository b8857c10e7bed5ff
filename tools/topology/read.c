// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads files that describe a fabric. Each line is passed to the parser for this kind of line. */
#include "read.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "reader.h"
#include "scan.h"
#include "tools/lib/memory.h"

/*
 * Largest size of a file in octets. A file of ten thousand nodes is smaller. The limit protects
 * against files of other kinds.
 */
#define MAX_FILE (64u << 20)
#define MAX_LINE 1024

static const struct line_kind {
	const char *begin;
	void (*read)(struct reader *reader, const char *rest);
	bool (*assign)(struct reader *reader, const char **rest); /* parses the text after '=' */
} line_kinds[] = {
	{ .begin = "[", .read = read_port },
	{ .begin = "Switch", .read = read_switch },
	{ .begin = "Hca", .read = read_ca },
	{ .begin = "Ca", .read = read_ca },
	{ .begin = "vendid", .assign = assign_vendor },
	{ .begin = "devid", .assign = assign_device },
	{ .begin = "sysimgguid", .assign = assign_system_guid },
	{ .begin = "switchguid", .assign = assign_switch_guid },
	{ .begin = "caguid", .assign = assign_ca_guid },
	{ .begin = "hcaguid", .assign = assign_ca_guid },
	{ .begin = "width", .assign = assign_width },
	{ .begin = "speed", .assign = assign_speed },
	{ .begin = "extspeed", .assign = assign_extended },
	/* ibnetdiscover writes one of these lines above the nodes of a chassis. */
	{ .begin = "Chassis", .read = read_heading },
	{ .begin = "Non-Chassis Nodes", .read = read_heading },
	{ .begin = "Hostname:", .read = read_heading },
};

static const struct {
	const char *begin, *advice;
} refused[] = {
	{ "Rt", "routers are not part of a topology; leave it and its links out" },
	{ "rtguid", "routers are not part of a topology; leave it and its links out" },
	{ "@", "aliases are not read; name the node and its port" },
	{ "module", "prefixes are not read; write the names in full" },
	{ "include", "other files are not read; put what it has here" },
	{ "do", "commands are not carried out; leave it out" },
	{ "pdebug", "ibsim's debugging is not meant here; leave it out" },
};

/* Recognizes messages of infiniband-diags, which may be mixed with the output of a tool. */
static bool is_diagnostic(const char *line)
{
	static const char *const begins[] = {
		"ibwarn: [", "ibpanic: [", "iberror: [", "ibdebug: [", "ibnetdiscover: ",
		"libibumad: ", "libibmad: ",
	};
	const char *rest = strstr(line, ".c:");
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])))
			return true;
	/* A message may begin with the place in a C file, in the form "NAME.c:NUMBER;". */
	if (!rest || (size_t)(rest - line) != strcspn(line, " \"."))
		return false;
	rest += strlen(".c:");
	i = strspn(rest, "0123456789");
	return i && rest[i] == ';';
}

static void read_assignment(struct reader *reader, const struct line_kind *kind, const char *rest)
{
	/* Both "caguid" and "caguids" are valid. */
	scan_text(&rest, "s");
	if (!scan_mark(&rest, "=")) {
		fault(reader, "'%s' must have a '=' behind it", kind->begin);
		return;
	}
	reader->node = NO_NODE;
	if (kind->assign(reader, &rest))
		read_end(reader, rest);
}

static void read_line(struct reader *reader, const char *line)
{
	size_t i;

	for (i = 0; i < sizeof(line_kinds) / sizeof(line_kinds[0]); i++) {
		const struct line_kind *kind = &line_kinds[i];
		const char *rest = line;

		if (!scan_text(&rest, kind->begin))
			continue;
		if (kind->assign)
			read_assignment(reader, kind, rest);
		else
			kind->read(reader, rest);
		return;
	}
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (!strncmp(line, refused[i].begin, strlen(refused[i].begin))) {
			fault(reader, "%s", refused[i].advice);
			return;
		}
	fault(reader, "the line begins with none of: Switch, Ca, Hca, [PORT], #, switchguid, "
		      "caguid, sysimgguid, vendid, devid, width, speed, extspeed");
}

/*
 * Returns whether a control character is not allowed in a file. In an error message, it could
 * change the state of the terminal. A 0 would hide the rest of its line.
 */
static bool is_control(unsigned char octet)
{
	return (octet < ' ' && octet != '\t') || octet == 0x7f;
}

/* Reads a line. An empty line or the next record ends a record. Comments may be anywhere. */
static void read_octets(struct reader *reader, const char *octets, size_t length)
{
	char line[MAX_LINE + 1];
	const char *begin = line;
	size_t i;

	if (length && octets[length - 1] == '\r')
		length--;
	if (length > MAX_LINE) {
		fault(reader, "the line has %zu octets; it may have %d", length, MAX_LINE);
		return;
	}
	for (i = 0; i < length; i++)
		if (is_control(octets[i])) {
			fault(reader, "octet %zu of the line is 0x%02x; it must be text", i + 1,
			      (unsigned char)octets[i]);
			return;
		}
	memcpy(line, octets, length);
	line[length] = '\0';
	scan_blanks(&begin);
	if (is_diagnostic(begin))
		oddity(reader, "what a tool has said of itself is left out");
	else if (*begin && *begin != '#')
		read_line(reader, begin);
	else if (!*begin)
		reader->node = NO_NODE;
}

bool topology_read_text(const char *name, const char *text, size_t length,
			struct topology *topology, struct report *report)
{
	const char *end = text + length, *line_end;
	struct reader reader;

	topology->file = need(strdup(name));
	reader_init(&reader, topology, report);
	for (; text < end; text = line_end + 1) {
		line_end = memchr(text, '\n', end - text) ?: end;
		reader.place.line++;
		read_octets(&reader, text, line_end - text);
	}
	if (!report->count)
		claims_join(&reader.claims, topology, report);
	claims_clear(&reader.claims);
	reader.place.line = 0;
	if (!report->count && !topology->num_nodes)
		fault(&reader, "it has no nodes; is it what ibnetdiscover prints, or a net file of "
		      "ibsim?");
	return !report->count;
}

/* Reads a whole file. Return: NULL after reporting an error. */
static char *read_slurp(FILE *file, const struct place *place, struct report *report_to,
			size_t *length)
{
	size_t got, room = 1 << 16;
	char *text = need(malloc(room));

	for (*length = 0; (got = fread(text + *length, 1, room - *length, file)); ) {
		*length += got;
		if (*length == room && room <= MAX_FILE)
			text = need(realloc(text, room *= 2));
	}
	if (ferror(file))
		report(report_to, place, "it cannot be read: %m");
	else if (*length > MAX_FILE)
		report(report_to, place, "it has more than %u octets", MAX_FILE);
	else
		return text;
	free(text);
	return NULL;
}

bool topology_read(const char *path, struct topology *topology, struct report *report_to)
{
	bool is_stdin = !strcmp(path, "-"), good = false;
	struct place place = { .file = is_stdin ? "standard input" : path };
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	size_t length;
	char *text;

	if (!file) {
		report(report_to, &place, "it cannot be read: %m");
		return false;
	}
	text = read_slurp(file, &place, report_to, &length);
	if (text)
		good = topology_read_text(place.file, text, length, topology, report_to);
	free(text);
	if (!is_stdin)
		fclose(file);
	return good;
}
