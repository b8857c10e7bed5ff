/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_INIT_H
#define SHIM_LINUX_INIT_H

#define __init
#define __exit

#endif
