/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Exit statuses, which man/hcactl.8 documents. */
#ifndef HCACTL_STATUS_H
#define HCACTL_STATUS_H

enum {
	STATUS_USAGE = 1, /* wrong arguments or a wrong file; the kernel was not asked */
	STATUS_REFUSED = 2, /* the kernel refused, or could not be asked */
};

#endif
