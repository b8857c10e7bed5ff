/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Exit statuses, which man/hcactl.8 documents. */
#ifndef HCACTL_STATUS_H
#define HCACTL_STATUS_H

enum {
	STATUS_USAGE = 1, /* arguments or a file are wrong; nothing was requested from the kernel */
	STATUS_REFUSED = 2, /* the kernel has refused a request, or could not be reached */
};

#endif
