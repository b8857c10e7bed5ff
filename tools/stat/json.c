// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints sockets as JSON. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include "tools/stat/output.h"

/* Returns a JSON object of an address and a port. The brackets of an IPv6 address are removed. */
static struct json_object *json_name(const char *value, uint64_t port)
{
	struct json_object *object = json_object_new_object();
	bool has_brackets = *value == '[';
	const char *end = strrchr(value, ':');

	value += has_brackets;
	end -= has_brackets && end > value;
	json_object_object_add(object, "address",
			       json_object_new_string_len(value, (int)(end - value)));
	json_object_object_add(object, "port", json_object_new_int64((int64_t)port));
	return object;
}

static struct json_object *value_of(const struct sdp_socket *socket, enum column column)
{
	switch (columns[column].kind) {
	case COLUMN_NUMBER:
		return json_object_new_int64((int64_t)socket->numbers[column]);
	case COLUMN_NAME:
		return json_name(socket->values[column], socket->numbers[column]);
	default:
		return json_object_new_string(socket->values[column]);
	}
}

static struct json_object *json_users(const struct processes *processes, uint64_t inode)
{
	struct json_object *array = json_object_new_array(), *object;
	size_t i = processes_find(processes, inode);
	const struct process *process;

	for (; i < processes->count && processes->all[i].inode == inode; i++) {
		process = &processes->all[i];
		object = json_object_new_object();
		json_object_object_add(object, "name", json_object_new_string(process->name));
		json_object_object_add(object, "pid", json_object_new_int64(process->pid));
		json_object_object_add(object, "fd", json_object_new_int64(process->fd));
		json_object_array_add(array, object);
	}
	return array;
}

/* Returns a JSON object of a socket. Columns without a value are omitted. */
static struct json_object *socket_object(const struct sdp_socket *socket,
					 const struct processes *processes,
					 const struct options *options)
{
	struct json_object *object = json_object_new_object();
	enum column column;

	for (column = 0; column < NUM_COLUMNS; column++) {
		if (socket->values[column])
			json_object_object_add(object, columns[column].key,
					       value_of(socket, column));
	}
	if (options->processes)
		json_object_object_add(object, "processes",
				       json_users(processes, socket->numbers[COLUMN_INODE]));
	return object;
}

void output_json(const struct sdp_sockets *sockets, const struct processes *processes,
		 const struct options *options)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < sockets->count; i++) {
		if (options_choose(options, &sockets->all[i]))
			json_object_array_add(array, socket_object(&sockets->all[i], processes,
								   options));
	}
	puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_PLAIN |
							   JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(array);
}
