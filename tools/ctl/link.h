/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Cables: what the kernel is asked to do with them. */
#ifndef HCACTL_LINK_H
#define HCACTL_LINK_H

#include "setup.h"

/* Return: 0; or exit status, and it has been said why. */
int link_make(const struct link *link);
int link_delete(const struct link *link); /* without link->b.text: wherever it leads */

#endif
