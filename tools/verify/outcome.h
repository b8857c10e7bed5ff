/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What has become of the service and operation at hand. The first thing that is wrong is what
 * counts.
 */
#ifndef HCAVERIFY_OUTCOME_H
#define HCAVERIFY_OUTCOME_H

#include <stdbool.h>

enum outcome {
	OUTCOME_OK,
	OUTCOME_FAILED,
	OUTCOME_NO_SERVICE, /* the device cannot do it */
	OUTCOME_NO_OPERATION,
};

void outcome_clear(void);
enum outcome outcome(void);
const char *outcome_reason(void);

/* Something is wrong. Return: false. */
__attribute__((format(printf, 1, 2))) bool wrong(const char *format, ...);

/* A device lacks something; @what is OUTCOME_NO_SERVICE or _OPERATION. Return: false. */
__attribute__((format(printf, 2, 3))) bool lacking(enum outcome what, const char *format, ...);

/* "EINVAL", as in manual pages. */
const char *error_name(int error);

#endif
