/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * SDP sockets that may still become TCP sockets: they neither listen nor are connected yet.
 *
 * Context: any thread, and signal handlers.
 */
#ifndef HCA_TOOLS_SDP_PENDING_H
#define HCA_TOOLS_SDP_PENDING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define PENDING_DESCRIPTORS 4096
#define PENDING_OPTIONS 16 /* options of one socket that are recorded */
#define PENDING_VALUE 32 /* octets of an option's value */

/**
 * struct pending_option - an option that the program has set
 * @complete: whether the other fields are valid
 * @level: of setsockopt()
 * @name: of setsockopt()
 * @length: octets of @value
 * @value: of setsockopt()
 */
struct pending_option {
	atomic_bool complete;
	int level, name;
	socklen_t length;
	unsigned char value[PENDING_VALUE];
};

/**
 * struct pending - an SDP socket that may become a TCP socket
 * @inode: inode of the socket; 0: the record is unused. A later socket with the descriptor has
 *         another inode, so that the library need not intercept close().
 * @domain: AF_INET or AF_INET6
 * @is_bound: whether the program has bound it
 * @num_options: number of options that the program has set, which may exceed the size of @options
 * @options: the recorded options, in the order in which they were set
 */
struct pending {
	_Atomic uint64_t inode;
	int domain;
	atomic_bool is_bound;
	atomic_uint num_options;
	struct pending_option options[PENDING_OPTIONS];
};

/**
 * pending_add() - begin the record of a socket
 * @fd: its descriptor
 * @domain: AF_INET or AF_INET6
 *
 * Return: false if the descriptor is too high for a record.
 */
bool pending_add(int fd, int domain);

/**
 * pending_find() - find the record of a socket
 * @fd: any descriptor
 *
 * The function may change errno.
 * Return: the record; NULL if there is none.
 */
struct pending *pending_find(int fd);

/**
 * pending_remove() - end the record of a socket, whose protocol has been decided
 * @pending: the record
 */
void pending_remove(struct pending *pending);

/**
 * pending_record() - record an option that the program has set
 * @pending: the socket's record
 * @level: of setsockopt()
 * @name: of setsockopt()
 * @value: of setsockopt()
 * @length: of setsockopt()
 *
 * An option is not recorded if it is longer than PENDING_VALUE, if its value has a pointer or a
 * descriptor, or if the record has PENDING_OPTIONS options already.
 */
void pending_record(struct pending *pending, int level, int name, const void *value,
		    socklen_t length);

#endif
