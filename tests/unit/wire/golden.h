/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Where the golden packets are. */
#ifndef HCA_TESTS_GOLDEN_H
#define HCA_TESTS_GOLDEN_H

#include <stddef.h>

/* Writes the path of tests/golden. */
void golden_directory(char *path, size_t size);

#endif
