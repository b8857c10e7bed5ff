// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Words the kernel's reasons for refusing a request. */
#include "tools/ctl/kernel/reason.h"
#include <string.h>

const char *reason_of(const char *message)
{
	/* Netlink's words for an attribute that the policies of hca.ko do not have. */
	if (strcmp(message, "Unknown attribute type"))
		return message;
	return "the module does not know this, and is older than this hcactl";
}
