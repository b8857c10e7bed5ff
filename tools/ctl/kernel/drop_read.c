// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads dropped packets from a file of tracefs. */
#include "tools/ctl/kernel/drop_read.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "tools/ctl/drop_line.h"

struct handler {
	void (*handle)(const struct drop *drop, void *arg);
	void *arg;
};

static void read_line(struct drop_reader *reader, const char *line, const struct handler *handler)
{
	struct drop drop;
	uint64_t lost = 0;

	switch (drop_line_parse(line, &drop, &lost)) {
	case DROP_LINE_DROP:
		handler->handle(&drop, handler->arg);
		break;
	case DROP_LINE_LOST:
		reader->lost += lost;
		break;
	case DROP_LINE_WRONG:
		reader->wrong++;
		break;
	case DROP_LINE_OTHER:
		break;
	}
}

/*
 * Parses all complete lines in the buffer, and moves the incomplete last line to the beginning of
 * the buffer.
 */
static void read_lines(struct drop_reader *reader, const struct handler *handler)
{
	char *line = reader->line, *end;

	while ((end = memchr(line, '\n', reader->line + reader->used - line))) {
		*end = '\0';
		if (!reader->is_overlong)
			read_line(reader, line, handler);
		reader->is_overlong = false;
		line = end + 1;
	}
	reader->used -= line - reader->line;
	memmove(reader->line, line, reader->used);
	if (reader->used < sizeof(reader->line))
		return;
	reader->wrong += !reader->is_overlong;
	reader->is_overlong = true;
	reader->used = 0;
}

bool drop_read(struct drop_reader *reader, void (*handle)(const struct drop *drop, void *arg),
	       void *arg)
{
	const struct handler handler = { handle, arg };
	ssize_t length;

	while ((length = read(reader->fd, reader->line + reader->used,
			      sizeof(reader->line) - reader->used)) > 0) {
		reader->used += length;
		read_lines(reader, &handler);
	}
	return !length || errno == EAGAIN || errno == EINTR;
}
