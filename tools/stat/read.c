// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads /proc/net/sdp, or a copy of it. */
#include "tools/stat/read.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"

#define BETWEEN " \n"
#define MAX_TITLES 64

/* A file that is being read, and its columns */
struct reader {
	const char *path;
	size_t number; /* number of the current line */
	enum column titles[MAX_TITLES];
	size_t count;
};

static void read_titles(struct reader *reader, char *line)
{
	bool is_there[NUM_COLUMNS + 1] = {};
	char *rest, *title = strtok_r(line, BETWEEN, &rest);
	size_t i;

	for (; title && reader->count < MAX_TITLES; title = strtok_r(NULL, BETWEEN, &rest)) {
		reader->titles[reader->count] = column_find(title);
		is_there[reader->titles[reader->count++]] = true;
	}
	for (i = 0; i < NUM_COLUMNS; i++) {
		if (columns[i].is_needed && !is_there[i])
			die("%s: the first line names no column %s", reader->path,
			    columns[i].title);
	}
}

static bool parse_value(struct sdp_socket *socket, enum column column, const char *value)
{
	const char *port;

	if (!strcmp(value, "-"))
		return column != COLUMN_STATE;
	socket->values[column] = value;
	switch (columns[column].kind) {
	case COLUMN_NUMBER:
		return number_parse_range(value, 10, 0, UINT64_MAX, &socket->numbers[column]);
	case COLUMN_NAME:
		port = strrchr(value, ':');
		return port && number_parse_range(port + 1, 10, 1, UINT16_MAX,
						  &socket->numbers[column]);
	default:
		return true;
	}
}

/* Parses a line into a socket. The socket owns the line afterwards. */
static void read_socket(const struct reader *reader, struct sdp_socket *socket, char *line)
{
	char *rest, *value = strtok_r(line, BETWEEN, &rest);
	enum column column;
	size_t i;

	*socket = (struct sdp_socket){ .line = line };
	for (i = 0; value && i < reader->count; i++) {
		column = reader->titles[i];
		if (column < NUM_COLUMNS && !parse_value(socket, column, value))
			die("%s:%zu: '%s' is not what the column %s has", reader->path,
			    reader->number, value, columns[column].title);
		value = strtok_r(NULL, BETWEEN, &rest);
	}
	if (value || i < reader->count)
		die("%s:%zu: has %s values than the first line has columns", reader->path,
		    reader->number, value ? "more" : "fewer");
}

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file && errno == ENOENT && !strcmp(path, SOCKETS_PATH))
		die("there is no %s: hca_sdp.ko is not loaded", path);
	if (!file)
		die_errno("cannot open %s", path);
	return file;
}

void sockets_read(const char *path, struct sdp_sockets *sockets)
{
	FILE *file = open_file(path);
	struct reader reader = { .path = path };
	char *line = NULL;
	size_t size = 0;

	*sockets = (struct sdp_sockets){};
	for (; getline(&line, &size, file) >= 0; line = NULL, size = 0) {
		if (!reader.number++) {
			read_titles(&reader, line);
			free(line);
			continue;
		}
		sockets->all = grow(sockets->all, sockets->count, sizeof(*sockets->all));
		read_socket(&reader, &sockets->all[sockets->count++], line);
	}
	free(line);
	if (ferror(file))
		die_errno("cannot read %s", path);
	if (!reader.number)
		die("%s is empty", path);
	fclose(file);
}

void sockets_free(struct sdp_sockets *sockets)
{
	size_t i;

	for (i = 0; i < sockets->count; i++)
		free(sockets->all[i].line);
	free(sockets->all);
	*sockets = (struct sdp_sockets){};
}
