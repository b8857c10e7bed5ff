/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Sends commands to hca.ko, and reads the answers. If the kernel refuses a command, an error
 * message names the wrong argument.
 */
#ifndef HCACTL_REQUEST_H
#define HCACTL_REQUEST_H

#include <linux/hca_netlink.h>
#include <netlink/attr.h>
#include <stdint.h>

struct request;

/*
 * Begins a request. @what is the command, for messages. If hca.ko cannot be reached, the program
 * ends with a message.
 */
__attribute__((format(printf, 2, 3)))
struct request *request_new(enum hca_command command, const char *what, ...);

/*
 * Functions that put an attribute into a request. @label is the name of the value in messages, as
 * in "port count".
 */
void request_put_string(struct request *request, int attr, const char *label, const char *value);
void request_put_number(struct request *request, int attr, const char *label, uint32_t value);
void request_put_long(struct request *request, int attr, const char *label, uint64_t value);
void request_put_flag(struct request *request, int attr, const char *label);
void request_put_octets(struct request *request, int attr, const char *label, const char *text,
			/* @text: the value of @octets as text, for messages */
			const void *octets, int length);
/*
 * Puts the file descriptor @fd into a request. @fd is closed when the request is freed. A request
 * contains at most one file descriptor.
 */
void request_put_file(struct request *request, int attr, const char *label, const char *name,
		      int fd);
void request_put_guid(struct request *request, int attr, const char *label, uint64_t value);

/*
 * Functions that open and close a nested attribute. Attributes that are put between the two calls
 * are inside of it. A nested attribute may be empty.
 */
struct nlattr *request_open(struct request *request, int attr);
void request_close(struct request *request, struct nlattr *nest);

/* A callback for each message of an answer. @attrs are the attributes of the message. */
typedef void request_reply(struct nlattr *attrs, int length, void *arg);

/*
 * Sends a request, calls @reply for each message of the answer, and frees the request. Return: 0,
 * or STATUS_REFUSED after printing a message.
 */
int request_do(struct request *request, request_reply *reply, void *arg);

/*
 * Sends a request, calls @reply for each message of the answer, and frees the request. If the
 * kernel refuses the request, *error is set to the error number, such as ENODEV, and no message is
 * printed. Otherwise, *error is 0. Return: 0, or STATUS_REFUSED after printing a message about
 * another failure.
 */
int request_ask(struct request *request, request_reply *reply, void *arg, int *error);

/* Frees a request without sending it. */
void request_drop(struct request *request);

/*
 * Sends a dump request, and calls @reply for each message. If the objects change during the dump,
 * it is repeated. @again is called before each attempt, and must discard the results of earlier
 * attempts. Return: 0, or STATUS_REFUSED after printing a message.
 */
int request_dump(struct request *request, void (*again)(void *arg), request_reply *reply,
		 void *arg);

#endif
