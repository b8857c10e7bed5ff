# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# What libhca.so.1 is made of.
LIBHCA_SOURCES = \
	libhca/ah.c \
	libhca/cq.c \
	libhca/device.c \
	libhca/doorbell.c \
	libhca/libhca.c \
	libhca/mr.c \
	libhca/pd.c \
	libhca/post.c \
	libhca/qp.c \
	libhca/ring.c \
	libhca/wr.c
