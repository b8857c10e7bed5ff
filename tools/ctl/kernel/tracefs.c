// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds the mount point of tracefs. */
#include "tools/ctl/kernel/tracefs.h"

const char *tracefs_folder(void)
{
	return "/sys/kernel/tracing";
}
