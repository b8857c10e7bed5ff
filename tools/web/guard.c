// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Checks whether hcaweb may answer a request. A web page of another site can make a browser
 * send any request to this server, even under the other site's name, if a name server resolves that
 * name to the address of this server. But the page cannot choose the headers Host and Origin, and
 * does not know the token.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "tools/web/exchange.h"
#include "tools/web/resource.h"

/* A header, and how often the request contains it */
struct header {
	const char *name;
	const char *value;
	unsigned int count;
};

static enum MHD_Result match_header(void *arg, enum MHD_ValueKind kind, const char *name,
				    const char *value)
{
	struct header *header = arg;

	(void)kind;
	if (strcasecmp(name, header->name))
		return MHD_YES;
	header->value = value;
	header->count++;
	return MHD_YES;
}

static struct header find_header(const struct exchange *exchange, const char *name)
{
	struct header header = { .name = name };

	MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, match_header, &header);
	return header;
}

/*
 * Returns the value of a header that the request contains exactly once. Otherwise returns an empty
 * text.
 */
static const char *guard_only(const struct exchange *exchange, const char *name)
{
	struct header header = find_header(exchange, name);

	return header.count == 1 && header.value ? header.value : "";
}

static bool is_post(const struct exchange *exchange)
{
	return !strcmp(exchange->method, MHD_HTTP_METHOD_POST);
}

/*
 * Returns whether the header Host is a name of this server. Other names are refused, because a
 * hostile name server may have given them the address of this machine.
 */
static bool is_host_ours(const struct exchange *exchange)
{
	static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
	const char *host = guard_only(exchange, MHD_HTTP_HEADER_HOST);
	char ours[32];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(ours, sizeof(ours), "%s:%u", names[i], exchange->server->port);
		if (!strcasecmp(host, ours) ||
		    (exchange->server->port == 80 && !strcasecmp(host, names[i])))
			return true;
	}
	return false;
}

/*
 * Returns whether the header Origin names this server. Only a POST must contain this header: a
 * browser sends the origin of the page with each POST.
 */
static bool is_origin_ours(const struct exchange *exchange)
{
	static const char scheme[] = "http://";
	const char *origin = guard_only(exchange, MHD_HTTP_HEADER_ORIGIN);

	if (!find_header(exchange, MHD_HTTP_HEADER_ORIGIN).count)
		return !is_post(exchange);
	return !strncasecmp(origin, scheme, strlen(scheme)) &&
	       !strcasecmp(origin + strlen(scheme), guard_only(exchange, MHD_HTTP_HEADER_HOST));
}

static bool has_resource(const struct exchange *exchange)
{
	return exchange->resource;
}

static bool has_method(const struct exchange *exchange)
{
	return !strcmp(exchange->method, exchange->resource->method);
}

static bool may_control(const struct exchange *exchange)
{
	return !is_post(exchange) || exchange->server->control;
}

/*
 * Compares two tokens in constant time. The time would otherwise allow guessing a token digit by
 * digit.
 */
static bool is_same(const char *token, const char *other)
{
	unsigned char differs = 0;
	size_t i;

	for (i = 0; i < TOKEN_DIGITS; i++)
		differs |= token[i] ^ other[i];
	return !differs;
}

static bool has_token(const struct exchange *exchange)
{
	const char *token = guard_only(exchange, "X-Hca-Token");

	return !is_post(exchange) || (strlen(token) == TOKEN_DIGITS &&
				      is_same(token, exchange->server->token));
}

/*
 * Returns false for a POST whose type is not JSON. Pages of other sites cannot send JSON without a
 * CORS preflight.
 */
static bool is_json(const struct exchange *exchange)
{
	return !is_post(exchange) ||
	       !strcasecmp(guard_only(exchange, MHD_HTTP_HEADER_CONTENT_TYPE), "application/json");
}

static bool has_length(const struct exchange *exchange)
{
	return !find_header(exchange, MHD_HTTP_HEADER_TRANSFER_ENCODING).count &&
	       (!is_post(exchange) || *guard_only(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH));
}

/*
 * Returns whether the body is short enough. libmicrohttpd has checked that Content-Length is a
 * number.
 */
static bool is_short(const struct exchange *exchange)
{
	unsigned long long most = is_post(exchange) ? MAX_BODY : 0;

	return strtoull(guard_only(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH), NULL, 10) <= most;
}

/* The checks of a request. Their order does not reveal anything to an unauthorized client. */
static const struct guard {
	bool (*holds)(const struct exchange *exchange);
	struct refusal refusal;
} guards[] = {
	{ is_host_ours, { MHD_HTTP_MISDIRECTED_REQUEST,
			  "Host must be localhost, 127.0.0.1 or [::1], with the port" } },
	{ is_origin_ours, { MHD_HTTP_FORBIDDEN, "Origin must be the page of this server" } },
	{ has_resource, { MHD_HTTP_NOT_FOUND, "there is no such resource" } },
	{ has_method, { MHD_HTTP_METHOD_NOT_ALLOWED, "the resource is for another method" } },
	{ may_control, { MHD_HTTP_FORBIDDEN,
			 "this server only shows; with --control it does more" } },
	{ has_token, { MHD_HTTP_FORBIDDEN,
		       "X-Hca-Token must be what stands behind the # of the address that hcaweb "
		       "has printed" } },
	{ is_json, { MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json" } },
	{ has_length, { MHD_HTTP_LENGTH_REQUIRED,
			"Content-Length must be there, and Transfer-Encoding not" } },
	{ is_short, { MHD_HTTP_CONTENT_TOO_LARGE, "the body may have 4096 octets" } },
};

const struct refusal *guard_exchange(const struct exchange *exchange)
{
	size_t i;

	for (i = 0; i < sizeof(guards) / sizeof(guards[0]); i++)
		if (!guards[i].holds(exchange))
			return &guards[i].refusal;
	return NULL;
}
