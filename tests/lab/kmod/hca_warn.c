// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A module that makes the kernel complain, to prove that hcalab notices: Debian's kernels have no LKDTM.
 *
 * insmod hca_warn.ko [how=warn|oops|panic|stuck]
 */
#include <linux/bug.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

static char *how = "warn";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how, "warn (default), oops, panic, or stuck: never return");

static int __init hca_warn_init(void)
{
	if (!strcmp(how, "warn"))
		WARN_ON(1);
	else if (!strcmp(how, "oops"))
		BUG();
	else if (!strcmp(how, "panic"))
		panic("hca_warn: as asked");
	else if (!strcmp(how, "stuck"))
		for (;;)
			ssleep(1);
	else
		return -EINVAL;
	return 0;
}

static void __exit hca_warn_exit(void)
{
}

module_init(hca_warn_init);
module_exit(hca_warn_exit);

MODULE_DESCRIPTION("Makes the kernel complain, on purpose");
MODULE_LICENSE("Dual BSD/GPL");
