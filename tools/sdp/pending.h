/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The records of SDP sockets that may still become TCP sockets, because they neither listen nor are
 * connected yet.
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
#define PENDING_OPTIONS 16 /* largest number of recorded options of one socket */
#define PENDING_VALUE 32 /* largest size in octets of a recorded option's value */

/**
 * struct pending_option - an option that the program has set by setsockopt()
 * @complete: the other fields are valid
 * @level: level of the option
 * @name: number of the option
 * @length: octets of @value
 * @value: value of the option
 */
struct pending_option {
	atomic_bool complete;
	int level, name;
	socklen_t length;
	unsigned char value[PENDING_VALUE];
};

/**
 * struct pending - an SDP socket that may become a TCP socket
 * @inode: inode of the socket; 0: the record is unused. Another socket that later gets the
 *         descriptor has another inode, so the library need not intercept close().
 * @domain: AF_INET or AF_INET6
 * @is_bound: the program has bound the socket
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
 * @fd: descriptor of the socket
 * @domain: AF_INET or AF_INET6
 *
 * Return: true; or false if the descriptor is not below PENDING_DESCRIPTORS.
 */
bool pending_add(int fd, int domain);

/**
 * pending_find() - find the record of a socket
 * @fd: any descriptor
 *
 * The function may change errno.
 *
 * Return: the record; NULL if there is none.
 */
struct pending *pending_find(int fd);

/**
 * pending_remove() - end the record of a socket whose protocol is final
 * @pending: record of the socket
 */
void pending_remove(struct pending *pending);

/**
 * pending_record() - record an option that the program has set by setsockopt()
 * @pending: record of the socket
 * @level: level of the option
 * @name: number of the option
 * @value: value of the option
 * @length: octets of @value
 *
 * An option is not recorded if its value is longer than PENDING_VALUE, if its value contains a
 * pointer or a descriptor, or if the record already has PENDING_OPTIONS options.
 */
void pending_record(struct pending *pending, int level, int name, const void *value,
		    socklen_t length);

#endif
