/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The server of a web page that shows the fabric. */
#ifndef HCAWEB_SERVER_H
#define HCAWEB_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#define TOKEN_DIGITS 32

struct resource;

/* The configuration of the server, which does not change while it answers requests. */
struct server {
	uint16_t port;
	bool control; /* requests may change links, and capture packets */
	const char *hcactl; /* path of the program that shows and changes the fabric */
	/* secret that a request must contain if it changes or captures something */
	char token[TOKEN_DIGITS + 1];
	/* Finds the resource at a path; NULL if there is no such resource. */
	const struct resource *(*find)(const char *path);
};

/*
 * Answers requests until a signal ends the server. Return: true; false after a message that the
 * server cannot listen.
 */
bool serve_requests(struct server *server);

#endif
