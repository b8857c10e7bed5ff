// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The resources of hcaweb. Each resource except the page is the output of a process that runs
 * hcactl or hcadump. A page thus gets the same data and messages as a user of these programs.
 */
#define _GNU_SOURCE
#include "tools/web/resource.h"
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "page.h"
#include "tools/lib/beside.h"
#include "tools/lib/memory.h"
#include "tools/web/random.h"
#include "tools/web/run.h"

#define JSON "application/json"
#define MAX_ARGUMENTS 64

/* Time limit of a command in s. A command that takes longer hangs. */
#define COMMAND_SECONDS 10
/* Time limit of a capture in s. A signal then ends hcadump, which draws the captured packets. */
#define CAPTURE_SECONDS 3

/* Returns the HTTP status for an exit status of hcactl or hcadump. */
static unsigned int http_status(int status)
{
	static const unsigned int by_exit[] = {
		MHD_HTTP_OK, MHD_HTTP_BAD_REQUEST, MHD_HTTP_CONFLICT
	};

	if (status == RUN_LATE)
		return MHD_HTTP_GATEWAY_TIMEOUT;
	if (status < 0 || (size_t)status >= sizeof(by_exit) / sizeof(by_exit[0]))
		return MHD_HTTP_INTERNAL_SERVER_ERROR;
	return by_exit[status];
}

/* Answers a request with the output of a program, or with its messages if it fails. */
static enum MHD_Result send_run(const struct exchange *exchange, const char *path,
				const char *const *arguments, unsigned int seconds)
{
	struct run run;
	int status = run_program(path, arguments, seconds, &run);

	close(status ? run.output : run.errors);
	if (!status)
		return exchange_send_file(exchange, MHD_HTTP_OK, exchange->resource->type,
					  run.output);
	return exchange_send_file(exchange, http_status(status), "text/plain; charset=utf-8",
				  run.errors);
}

static enum MHD_Result send_command(const struct exchange *exchange)
{
	return send_run(exchange, exchange->server->hcactl, exchange->resource->arguments,
			COMMAND_SECONDS);
}

static enum MHD_Result send_page(const struct exchange *exchange)
{
	static const char mark[] = "@NONCE@";
	const char *rest = page_text, *next;
	char nonce[33], *page = NULL;
	size_t length;
	FILE *file = need(open_memstream(&page, &length));

	random_digits(nonce, sizeof(nonce) - 1);
	while ((next = strstr(rest, mark))) {
		fprintf(file, "%.*s%s", (int)(next - rest), rest, nonce);
		rest = next + strlen(mark);
	}
	fputs(rest, file);
	fclose(file);
	return exchange_send_page(exchange, need(page), length, nonce);
}

/* Returns the body of a request as a JSON array; NULL if it is not a JSON array. */
static struct json_object *parse_array(const struct exchange *exchange)
{
	struct json_tokener *tokener = need(json_tokener_new_ex(2));
	struct json_object *array;
	bool good;

	array = json_tokener_parse_ex(tokener, exchange->body, exchange->length + 1);
	good = json_object_is_type(array, json_type_array) &&
	       json_tokener_get_parse_end(tokener) == exchange->length;
	json_tokener_free(tokener);
	if (good)
		return array;
	json_object_put(array);
	return NULL;
}

/*
 * Returns the text of a JSON string; NULL if the value is not a string, or if it contains a 0
 * octet.
 */
static const char *resource_text(struct json_object *value)
{
	const char *string = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string))
		return NULL;
	return strlen(string) == (size_t)json_object_get_string_len(value) ? string : NULL;
}

/*
 * Parses the body of a request as a JSON array of strings, and appends the strings to @arguments.
 * This array has room for MAX_ARGUMENTS strings and a NULL. Return: the JSON array, which contains
 * the strings and is freed by the caller; NULL if the body is wrong.
 */
static struct json_object *parse_body(const struct exchange *exchange, const char **arguments)
{
	struct json_object *array = parse_array(exchange);
	size_t i, count = array ? json_object_array_length(array) : 0, first;
	bool good;

	for (first = 0; arguments[first];)
		first++;
	good = count && first + count <= MAX_ARGUMENTS;
	for (i = 0; good && i < count; i++) {
		arguments[first + i] = resource_text(json_object_array_get_idx(array, i));
		good = arguments[first + i];
	}
	if (good)
		return array;
	json_object_put(array);
	return NULL;
}

/* Returns whether a request may run "hcactl link @command". */
static bool may_change(const char *command)
{
	static const char *const names[] = { "set", "down", "up" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(command, names[i]))
			return true;
	return false;
}

static enum MHD_Result change_link(const struct exchange *exchange)
{
	static const struct refusal refusal = {
		MHD_HTTP_BAD_REQUEST,
		"the body must be an array of strings, the words behind hcactl link: set, down or "
		"up, and ports; as in [\"down\", \"hca0/1\"]"
	};
	const char *arguments[MAX_ARGUMENTS + 1] = { "hcactl", "--", "link" };
	struct json_object *array = parse_body(exchange, arguments);
	enum MHD_Result result;

	if (array && may_change(arguments[3]))
		result = send_run(exchange, exchange->server->hcactl, arguments,
				  COMMAND_SECONDS);
	else
		result = exchange_refuse(exchange, &refusal);
	json_object_put(array);
	return result;
}

static enum MHD_Result draw_ladder(const struct exchange *exchange)
{
	static const struct refusal refusal = {
		MHD_HTTP_BAD_REQUEST,
		"the body must be an array of one or two strings, the ports of a link; as in "
		"[\"hca0/1\", \"hca1/1\"]"
	};
	const char *ports[MAX_ARGUMENTS + 1] = {};
	struct json_object *array = parse_body(exchange, ports);
	/* The argument after -i is always a port, even if it looks like an option. */
	const char *const arguments[] = { "hcadump", "--ladder=svg", "--count", "200", "-i", ports[0],
				      ports[1] ? "-i" : NULL, ports[1], NULL };
	char *path = path_beside("hcadump");
	enum MHD_Result result;

	if (!array || (ports[1] && ports[2]))
		result = exchange_refuse(exchange, &refusal);
	else
		result = send_run(exchange, path, arguments, CAPTURE_SECONDS);
	json_object_put(array);
	free(path);
	return result;
}

static const char *const show_devices[] = { "hcactl", "-j", "show", NULL };
static const char *const show_links[] = { "hcactl", "-j", "link", "show", NULL };
static const char *const show_ports[] = { "hcactl", "-jt", "show", NULL };

static const struct resource resources[] = {
	{ "/", "GET", "text/html; charset=utf-8", NULL, send_page },
	{ "/devices.json", "GET", JSON, show_devices, send_command },
	{ "/links.json", "GET", JSON, show_links, send_command },
	{ "/ports.json", "GET", JSON, show_ports, send_command },
	{ "/link", "POST", "text/plain; charset=utf-8", NULL, change_link },
	{ "/ladder", "POST", "image/svg+xml", NULL, draw_ladder },
};

const struct resource *resource_find(const char *path)
{
	size_t i;

	for (i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
		if (!strcmp(resources[i].path, path))
			return &resources[i];
	return NULL;
}
