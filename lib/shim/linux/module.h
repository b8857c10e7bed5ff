/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_MODULE_H
#define SHIM_LINUX_MODULE_H

#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>

#define THIS_MODULE NULL
#define KBUILD_MODNAME "hca"
#define module_param(name, type, perm)
#define MODULE_PARM_DESC(name, text)

#endif
