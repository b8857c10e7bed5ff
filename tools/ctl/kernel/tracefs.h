/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the mount point of tracefs. */
#ifndef HCACTL_TRACEFS_H
#define HCACTL_TRACEFS_H

/* Returns the folder where tracefs is mounted. */
const char *tracefs_folder(void);

#endif
