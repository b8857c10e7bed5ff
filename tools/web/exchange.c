// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Receives the requests to hcaweb, and sends the answers. */
#include "tools/web/exchange.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/web/resource.h"

/* Headers of each answer. The page also has a header Content-Security-Policy. */
static const struct {
	const char *name, *value;
} headers[] = {
	{ "X-Content-Type-Options", "nosniff" },
	{ "X-Frame-Options", "DENY" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Referrer-Policy", "no-referrer" },
	{ MHD_HTTP_HEADER_CACHE_CONTROL, "no-store" },
	/*
	 * A connection carries only one request. The time limit of connections therefore applies to
	 * each request.
	 */
	{ MHD_HTTP_HEADER_CONNECTION, "close" },
};

static const char no_content[] = "default-src 'none'; frame-ancestors 'none'";

/* Sends a response, and frees it. */
static enum MHD_Result send_response(const struct exchange *exchange, unsigned int status,
				     const char *type, const char *policy,
				     struct MHD_Response *response)
{
	enum MHD_Result result;
	size_t i;

	need(response);
	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i].name, headers[i].value);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_SECURITY_POLICY, policy);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW,
					exchange->resource->method);
	result = MHD_queue_response(exchange->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

enum MHD_Result exchange_refuse(const struct exchange *exchange, const struct refusal *refusal)
{
	char *text = need_text("%s\n", refusal->why);

	return send_response(exchange, refusal->status, "text/plain; charset=utf-8", no_content,
			     MHD_create_response_from_buffer(strlen(text), text,
							     MHD_RESPMEM_MUST_FREE));
}

enum MHD_Result exchange_send_file(const struct exchange *exchange, unsigned int status,
				   const char *type, int fd)
{
	struct stat file;

	if (fstat(fd, &file))
		die("%m");
	return send_response(exchange, status, type, no_content,
			     MHD_create_response_from_fd(file.st_size, fd));
}

enum MHD_Result exchange_send_page(const struct exchange *exchange, char *page, size_t length,
				   const char *nonce)
{
	char *policy = need_text("default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; "
				 "connect-src 'self'; img-src blob:; base-uri 'none'; "
				 "form-action 'none'; frame-ancestors 'none'",
				 nonce, nonce);
	enum MHD_Result result;

	result = send_response(exchange, MHD_HTTP_OK, exchange->resource->type, policy,
			       MHD_create_response_from_buffer(length, page,
							       MHD_RESPMEM_MUST_FREE));
	free(policy);
	return result;
}

/*
 * Refuses a request, or answers a GET request. A POST request is answered when its body has been
 * received.
 */
static enum MHD_Result exchange_begin(struct exchange *exchange)
{
	const struct refusal *refusal = guard_exchange(exchange);

	if (refusal)
		return exchange_refuse(exchange, refusal);
	if (!strcmp(exchange->method, MHD_HTTP_METHOD_GET))
		return exchange->resource->answer(exchange);
	return MHD_YES;
}

enum MHD_Result exchange_handle(void *arg, struct MHD_Connection *connection, const char *path,
				const char *method, const char *version, const char *data,
				size_t *length, void **state)
{
	struct exchange *exchange = *state;

	(void)version;
	if (!exchange) {
		exchange = need(calloc(1, sizeof(*exchange)));
		exchange->connection = connection;
		exchange->server = arg;
		exchange->resource = exchange->server->find(path);
		exchange->method = method;
		*state = exchange;
		return exchange_begin(exchange);
	}
	if (!*length)
		return exchange->resource->answer(exchange);
	if (*length > MAX_BODY - exchange->length)
		return MHD_NO;
	memcpy(exchange->body + exchange->length, data, *length);
	exchange->length += *length;
	*length = 0;
	return MHD_YES;
}

void exchange_end(void *arg, struct MHD_Connection *connection, void **state,
		  enum MHD_RequestTerminationCode how)
{
	(void)arg;
	(void)connection;
	(void)how;
	free(*state);
	*state = NULL;
}
