/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A request to hcaweb, and its answer. */
#ifndef HCAWEB_EXCHANGE_H
#define HCAWEB_EXCHANGE_H

#include <microhttpd.h>
#include "tools/web/server.h"

/* The largest body of a request, in octets. */
#define MAX_BODY 4096

struct exchange {
	struct MHD_Connection *connection;
	const struct server *server;
	/* the requested resource; NULL: there is none at that path */
	const struct resource *resource;
	const char *method;
	size_t length; /* number of octets of the body that have been received */
	char body[MAX_BODY + 1];
};

/* The reason why a request is refused */
struct refusal {
	unsigned int status; /* HTTP status */
	const char *why;
};

/*
 * Checks the headers of a request. Return: NULL if the request may be answered; otherwise the
 * reason why it is refused.
 */
const struct refusal *guard_exchange(const struct exchange *exchange);

/* Callbacks of libmicrohttpd. @arg of exchange_handle() is the server. */
enum MHD_Result exchange_handle(void *arg, struct MHD_Connection *connection, const char *path,
				const char *method, const char *version, const char *data,
				size_t *length, void **state);
void exchange_end(void *arg, struct MHD_Connection *connection, void **state,
		  enum MHD_RequestTerminationCode how);

/* Answers a request with the reason why it is refused, as text. */
enum MHD_Result exchange_refuse(const struct exchange *exchange, const struct refusal *refusal);

/* Answers a request with the contents of a file, which is closed afterwards. */
enum MHD_Result exchange_send_file(const struct exchange *exchange, unsigned int status,
				   const char *type, int fd);

/*
 * Answers a request with a page, and frees the text of the page. @nonce is the nonce of the page's
 * scripts and styles.
 */
enum MHD_Result exchange_send_page(const struct exchange *exchange, char *page, size_t length,
				   const char *nonce);

#endif
