# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# What libhca.so.1 is made of.
LIBHCA_SOURCES = \
	libhca/libhca.c
