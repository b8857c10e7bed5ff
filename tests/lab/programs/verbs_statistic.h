/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* rdma-statistic(8): its commands and what they print, and binds without it. */
#ifndef HCA_TESTS_VERBS_STATISTIC_H
#define HCA_TESTS_VERBS_STATISTIC_H

#include "verbs_lab.h"
#include <linux/netlink.h>
#include <net/if.h>
#include <rdma/rdma_netlink.h>
#include <sys/socket.h>

static char printed[1 << 16]; /* by the last command */

/* Runs rdma with these arguments. Return: whether it succeeded. */
__attribute__((format(printf, 1, 2))) static inline bool rdma(const char *format, ...)
{
	char command[256] = "rdma -j ";
	va_list args;
	size_t n = 0;
	FILE *pipe;

	va_start(args, format);
	vsnprintf(command + strlen(command), sizeof(command) - strlen(command) - 8, format, args);
	va_end(args);
	strcat(command, " 2>&1");
	pipe = popen(command, "r");
	if (!pipe)
		return expect(false, "popen");
	n = fread(printed, 1, sizeof(printed) - 1, pipe);
	printed[n] = '\0';
	return !pclose(pipe);
}

/* Return: the number behind the name of a member, in @text up to @end; all ones: there is none. */
static inline uint64_t member(const char *text, const char *end, const char *name)
{
	char key[64];
	const char *found;

	snprintf(key, sizeof(key), "\"%s\":", name);
	found = text ? strstr(text, key) : NULL;
	return found && (!end || found < end) ? strtoull(found + strlen(key), NULL, 10) : ~0ull;
}

/* Return: what a port has counted, with its queue pairs' counters. */
static inline uint64_t of_port(const char *device, const char *name)
{
	sleep_ms(30); /* values are kept for 10 ms */
	expect(rdma("statistic show link %s/1", device), "rdma statistic: %s", printed);
	return member(printed, NULL, name);
}

/* Return: the number of counters of a port that queue pairs are bound to. */
static inline unsigned int counters_of(const char *device)
{
	unsigned int n = 0;
	const char *p;

	expect(rdma("statistic qp show link %s/1", device), "rdma statistic qp: %s", printed);
	for (p = printed; (p = strstr(p, "\"cntn\":")); p++)
		n++;
	return n;
}

/* Return: the number of the counter of a queue pair; 0: it has none. */
static inline uint32_t counter_of(const char *device, const struct ibv_qp *qp)
{
	const char *p, *end;
	char number[16];

	if (!counters_of(device))
		return 0;
	for (p = printed; (p = strstr(p, "\"cntn\":")); p++) {
		const char *list = strstr(p, "\"lqpn\":[");

		end = list ? strchr(list, ']') : NULL;
		snprintf(number, sizeof(number), "%u", qp->qp_num);
		list = list ? list + strlen("\"lqpn\":[") : NULL;
		for (; end && list < end; list += strcspn(list, ",]") + 1)
			if (strtoul(list, NULL, 10) == qp->qp_num)
				return member(p, end, "cntn");
	}
	return 0;
}

/* Return: what a counter has counted. */
static inline uint64_t of_counter(const char *device, uint32_t counter, const char *name)
{
	const char *p, *next;

	counters_of(device);
	for (p = printed; (p = strstr(p, "\"cntn\":")); p++) {
		next = strstr(p + 1, "\"cntn\":");
		if (member(p, next, "cntn") == counter)
			return member(p, next, name);
	}
	expect(false, "there is no counter %u", counter);
	return ~0ull;
}

/* --- binds without a process for each --------------------------------------------------------- */

struct bind_message {
	struct nlmsghdr head;
	struct {
		struct nlattr head;
		uint32_t value;
	} attr[5];
};

/* Has a new counter made for a queue pair. Return: 0 or an errno. */
static inline int bind_new(int fd, uint32_t device, uint32_t qpn)
{
	const uint32_t values[][2] = {
		{ RDMA_NLDEV_ATTR_DEV_INDEX, device },
		{ RDMA_NLDEV_ATTR_PORT_INDEX, 1 },
		{ RDMA_NLDEV_ATTR_STAT_MODE, RDMA_COUNTER_MODE_MANUAL },
		{ RDMA_NLDEV_ATTR_STAT_RES, RDMA_NLDEV_ATTR_RES_QP },
		{ RDMA_NLDEV_ATTR_RES_LQPN, qpn },
	};
	struct bind_message message = {
		.head = {
			.nlmsg_len = sizeof(message),
			.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_STAT_SET),
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
	};
	struct nlmsgerr *error;
	char answer[4096];
	unsigned int i;
	ssize_t n;

	for (i = 0; i < COUNT(values); i++) {
		message.attr[i].head.nla_len = sizeof(message.attr[i]);
		message.attr[i].head.nla_type = values[i][0];
		message.attr[i].value = values[i][1];
	}
	if (send(fd, &message, sizeof(message), 0) != sizeof(message))
		return errno;
	/* The counter's number comes first, if there is one, and then the acknowledgement. */
	do {
		n = recv(fd, answer, sizeof(answer), 0);
		if (n < (ssize_t)(sizeof(struct nlmsghdr) + sizeof(int)))
			return EPROTO;
	} while (((struct nlmsghdr *)answer)->nlmsg_type != NLMSG_ERROR);
	error = NLMSG_DATA((struct nlmsghdr *)answer);
	return -error->error;
}

#endif
