// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Replacement of static.c if sdprun is built without libbpf. */
#include "tools/lib/message.h"
#include "tools/sdp/static.h"

int static_run(char **command)
{
	(void)command;
	die("--static: sdprun was built without libbpf; install its package for programmers, "
	    "libbpf-dev or libbpf-devel, and build sdprun again");
}
