// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints objects of RDMA devices as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/noun/resource.h"
#include "tools/lib/memory.h"
#include "tools/lib/table.h"

/* The colors of states, and of running timers */
static const struct {
	const char *name;
	enum color color;
} colors[] = {
	{ "INIT", COLOR_YELLOW }, { "RTR", COLOR_BLUE }, { "RTS", COLOR_GREEN },
	{ "SQD", COLOR_MAGENTA }, { "SQE", COLOR_RED },  { "ERR", COLOR_RED },
	{ "ack", COLOR_YELLOW },  { "rnr", COLOR_YELLOW },
};

static const char *cell_text(struct json_object *row, const char *key)
{
	return json_object_get_string(json_object_object_get(row, key));
}

static char *name_of(const struct resource *resource, struct json_object *row)
{
	return need_text("%s/%s", cell_text(row, "device"), cell_text(row, resource->number));
}

/* Returns the owner of an object as text: the process or kernel module that has created it. */
static char *owner_of(struct json_object *row)
{
	const char *pid = cell_text(row, "pid"), *command = cell_text(row, "command");

	if (cell_text(row, "consumer"))
		return need_text("kernel:%s", cell_text(row, "consumer"));
	return pid ? need_text("%s:%s", pid, command ?: "?") : need_text("-");
}

static void print_names(FILE *file, struct json_object *array)
{
	size_t i, count = json_object_array_length(array);

	for (i = 0; i < count; i++)
		fprintf(file, "%s%s", i ? "," : "",
			json_object_get_string(json_object_array_get_idx(array, i)));
	if (!count)
		fputs("none", file);
}

/* Returns a value as text; "-" if it is NULL. */
static char *cell_format(const struct resource_field *field, struct json_object *value)
{
	char *cell = NULL;
	size_t length;
	FILE *file = need(open_memstream(&cell, &length));

	if (!value)
		fputc('-', file);
	else if (field->format == FORMAT_CODE)
		fprintf(file, "0x%02" PRIx64, json_object_get_int64(value));
	else if (json_object_is_type(value, json_type_boolean))
		fputs(json_object_get_boolean(value) ? "yes" : "no", file);
	else if (json_object_is_type(value, json_type_array))
		print_names(file, value);
	else
		fputs(json_object_get_string(value), file);
	fclose(file);
	return need(cell);
}

static enum color color_of(const struct resource_field *field, const char *cell)
{
	size_t i;

	for (i = 0; field->format == FORMAT_NAME && i < sizeof(colors) / sizeof(colors[0]); i++)
		if (!strcmp(colors[i].name, cell))
			return colors[i].color;
	return COLOR_NONE;
}

static void add_row(struct table *table, const struct resource *resource, struct json_object *row)
{
	const struct resource_field *field = resource->fields;
	char *cell;

	table_add(table, name_of(resource, row), COLOR_NONE);
	table_add(table, owner_of(row), COLOR_NONE);
	for (; field->key; field++) {
		if (!field->title)
			continue;
		cell = cell_format(field, json_object_object_get(row, field->key));
		table_add(table, cell, color_of(field, cell));
	}
}

#define MAX_COLUMNS 32

void resource_print_table(const struct resource *resource, struct json_object *rows)
{
	const char *titles[MAX_COLUMNS] = { resource->title, "OWNER" };
	struct table table = { .titles = titles, .columns = 2 };
	const struct resource_field *field;
	size_t i;

	for (field = resource->fields; field->key; field++)
		if (field->title)
			titles[table.columns++] = field->title;
	for (i = 0; i < json_object_array_length(rows); i++)
		add_row(&table, resource, json_object_array_get_idx(rows, i));
	if (table.count)
		table_print(stdout, &table);
	table_clear(&table);
}

/* Prints a line for each group of fields in which at least one field has a value. */
static void print_groups(const struct resource *resource, struct json_object *row)
{
	const struct resource_field *field;
	const char *group = "";
	struct json_object *value;
	char *cell;

	for (field = resource->fields; field->key; field++) {
		value = json_object_object_get(row, field->key);
		if (!value)
			continue;
		cell = cell_format(field, value);
		if (strcmp(field->group, group))
			printf("%s    %s:", *group ? "\n" : "", field->group);
		else
			putchar(',');
		printf(" %s %s", field->key, cell);
		group = field->group;
		free(cell);
	}
	if (*group)
		putchar('\n');
}

void resource_print_details(const struct resource *resource, struct json_object *rows)
{
	struct json_object *row;
	char *name, *owner;
	size_t i;

	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		name = name_of(resource, row);
		owner = owner_of(row);
		printf("%s: owner %s\n", name, owner);
		print_groups(resource, row);
		free(name);
		free(owner);
	}
}
