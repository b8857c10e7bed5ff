/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_PRINTK_H
#define SHIM_LINUX_PRINTK_H

#include <linux/compiler.h>

/* Only warnings and more severe messages are shown. */
void shim_printk(const char *level, const char *fmt, ...) __printf(2, 3);

#ifndef pr_fmt
#define pr_fmt(fmt) fmt
#endif

#define pr_err(fmt, args...) shim_printk("error", pr_fmt(fmt), ##args)
#define pr_warn(fmt, args...) shim_printk("warning", pr_fmt(fmt), ##args)
#define pr_notice(fmt, args...) shim_printk(NULL, pr_fmt(fmt), ##args)
#define pr_info(fmt, args...) shim_printk(NULL, pr_fmt(fmt), ##args)
#define pr_debug(fmt, args...) shim_printk(NULL, pr_fmt(fmt), ##args)
#define pr_err_ratelimited pr_err
#define pr_warn_ratelimited pr_warn
#define pr_info_ratelimited pr_info
#define pr_debug_ratelimited pr_debug
#define pr_warn_once pr_warn
#define pr_info_once pr_info

#endif
