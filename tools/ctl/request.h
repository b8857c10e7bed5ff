/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A command to hca.ko, and its answer. What the kernel refuses is printed, with the
 * words in which the user has put it.
 */
#ifndef HCACTL_REQUEST_H
#define HCACTL_REQUEST_H

#include <stdint.h>
#include <netlink/attr.h>
#include <linux/hca_netlink.h>

struct request;

/* Begin one; ends the program if hca.ko cannot be reached. @what: the command, for messages. */
__attribute__((format(printf, 2, 3)))
struct request *request_new(enum hca_command command, const char *what, ...);

/* Attributes; @label is what the value is, for messages, as in "port count". */
void request_put_string(struct request *request, int attr, const char *label, const char *value);
void request_put_number(struct request *request, int attr, const char *label, uint32_t value);
void request_put_long(struct request *request, int attr, const char *label, uint64_t value);
void request_put_flag(struct request *request, int attr, const char *label);
void request_put_octets(struct request *request, int attr, const char *label, const char *text,
			const void *octets, int length); /* @text: what they mean */
/* A file descriptor, which is closed with the request. At most one. */
void request_put_file(struct request *request, int attr, const char *label, const char *name, int fd);
void request_put_guid(struct request *request, int attr, const char *label, uint64_t value);

/* What is put between the two is in a nest, which may be empty. */
struct nlattr *request_open(struct request *request, int attr);
void request_close(struct request *request, struct nlattr *nest);

/* Called for each message of an answer, with its attributes. */
typedef void request_reply(struct nlattr *attrs, int length, void *arg);

/*
 * Send it, hand on the answer, if any, and free the request.
 * Return: 0; or STATUS_REFUSED, and it has been said why.
 */
int request_do(struct request *request, request_reply *reply, void *arg);

/* Free it unsent. */
void request_drop(struct request *request);

/*
 * The same for all there is of something. @again is called before each attempt: what has
 * been handed on so far does not count, since it changed meanwhile.
 */
int request_dump(struct request *request, void (*again)(void *arg), request_reply *reply,
		 void *arg);

#endif
