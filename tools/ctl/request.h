/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Sends a command to hca.ko and reads the answer. A refusal is printed in the words of the
 * arguments that the user has given.
 */
#ifndef HCACTL_REQUEST_H
#define HCACTL_REQUEST_H

#include <stdint.h>
#include <netlink/attr.h>
#include <linux/hca_netlink.h>

struct request;

/* Begins a request. Exits if hca.ko cannot be reached. @what is the command, for messages. */
__attribute__((format(printf, 2, 3)))
struct request *request_new(enum hca_command command, const char *what, ...);

/* Put attributes. @label is the value's name in messages, as in "port count". */
void request_put_string(struct request *request, int attr, const char *label, const char *value);
void request_put_number(struct request *request, int attr, const char *label, uint32_t value);
void request_put_long(struct request *request, int attr, const char *label, uint64_t value);
void request_put_flag(struct request *request, int attr, const char *label);
void request_put_octets(struct request *request, int attr, const char *label, const char *text,
			const void *octets, int length); /* @text: their meaning, for messages */
/* Puts a file descriptor, which is closed when the request is freed. A request has at most one. */
void request_put_file(struct request *request, int attr, const char *label, const char *name,
		      int fd);
void request_put_guid(struct request *request, int attr, const char *label, uint64_t value);

/* Open and close a nest. Attributes that are put in between are in the nest, which may be empty. */
struct nlattr *request_open(struct request *request, int attr);
void request_close(struct request *request, struct nlattr *nest);

/* A callback for each message of an answer. @attrs are its attributes. */
typedef void request_reply(struct nlattr *attrs, int length, void *arg);

/*
 * Sends a request, passes each message of the answer to @reply, and frees the request.
 * Return: 0, or STATUS_REFUSED after printing a message.
 */
int request_do(struct request *request, request_reply *reply, void *arg);

/*
 * Sends a request as request_do() does, but does not print a refusal: *@error is the error with
 * which the kernel refuses it, as in ENODEV; or 0.
 * Return: 0, or STATUS_REFUSED after printing a message.
 */
int request_ask(struct request *request, request_reply *reply, void *arg, int *error);

/* Frees a request without sending it. */
void request_drop(struct request *request);

/*
 * Sends a dump request. A dump that changes while it is read is repeated: @again is called before
 * each attempt, and the messages that @reply has received before are void.
 * Return: 0, or STATUS_REFUSED after printing a message.
 */
int request_dump(struct request *request, void (*again)(void *arg), request_reply *reply,
		 void *arg);

#endif
