// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints sockets as a table. */
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"
#include "tools/lib/table.h"
#include "tools/stat/output.h"

/*
 * Number of columns without --extended. With these columns, a table of IPv4 addresses is at most 80
 * characters wide.
 */
#define NUM_PLAIN (COLUMN_PEER + 1)

static char *text_users(const struct processes *processes, uint64_t inode)
{
	size_t i = processes_find(processes, inode);
	char *text = need(strdup("")), *longer;
	const struct process *process;

	for (; i < processes->count && processes->all[i].inode == inode; i++) {
		process = &processes->all[i];
		longer = need_text("%s%s\"%s\",pid=%u,fd=%u", text, *text ? " " : "",
				   process->name, process->pid, process->fd);
		free(text);
		text = longer;
	}
	if (*text)
		return text;
	free(text);
	return need(strdup("-"));
}

void output_text(const struct sdp_sockets *sockets, const struct processes *processes,
		 const struct options *options)
{
	size_t shown = options->extended ? NUM_COLUMNS : NUM_PLAIN, i, column;
	const char *titles[NUM_COLUMNS + 1];
	struct table table = { .titles = titles };
	const struct sdp_socket *socket;

	for (column = 0; column < shown; column++)
		titles[table.columns++] = columns[column].heading;
	if (options->processes)
		titles[table.columns++] = "PROCESSES";
	for (i = 0; i < sockets->count; i++) {
		socket = &sockets->all[i];
		if (!options_choose(options, socket))
			continue;
		for (column = 0; column < shown; column++)
			table_add(&table, need(strdup(socket->values[column] ?: "-")),
				  COLOR_NONE);
		if (options->processes)
			table_add(&table, text_users(processes, socket->numbers[COLUMN_INODE]),
				  COLOR_NONE);
	}
	table_print(stdout, &table);
	table_clear(&table);
}
