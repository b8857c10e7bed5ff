// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Notices that libhca-sdprun.so writes to standard error. */
#include "tools/sdp/notice.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A line of text that notice_append() extends. Text that does not fit into @octets is cut off. */
struct text {
	char octets[256];
	size_t length;
};

static void notice_append(struct text *text, const char *more)
{
	size_t room = sizeof(text->octets) - 1 - text->length, length = strnlen(more, room);

	memcpy(text->octets + text->length, more, length);
	text->length += length;
}

static void append_error(struct text *text, int error)
{
	const char *name = strerrorname_np(error);

	notice_append(text, " (");
	notice_append(text, name ? name : "unknown error");
	notice_append(text, ")");
}

void notice(const char *text, int error)
{
	struct text line = {};
	int saved = errno;
	ssize_t written;

	notice_append(&line, "sdprun: ");
	notice_append(&line, program_invocation_short_name);
	notice_append(&line, ": ");
	notice_append(&line, text);
	if (error)
		append_error(&line, error);
	line.octets[line.length++] = '\n';
	written = write(STDERR_FILENO, line.octets, line.length);
	(void)written; /* a failure to write is ignored */
	errno = saved;
}
