/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The outcome of the current service and operation. Only the first error is recorded. */
#ifndef HCAVERIFY_OUTCOME_H
#define HCAVERIFY_OUTCOME_H

#include <stdbool.h>

enum outcome {
	OUTCOME_OK,
	OUTCOME_FAILED,
	OUTCOME_NO_SERVICE, /* the device does not support the service */
	OUTCOME_NO_OPERATION,
};

void outcome_clear(void);
enum outcome outcome(void);
const char *outcome_reason(void);

/* Records an error. Return: false. */
__attribute__((format(printf, 1, 2))) bool wrong(const char *format, ...);

/*
 * Records that a device lacks a service or an operation. @what is OUTCOME_NO_SERVICE or
 * OUTCOME_NO_OPERATION.
 * Return: false.
 */
__attribute__((format(printf, 2, 3))) bool lacking(enum outcome what, const char *format, ...);

/* Returns the name of an errno, as in "EINVAL". */
const char *error_name(int error);

#endif
