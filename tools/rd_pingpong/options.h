/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The options of hca_rd_pingpong. */
#ifndef RD_PINGPONG_OPTIONS_H
#define RD_PINGPONG_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <infiniband/verbs.h>

struct options {
	const char *device; /* NULL: the first one with reliable datagrams */
	const char *server; /* NULL: this process is the server */
	const char *tcp_port;
	uint8_t ib_port;
	uint8_t sl;
	enum ibv_mtu mtu;
	int gid_index; /* -1: without a GRH */
	uint32_t size; /* octets of a message */
	uint32_t iterations;
	uint32_t peers; /* queue pairs of the server */
	bool events;
	bool check;
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

#endif
