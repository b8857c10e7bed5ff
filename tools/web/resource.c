// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The resources of hcactl serve. Apart from the page, a resource is the output of hcactl or
 * hcadump, which runs as a process of its own. A page thus gets the data, or the message, that a
 * user gets.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <json-c/json.h>
#include "serve_page.h"
#include "serve_random.h"
#include "serve_resource.h"
#include "serve_run.h"
#include "tools/lib/memory.h"

#define JSON "application/json"
#define MAX_ARGUMENTS 64

/*
 * Limits of the time that a program runs. A command that takes longer hangs. A capture is ended by
 * a signal after that time, and draws what it has captured.
 */
#define COMMAND_SECONDS 10
#define CAPTURE_SECONDS 3

static const char this_program[] = "/proc/self/exe";

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

/* Sends the output of a program; its messages if it fails. */
static enum MHD_Result send_run(const struct exchange *exchange, const char *path,
				const char *const *arguments, unsigned int seconds)
{
	struct run run;
	int status = serve_run(path, arguments, seconds, &run);

	close(status ? run.output : run.errors);
	if (!status)
		return exchange_send_file(exchange, MHD_HTTP_OK, exchange->resource->type,
					  run.output);
	return exchange_send_file(exchange, http_status(status), "text/plain; charset=utf-8",
				  run.errors);
}

static enum MHD_Result send_command(const struct exchange *exchange)
{
	return send_run(exchange, this_program, exchange->resource->arguments, COMMAND_SECONDS);
}

static enum MHD_Result send_page(const struct exchange *exchange)
{
	static const char mark[] = "@NONCE@";
	const char *rest = serve_page, *next;
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

/* Returns the body if it is a JSON array; otherwise NULL. */
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

/* Returns the text of a JSON string; NULL if the value is not a string, or contains a null. */
static const char *text(struct json_object *value)
{
	const char *string = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string))
		return NULL;
	return strlen(string) == (size_t)json_object_get_string_len(value) ? string : NULL;
}

/*
 * Parses the body, an array of strings, and appends the strings to @arguments, which has room for
 * MAX_ARGUMENTS and a NULL.
 * Return: the array, which the caller puts; NULL if the body is wrong.
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
		arguments[first + i] = text(json_object_array_get_idx(array, i));
		good = arguments[first + i];
	}
	if (good)
		return array;
	json_object_put(array);
	return NULL;
}

/* Returns whether a request may run this command of hcactl link. */
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
		result = send_run(exchange, this_program, arguments, COMMAND_SECONDS);
	else
		result = exchange_refuse(exchange, &refusal);
	json_object_put(array);
	return result;
}

/* Returns the path of hcadump, which is in the folder of hcactl. */
static char *path_of_hcadump(void)
{
	char path[4096];
	ssize_t length = readlink(this_program, path, sizeof(path) - 1);

	path[length < 0 ? 0 : length] = '\0';
	return need_text("%.*s/hcadump", (int)(strrchr(path, '/') ? strrchr(path, '/') - path : 0),
			 path);
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
	/* The argument behind -i is always a port, even if it looks like an option. */
	const char *const arguments[] = { "hcadump", "--ladder=svg", "--count", "200", "-i", ports[0],
				      ports[1] ? "-i" : NULL, ports[1], NULL };
	char *path = path_of_hcadump();
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
