/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks of the RNIC of rnic.h: its memory, completions, events, budgets, and octets sent. */
#ifndef HCA_TESTS_FUZZ_IWARP_ORACLE_H
#define HCA_TESTS_FUZZ_IWARP_ORACLE_H

#include "tests/fuzz/iwarp/rnic.h"

/* Begin with memory as it is. */
void fuzz_oracle_begin(u8 (*memory)[FUZZ_MEMORY]);

/* The run function of the queue pair, whose budget is checked. */
bool fuzz_run(struct hca_runnable *r, int *budget);

/* A request was noted: its range may change from now on, if it says so. */
void fuzz_oracle_posted(const struct fuzz_request *request);

/* The queue pair is in Reset: its requests are gone. */
void fuzz_oracle_reset(void);

/* Check memory and allocations, and consume completions. */
void fuzz_check(void);

/* The stream has gone: check completions, events, and all octets that were sent. */
void fuzz_check_end(void);

/* All requests have completed. */
void fuzz_check_flushed(void);

#endif
