/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Where tracefs is. */
#ifndef HCACTL_TRACEFS_H
#define HCACTL_TRACEFS_H

/* Returns the folder that tracefs is mounted at. */
const char *tracefs_folder(void);

#endif
