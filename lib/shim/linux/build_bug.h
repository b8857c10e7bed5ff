/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_BUILD_BUG_H
#define SHIM_LINUX_BUILD_BUG_H

#include <assert.h>

#define BUILD_BUG_ON_MSG(cond, msg) _Static_assert(!(cond), msg)
#define BUILD_BUG_ON(cond) BUILD_BUG_ON_MSG(cond, #cond)
#define BUILD_BUG_ON_ZERO(cond) ((int)sizeof(struct { int : -!!(cond); }))

#undef static_assert
#define static_assert(cond, ...) static_assert_1(cond, ##__VA_ARGS__, #cond)
#define static_assert_1(cond, msg, ...) _Static_assert(cond, msg)

#endif
