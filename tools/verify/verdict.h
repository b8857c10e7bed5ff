/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What has become of the service and operation at hand. The first thing that is wrong is what
 * counts.
 */
#ifndef HCAVERIFY_VERDICT_H
#define HCAVERIFY_VERDICT_H

#include <stdbool.h>

enum verdict {
	VERDICT_OK,
	VERDICT_FAILED,
	VERDICT_NO_SERVICE, /* the device cannot do it */
	VERDICT_NO_OPERATION,
};

void verdict_clear(void);
enum verdict verdict(void);
const char *verdict_reason(void);

/* Something is wrong. Return: false. */
__attribute__((format(printf, 1, 2))) bool wrong(const char *format, ...);

/* A device lacks something; @what is VERDICT_NO_SERVICE or _OPERATION. Return: false. */
__attribute__((format(printf, 2, 3))) bool lacking(enum verdict what, const char *format, ...);

/* "EINVAL", as in manual pages. */
const char *error_name(int error);

#endif
