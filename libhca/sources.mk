# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The sources of libhca.so.1.
LIBHCA_SOURCES = \
	libhca/ah.c \
	libhca/command.c \
	libhca/cq.c \
	libhca/cq_ex.c \
	libhca/device.c \
	libhca/direct.c \
	libhca/dm.c \
	libhca/doorbell.c \
	libhca/eec.c \
	libhca/events.c \
	libhca/fit.c \
	libhca/provider.c \
	libhca/mr.c \
	libhca/mr_direct.c \
	libhca/multicast.c \
	libhca/mw.c \
	libhca/pd.c \
	libhca/post.c \
	libhca/qp.c \
	libhca/qp_table.c \
	libhca/qp_type.c \
	libhca/rdd.c \
	libhca/ring.c \
	libhca/srq.c \
	libhca/stream.c \
	libhca/terminate.c \
	libhca/vendor_err.c \
	libhca/wr.c \
	libhca/xrcd.c
