/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The C library's functions that libhca-sdprun.so replaces. */
#ifndef HCA_TOOLS_SDP_REAL_H
#define HCA_TOOLS_SDP_REAL_H

#include <sys/socket.h>

/**
 * struct real_calls - the functions of the C library that libhca-sdprun.so replaces
 * @socket: socket(2)
 * @bind: bind(2)
 * @listen: listen(2)
 * @connect: connect(2)
 * @setsockopt: setsockopt(2)
 */
struct real_calls {
	int (*socket)(int domain, int type, int protocol);
	int (*bind)(int fd, const struct sockaddr *address, socklen_t length);
	int (*listen)(int fd, int backlog);
	int (*connect)(int fd, const struct sockaddr *address, socklen_t length);
	int (*setsockopt)(int fd, int level, int name, const void *value, socklen_t length);
};

/*
 * The functions of the C library. They are found when libhca-sdprun.so is initialized, before it
 * calls any of them.
 */
extern struct real_calls real;

#endif
