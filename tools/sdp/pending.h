/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * SDP sockets that may still become TCP sockets: neither their peer nor whether they listen is
 * known yet. All functions may be called by several threads, and by signal handlers.
 */
#ifndef HCA_TOOLS_SDP_PENDING_H
#define HCA_TOOLS_SDP_PENDING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define PENDING_DESCRIPTORS 4096
#define PENDING_OPTIONS 16 /* of one socket */
#define PENDING_VALUE 32 /* octets of an option's value */

/**
 * struct pending_option - an option that the program has set
 * @complete: whether the rest is set
 * @level: as of setsockopt()
 * @name: as of setsockopt()
 * @length: octets of @value
 * @value: as of setsockopt()
 */
struct pending_option {
	atomic_bool complete;
	int level, name;
	socklen_t length;
	unsigned char value[PENDING_VALUE];
};

/**
 * struct pending - an SDP socket that may become a TCP socket
 * @inode: the socket's inode, or 0: there is no socket. It tells the socket from another one that
 *         has its descriptor after it was closed, so that close() need not be watched.
 * @domain: AF_INET or AF_INET6
 * @is_bound: whether the program has bound it
 * @num_options: options that the program has set, which may be more than @options has
 * @options: those of them that were recorded, in the order in which they were set
 */
struct pending {
	_Atomic uint64_t inode;
	int domain;
	atomic_bool is_bound;
	atomic_uint num_options;
	struct pending_option options[PENDING_OPTIONS];
};

/**
 * pending_add() - begin to record what happens to a socket
 * @fd: its descriptor
 * @domain: AF_INET or AF_INET6
 *
 * Return: false if the descriptor is above all that can be recorded.
 */
bool pending_add(int fd, int domain);

/**
 * pending_find() - the record of a socket
 * @fd: any descriptor
 *
 * errno may change.
 * Return: NULL if there is none.
 */
struct pending *pending_find(int fd);

/**
 * pending_remove() - end the record of a socket, whose protocol has been decided
 * @pending: the record
 */
void pending_remove(struct pending *pending);

/**
 * pending_record() - record an option that was set
 * @pending: the socket's record
 * @level: as of setsockopt()
 * @name: as of setsockopt()
 * @value: as of setsockopt()
 * @length: as of setsockopt()
 *
 * Options that are longer than PENDING_VALUE, more than PENDING_OPTIONS, or whose value is a
 * pointer to more, are not recorded.
 */
void pending_record(struct pending *pending, int level, int name, const void *value,
		    socklen_t length);

#endif
