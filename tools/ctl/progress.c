// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shows the progress of a long operation. */
#include "tools/ctl/progress.h"
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 40
/* Minimum time in ns between two updates, which lets the user read the numbers */
#define NS_BETWEEN 50000000LL

static bool shown;

static long long progress_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void progress_show(const char *what, size_t done, size_t all)
{
	static const char bar[WIDTH + 1] = "========================================";
	size_t length = all ? done * WIDTH / all : WIDTH;
	static long long last;

	if (!isatty(STDERR_FILENO) || (shown && progress_now() - last < NS_BETWEEN))
		return;
	last = progress_now();
	fprintf(stderr, "\r%s [%-*.*s] %zu/%zu", what, WIDTH, (int)length, bar, done, all);
	fflush(stderr);
	shown = true;
}

void progress_hide(void)
{
	if (shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	shown = false;
}
