/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The options of hca_rd_pingpong. */
#ifndef RD_PINGPONG_OPTIONS_H
#define RD_PINGPONG_OPTIONS_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

struct options {
	/* name of the device; NULL: the first device that has reliable datagrams */
	const char *device;
	const char *server; /* host of the server; NULL: this process is the server */
	const char *tcp_port;
	uint8_t ib_port;
	uint8_t sl;
	enum ibv_mtu mtu;
	int gid_index; /* index of the source GID; -1: packets do not have a GRH */
	uint32_t size; /* size of a message in octets */
	uint32_t iterations;
	uint32_t peers; /* number of queue pairs of the server */
	bool events;
	bool check;
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

#endif
