/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Functions for programs of the lab that use stock libibverbs. A case consists of expectations; the
 * first one that fails is the reason why the case fails. The case ends with a line:
 *     ok - NAME
 *     not ok - NAME: why
 */
#ifndef HCA_TESTS_VERBS_LAB_H
#define HCA_TESTS_VERBS_LAB_H

#define _GNU_SOURCE /* strerrorname_np() */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <infiniband/verbs.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Longer than anything takes on a busy machine without KVM. */
#define PATIENCE_MS 10000
/* How long an event that must not happen is waited for. */
#define SILENCE_MS 100

static char lab_reason[512]; /* why the current case fails; empty: no failure so far */
static unsigned int lab_failures;

__attribute__((format(printf, 2, 3))) static inline bool expect(bool met, const char *format, ...)
{
	va_list args;

	if (met || lab_reason[0])
		return met;
	va_start(args, format);
	vsnprintf(lab_reason, sizeof(lab_reason), format, args);
	va_end(args);
	return false;
}

__attribute__((format(printf, 1, 2))) static inline void verdict(const char *format, ...)
{
	char name[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	if (lab_reason[0])
		printf("not ok - %s: %s\n", name, lab_reason);
	else
		printf("ok - %s\n", name);
	fflush(stdout);
	lab_failures += lab_reason[0] != '\0';
	lab_reason[0] = '\0';
}

/* Returns the program's exit status. */
static inline int lab_status(void)
{
	return lab_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Ends the program, where a later case could not run without NAME. */
__attribute__((noreturn)) static inline void give_up(const char *name)
{
	expect(false, "this should not have failed");
	verdict("%s", name);
	exit(EXIT_FAILURE);
}

static inline const char *error_name(int error)
{
	const char *name;

	if (!error)
		return "success";
	name = strerrorname_np(error);
	return name ? name : "an unknown error";
}

/* Expects a verb's result, which is 0 or an errno. */
static inline bool expect_error(int got, int wanted, const char *what)
{
	return expect(got == wanted, "%s: %s, not %s", what, error_name(got), error_name(wanted));
}

static inline bool expect_ok(int got, const char *what)
{
	return expect_error(got, 0, what);
}

/* Expects a verb to return an object; NULL is reported with errno. */
static inline bool expect_made(const void *object, const char *what)
{
	return expect_error(object ? 0 : errno, 0, what);
}

static inline bool expect_refused(const void *object, int error, const char *what)
{
	return expect_error(object ? 0 : errno, error, what);
}

static inline bool expect_value(uint64_t got, uint64_t wanted, const char *what)
{
	return expect(got == wanted, "%s is %#llx, not %#llx", what, (unsigned long long)got,
		      (unsigned long long)wanted);
}

static inline uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static inline void sleep_ms(unsigned int ms)
{
	const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* Waits for @n completions, at most @ms milliseconds. Return: the number polled. */
static inline int collect(struct ibv_cq *cq, struct ibv_wc *wc, int n, unsigned int ms)
{
	uint64_t deadline = now_ms() + ms;
	int got = 0, some;

	for (;;) {
		some = ibv_poll_cq(cq, n - got, wc + got);
		if (!expect(some >= 0, "poll_cq returns %d", some))
			return got;
		got += some;
		if (got == n || now_ms() >= deadline)
			return got;
		if (!some)
			usleep(50);
	}
}

/* Polls all completions there are. Return: their number. */
static inline int poll_all(struct ibv_cq *cq)
{
	struct ibv_wc wc[16];
	int n = 0, some;

	while ((some = ibv_poll_cq(cq, COUNT(wc), wc)) > 0)
		n += some;
	return n;
}

static inline bool expect_wc(const struct ibv_wc *wc, uint64_t wr_id, enum ibv_wc_status status)
{
	return expect(wc->wr_id == wr_id && wc->status == status,
		      "completion %#llx says %s, not %#llx %s", (unsigned long long)wc->wr_id,
		      ibv_wc_status_str(wc->status), (unsigned long long)wr_id,
		      ibv_wc_status_str(status));
}

static inline enum ibv_qp_state state_of(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr;
	struct ibv_qp_init_attr init;

	return ibv_query_qp(qp, &attr, IBV_QP_STATE, &init) ? IBV_QPS_UNKNOWN : attr.qp_state;
}

static inline bool expect_state(struct ibv_qp *qp, enum ibv_qp_state wanted)
{
	enum ibv_qp_state got = state_of(qp);

	return expect(got == wanted, "QP is in state %d, not %d", got, wanted);
}

/* Waits for a state that the queue pair enters by itself. */
static inline bool await_state(struct ibv_qp *qp, enum ibv_qp_state wanted)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (state_of(qp) != wanted && now_ms() < deadline)
		usleep(200);
	return expect_state(qp, wanted);
}

static inline struct ibv_context *open_named(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int i;

	for (i = 0; list && list[i] && !context; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			context = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	return context;
}

static inline struct ibv_context *must_open(const char *name)
{
	struct ibv_context *context = open_named(name);

	if (!context) {
		expect(false, "%s: cannot be opened (%s)", name, error_name(errno));
		give_up("open the device");
	}
	return context;
}

/* The octets that count against RLIMIT_MEMLOCK. */
static inline unsigned long pinned(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long kb = ~0ul;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmPin: %lu kB", &kb) == 1)
			break;
	if (status)
		fclose(status);
	return kb * 1024;
}

#endif
