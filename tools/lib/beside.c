// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds the running program, and the programs that are installed with it. */
#include "tools/lib/beside.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

char *path_of_program(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length < 0)
		die_errno("/proc/self/exe");
	return need_text("%.*s", (int)length, path);
}

char *path_beside(const char *name)
{
	char *self = path_of_program(), *path;

	path = need_text("%.*s/%s", (int)(strrchr(self, '/') - self), self, name);
	free(self);
	return path;
}
