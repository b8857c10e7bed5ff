// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_failslab DEVICE
 * Each allocation that a verb makes in the kernel fails in turn: the verb is refused, and nothing
 * of it is left. Skips if the kernel cannot inject faults. Runs in the guest with Active ports, as
 * root, with debugfs mounted.
 */
#include "verbs_borders.h"
#include <sys/resource.h>

#define MAX_ALLOCATIONS 400

static const char *device;

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Allocations that may sleep, and pages of them, are to fail as well. */
static bool can_inject(void)
{
	return write_file("/sys/kernel/debug/failslab/ignore-gfp-wait", "N") &&
	       write_file("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N") &&
	       write_file("/sys/kernel/debug/fail_page_alloc/min-order", "0") &&
	       write_file("/sys/kernel/debug/failslab/verbose", "0") &&
	       write_file("/sys/kernel/debug/fail_page_alloc/verbose", "0");
}

static int fail_nth; /* file: the n-th allocation of this task fails */

static void fail_at(unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	expect(pwrite(fail_nth, text, strlen(text), 0) == (ssize_t)strlen(text), "fail-nth");
}

/* Return: whether none has failed, because there were fewer. */
static bool none_failed(void)
{
	char text[16] = {};
	ssize_t n = pread(fail_nth, text, sizeof(text) - 1, 0);

	fail_at(0);
	return n > 0 && atoi(text) > 0;
}

/* --- objects ---------------------------------------------------------------------------------- */

/* Return: whether another allocation can fail. */
static bool attempt(const struct border *border, unsigned int n)
{
	void *object;
	bool over;
	int error;

	errno = 0;
	fail_at(n);
	object = border->make();
	error = errno;
	over = none_failed();
	if (object)
		expect_ok(border->destroy(object), border->name);
	else
		expect(error == ENOMEM || error == EAGAIN, "allocation %u fails: %s", n,
		       error_name(error));
	expect(object || !over, "refused although nothing has failed: %s", error_name(error));
	return !over;
}

/* Those of which there is nothing to find out. */
static const struct {
	const char *name, *reason;
} left_out[] = {
	{ "a parent domain", "libibverbs makes it without the kernel" },
	{ "an XRC target", "Linux never releases its domain if memory for the handle is missing" },
};

static bool is_left_out(const struct border *border)
{
	unsigned int i;

	for (i = 0; i < COUNT(left_out); i++) {
		if (strcmp(left_out[i].name, border->name))
			continue;
		printf("skip - %s, each allocation fails # %s\n", border->name,
		       left_out[i].reason);
		return true;
	}
	return false;
}

static void make_each(const struct border *border)
{
	char before[512], after[512];
	unsigned int n = 1;

	if (is_left_out(border))
		return;
	objects_of(device, before, sizeof(before));
	while (n < MAX_ALLOCATIONS && !lab_reason[0] && attempt(border, n))
		n++;
	expect(n > 1 && n < MAX_ALLOCATIONS, "%u allocations have failed", n - 1);
	objects_of(device, after, sizeof(after));
	expect(!strcmp(before, after), "there were %s, there are %s", before, after);
	verdict("%s, each allocation fails", border->name);
}

/* --- what changes objects --------------------------------------------------------------------- */

static int larger_cq(unsigned int n)
{
	return resize_cq(100 + n % 2 * 900);
}

static int larger_srq(unsigned int n)
{
	return resize_srq(100 + n % 2 * 900);
}

static int pages(unsigned int n)
{
	(void)n;
	madvise(base.memory, BYTES, MADV_DONTNEED);
	return bring_pages();
}

/* Failures are of enum ibv_rereg_mr_err_code. */
static int rereg(unsigned int n)
{
	int ret = ibv_rereg_mr(base.mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, base.memory,
			       n % 2 ? BYTES / 2 : BYTES, 0);

	return ret < 0 ? -1 : ret;
}

static const struct {
	const char *name;
	int (*change)(unsigned int n);
} changes[] = {
	{ "resizing a completion queue", larger_cq },
	{ "resizing a shared receive queue", larger_srq },
	{ "bringing pages on demand", pages },
	{ "reregistering a memory region", rereg },
};

static void change_each(const char *name, int (*change)(unsigned int n))
{
	char before[512], after[512];
	bool over = false;
	unsigned int n;
	int ret;

	objects_of(device, before, sizeof(before));
	for (n = 1; n < MAX_ALLOCATIONS && !lab_reason[0] && !over; n++) {
		fail_at(n);
		ret = change(n);
		over = none_failed();
		expect(!ret || ret == ENOMEM || ret == EAGAIN || ret == -1, "allocation %u fails: %s",
		       n, error_name(ret));
		expect(!ret || !over, "refused although nothing has failed: %s", error_name(ret));
		expect_ok(change(n), "once more, when nothing fails");
	}
	expect(over, "%u allocations have failed", n);
	objects_of(device, after, sizeof(after));
	expect(!strcmp(before, after), "there were %s, there are %s", before, after);
	verdict("%s, each allocation fails", name);
}

int main(int argc, char **argv)
{
	unsigned int i;

	device = argc > 1 ? argv[1] : "hca0";
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_nth < 0 || !can_inject()) {
		puts("skip - each allocation fails # this kernel does not inject faults");
		return EXIT_SUCCESS;
	}
	prepare(device);
	for (i = 0; i < COUNT(borders); i++)
		make_each(&borders[i]);
	for (i = 0; i < COUNT(changes); i++)
		change_each(changes[i].name, changes[i].change);
	finish();
	verdict("everything is given back");
	return lab_status();
}
