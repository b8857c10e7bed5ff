/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A request to hcactl serve, and its answer. */
#ifndef HCACTL_SERVE_EXCHANGE_H
#define HCACTL_SERVE_EXCHANGE_H

#include <microhttpd.h>
#include "serve.h"

/* The largest body of a request, in octets. */
#define MAX_BODY 4096

struct exchange {
	struct MHD_Connection *connection;
	const struct server *server;
	const struct resource *resource; /* NULL: there is no resource at that path */
	const char *method;
	size_t length; /* octets of the body that have been received */
	char body[MAX_BODY + 1];
};

/* The reason why a request is refused. */
struct refusal {
	unsigned int status; /* HTTP status */
	const char *why;
};

/* Checks the headers of a request. Return: NULL if the request may be answered. */
const struct refusal *guard_exchange(const struct exchange *exchange);

/* Callbacks of libmicrohttpd. @arg of the first is the server. */
enum MHD_Result exchange_handle(void *arg, struct MHD_Connection *connection, const char *path,
				const char *method, const char *version, const char *data,
				size_t *length, void **state);
void exchange_end(void *arg, struct MHD_Connection *connection, void **state,
		  enum MHD_RequestTerminationCode how);

/* Sends the reason of a refusal as text. */
enum MHD_Result exchange_refuse(const struct exchange *exchange, const struct refusal *refusal);

/* Sends a file from its beginning, and closes it. */
enum MHD_Result exchange_send_file(const struct exchange *exchange, unsigned int status,
				   const char *type, int fd);

/* Sends a page whose scripts and styles have @nonce, and frees the text. */
enum MHD_Result exchange_send_page(const struct exchange *exchange, char *page, size_t length,
				   const char *nonce);

#endif
