// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Replaces serve_http.c if hcactl is built without libmicrohttpd. */
#include "serve.h"
#include "status.h"
#include "tools/lib/message.h"

int serve_requests(struct server *server)
{
	(void)server;
	print_message("serve: hcactl was built without libmicrohttpd; install its package for "
		      "programmers, libmicrohttpd-dev or libmicrohttpd-devel, and build hcactl "
		      "again");
	return STATUS_REFUSED;
}
