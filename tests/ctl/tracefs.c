// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Replaces tools/ctl/kernel/tracefs.c in hcactl-recorded: tracefs is the folder HCACTL_TRACEFS. */
#include <stdlib.h>
#include "tools/ctl/kernel/tracefs.h"

const char *tracefs_folder(void)
{
	return getenv("HCACTL_TRACEFS") ?: "";
}
