// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sends commands to hca.ko, and reads the answers. */
#define _GNU_SOURCE
#include "tools/ctl/kernel/request.h"
#include <errno.h>
#include <inttypes.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tools/ctl/kernel/reason.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"

#define MAX_LABELS 48

/*
 * The name of an attribute in error messages. The kernel reports the offset of a wrong attribute,
 * and find_label() returns the name for this offset.
 */
struct label {
	uint32_t offset; /* offset in octets from the netlink header */
	char *text;
};

struct request {
	struct nl_msg *message;
	char *what;
	struct label labels[MAX_LABELS];
	int num_labels;
	int file; /* file descriptor in the request, or -1 */
	request_reply *reply;
	void *arg;
	int *error; /* variable for the kernel's error; NULL: the error is printed instead */
	bool done;
	int status;
};

__attribute__((noreturn)) static void no_memory(void)
{
	die("out of memory");
}

__attribute__((noreturn)) static void no_family(void)
{
	if (access("/sys/module/hca", F_OK) == 0)
		die("hca.ko serves only the initial network namespace: "
		    "nsenter --net=/proc/1/ns/net hcactl ...");
	die("hca.ko is not there; load the module: modprobe hca");
}

/* Size in octets of the receive buffer. The kernel limits it, by default to about 400 KiB. */
#define RECEIVE_BUFFER (1 << 20)

static struct nl_sock *socket_to_kernel;
static int family;

static void connect_kernel(void)
{
	int on = 1, err, fd;

	if (socket_to_kernel)
		return;
	socket_to_kernel = nl_socket_alloc();
	if (!socket_to_kernel)
		no_memory();
	err = genl_connect(socket_to_kernel);
	if (err)
		die("no generic netlink: %s", nl_geterror(err));
	/* The buffer is large, because one message may contain all ports of a switch. */
	nl_socket_set_buffer_size(socket_to_kernel, RECEIVE_BUFFER, 0);
	/* Errors are reported with extended acknowledgments, and without a copy of the request. */
	fd = nl_socket_get_fd(socket_to_kernel);
	if (setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on)) ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on)))
		die("no extended acknowledgements: %m");
	family = genl_ctrl_resolve(socket_to_kernel, HCA_GENL_NAME);
	if (family < 0)
		no_family();
}

struct request *request_new(enum hca_command command, const char *what, ...)
{
	struct request *request = calloc(1, sizeof(*request));
	va_list args;

	if (!request)
		no_memory();
	va_start(args, what);
	if (vasprintf(&request->what, what, args) < 0)
		no_memory();
	va_end(args);

	request->file = -1;
	connect_kernel();
	request->message = nlmsg_alloc();
	if (!request->message ||
	    !genlmsg_put(request->message, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, 0, command,
			 HCA_GENL_VERSION))
		no_memory();
	return request;
}

void request_drop(struct request *request)
{
	if (request->file >= 0)
		close(request->file);
	while (request->num_labels)
		free(request->labels[--request->num_labels].text);
	nlmsg_free(request->message);
	free(request->what);
	free(request);
}

/* Adds a label for the attribute that the caller puts into the request next. */
__attribute__((format(printf, 2, 3)))
static void add_label(struct request *request, const char *format, ...)
{
	struct label *label;
	va_list args;

	if (request->num_labels == MAX_LABELS)
		return;
	label = &request->labels[request->num_labels++];
	label->offset = nlmsg_hdr(request->message)->nlmsg_len;
	va_start(args, format);
	if (vasprintf(&label->text, format, args) < 0)
		no_memory();
	va_end(args);
}

void request_put_string(struct request *request, int attr, const char *label, const char *value)
{
	add_label(request, "%s '%s'", label, value);
	if (nla_put_string(request->message, attr, value))
		die("%s: %s '%.20s...' is far too long", request->what, label, value);
}

void request_put_number(struct request *request, int attr, const char *label, uint32_t value)
{
	add_label(request, "%s %" PRIu32, label, value);
	if (nla_put_u32(request->message, attr, value))
		no_memory();
}

void request_put_long(struct request *request, int attr, const char *label, uint64_t value)
{
	add_label(request, "%s %" PRIu64, label, value);
	if (nla_put_u64(request->message, attr, value))
		no_memory();
}

void request_put_flag(struct request *request, int attr, const char *label)
{
	add_label(request, "%s", label);
	if (nla_put_flag(request->message, attr))
		no_memory();
}

void request_put_guid(struct request *request, int attr, const char *label, uint64_t value)
{
	add_label(request, "%s 0x%016" PRIx64, label, value);
	if (nla_put_u64(request->message, attr, value))
		no_memory();
}

void request_put_octets(struct request *request, int attr, const char *label, const char *text,
			const void *octets, int length)
{
	add_label(request, "%s '%s'", label, text);
	if (nla_put(request->message, attr, length, octets))
		no_memory();
}

void request_put_file(struct request *request, int attr, const char *label, const char *name,
		      int fd)
{
	add_label(request, "%s '%s'", label, name);
	request->file = fd;
	if (nla_put_u32(request->message, attr, fd))
		no_memory();
}

struct nlattr *request_open(struct request *request, int attr)
{
	struct nlattr *nest = nla_nest_start(request->message, attr | NLA_F_NESTED);

	if (!nest)
		no_memory();
	return nest;
}

void request_close(struct request *request, struct nlattr *nest)
{
	nla_nest_end_keep_empty(request->message, nest);
}

static const char *find_label(const struct request *request, const struct nlattr *offset)
{
	int i;

	for (i = 0; offset && i < request->num_labels; i++)
		if (request->labels[i].offset == nla_get_u32(offset))
			return request->labels[i].text;
	return NULL;
}

/*
 * Writes to @text which values or lengths are valid for an attribute that the kernel's netlink
 * policy has refused. Return: false if the kernel has not reported them.
 */
static bool explain_policy(int error, struct nlattr *nest, char *text, size_t size)
{
	static const struct nla_policy types[NL_POLICY_TYPE_ATTR_MAX + 1] = {
		[NL_POLICY_TYPE_ATTR_MIN_VALUE_U] = { .type = NLA_U64 },
		[NL_POLICY_TYPE_ATTR_MAX_VALUE_U] = { .type = NLA_U64 },
		[NL_POLICY_TYPE_ATTR_MAX_LENGTH] = { .type = NLA_U32 },
	};
	struct nlattr *policy[NL_POLICY_TYPE_ATTR_MAX + 1];

	if (!nest || nla_parse_nested(policy, NL_POLICY_TYPE_ATTR_MAX, nest, types))
		return false;
	if (error == -ERANGE && policy[NL_POLICY_TYPE_ATTR_MIN_VALUE_U] &&
	    policy[NL_POLICY_TYPE_ATTR_MAX_VALUE_U])
		snprintf(text, size, "must be %" PRIu64 " to %" PRIu64,
			 nla_get_u64(policy[NL_POLICY_TYPE_ATTR_MIN_VALUE_U]),
			 nla_get_u64(policy[NL_POLICY_TYPE_ATTR_MAX_VALUE_U]));
	else if (policy[NL_POLICY_TYPE_ATTR_MAX_LENGTH])
		snprintf(text, size, "must have at most %" PRIu32 " characters",
			 nla_get_u32(policy[NL_POLICY_TYPE_ATTR_MAX_LENGTH]));
	else
		return false;
	return true;
}

/*
 * Parses the extended acknowledgment, which consists of attributes after an error message. There
 * may be none.
 */
static void parse_extack(struct nlmsgerr *error, struct nlattr **extack)
{
	static const struct nla_policy types[NLMSGERR_ATTR_MAX + 1] = {
		[NLMSGERR_ATTR_MSG] = { .type = NLA_STRING },
		[NLMSGERR_ATTR_OFFS] = { .type = NLA_U32 },
		[NLMSGERR_ATTR_POLICY] = { .type = NLA_NESTED },
	};
	struct nlmsghdr *header = (struct nlmsghdr *)((char *)error - NLMSG_HDRLEN);
	int offset = NLMSG_LENGTH(sizeof(*error));

	memset(extack, 0, (NLMSGERR_ATTR_MAX + 1) * sizeof(*extack));
	if (!(header->nlmsg_flags & NLM_F_CAPPED))
		offset += NLMSG_ALIGN(error->msg.nlmsg_len - NLMSG_HDRLEN);
	if (header->nlmsg_flags & NLM_F_ACK_TLVS && (int)header->nlmsg_len > offset)
		nla_parse(extack, NLMSGERR_ATTR_MAX, (struct nlattr *)((char *)header + offset),
			  header->nlmsg_len - offset, (struct nla_policy *)types);
}

static int request_refused(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	struct request *request = arg;
	struct nlattr *extack[NLMSGERR_ATTR_MAX + 1];
	const char *label, *why;
	char policy[80];

	(void)from;
	request->done = true;
	if (request->error) {
		*request->error = -error->error;
		return NL_STOP;
	}
	parse_extack(error, extack);
	if (explain_policy(error->error, extack[NLMSGERR_ATTR_POLICY], policy, sizeof(policy)))
		why = policy;
	else if (extack[NLMSGERR_ATTR_MSG])
		why = reason_of(nla_get_string(extack[NLMSGERR_ATTR_MSG]));
	else if (error->error == -EPERM)
		why = "not permitted: this needs CAP_NET_ADMIN, which root has";
	else
		why = strerror(-error->error);

	label = find_label(request, extack[NLMSGERR_ATTR_OFFS]);
	print_message("%s: %s%s%s", request->what, label ?: "", label ? ": " : "", why);
	request->status = STATUS_REFUSED;
	return NL_STOP;
}

static int request_replied(struct nl_msg *message, void *arg)
{
	struct genlmsghdr *header = nlmsg_data(nlmsg_hdr(message));
	struct request *request = arg;

	if (request->reply)
		request->reply(genlmsg_attrdata(header, 0), genlmsg_attrlen(header, 0),
			       request->arg);
	return NL_OK;
}

static int request_finished(struct nl_msg *message, void *arg)
{
	struct request *request = arg;

	(void)message;
	request->done = true;
	return NL_STOP;
}

/*
 * Sends a request, and receives the answer. Return: 0 if the kernel has accepted or refused the
 * request; otherwise a negative error code of libnl.
 */
static int request_exchange(struct request *request)
{
	int err;

	request->done = false;
	request->status = 0;
	err = nl_send_auto(socket_to_kernel, request->message);
	while (err >= 0 && !request->done)
		err = nl_recvmsgs_default(socket_to_kernel);
	/* If the kernel's refusal was received, libnl's error is ignored. */
	return request->status || (request->error && *request->error) || err >= 0 ? 0 : err;
}

static void listen_for(struct request *request, request_reply *reply, void *arg)
{
	request->reply = reply;
	request->arg = arg;
	nl_socket_modify_err_cb(socket_to_kernel, NL_CB_CUSTOM, request_refused, request);
	nl_socket_modify_cb(socket_to_kernel, NL_CB_VALID, NL_CB_CUSTOM, request_replied, request);
	nl_socket_modify_cb(socket_to_kernel, NL_CB_FINISH, NL_CB_CUSTOM, request_finished,
			    request);
	nl_socket_modify_cb(socket_to_kernel, NL_CB_ACK, NL_CB_CUSTOM, request_finished, request);
}

static int request_conclude(struct request *request, int err)
{
	int status = request->status;

	if (err) {
		print_message("%s: %s", request->what, nl_geterror(err));
		status = STATUS_REFUSED;
	}
	request_drop(request);
	return status;
}

int request_do(struct request *request, request_reply *reply, void *arg)
{
	listen_for(request, reply, arg);
	return request_conclude(request, request_exchange(request));
}

int request_ask(struct request *request, request_reply *reply, void *arg, int *error)
{
	*error = 0;
	request->error = error;
	return request_do(request, reply, arg);
}

int request_dump(struct request *request, void (*again)(void *arg), request_reply *reply,
		 void *arg)
{
	struct nlmsghdr *header = nlmsg_hdr(request->message);
	int err;

	listen_for(request, reply, arg);
	header->nlmsg_flags |= NLM_F_DUMP;
	do {
		again(arg);
		/* Each attempt is a request with its own sequence number. */
		header->nlmsg_seq = NL_AUTO_SEQ;
		err = request_exchange(request);
	} while (err == -NLE_DUMP_INTR);
	return request_conclude(request, err);
}
