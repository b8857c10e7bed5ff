// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Executes the command that sdprun runs. */
#include "tools/sdp/command.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "tools/lib/message.h"

/* Exit statuses, which are those of env(1). */
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND 127

int command_exec(char **command)
{
	int error;

	execvp(command[0], command);
	error = errno;
	print_message("cannot run %s: %s", command[0], strerror(error));
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}
