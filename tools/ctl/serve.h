/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* hcactl serve: a web page of the fabric. */
#ifndef HCACTL_SERVE_H
#define HCACTL_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#define SERVE_TOKEN_DIGITS 32

/* The configuration of the server, which does not change while it answers requests. */
struct server {
	uint16_t port;
	bool control; /* requests may change links and capture packets */
	char token[SERVE_TOKEN_DIGITS + 1]; /* secret that a request for control must carry */
};

/*
 * Answers requests until a signal ends it. Return: 0, or an exit status after printing a message.
 */
int serve_requests(struct server *server);

#endif
