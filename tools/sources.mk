# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# What hcactl is made of. (Not in tools/hcactl/: that is the program's own name in the build tree.)
HCACTL_SOURCES = \
	tools/ctl/check.c tools/ctl/check.h \
	tools/ctl/clear.c \
	tools/ctl/conf.c tools/ctl/conf.h \
	tools/ctl/device.c tools/ctl/device.h \
	tools/ctl/fault.c tools/ctl/fault.h \
	tools/ctl/grammar.c tools/ctl/grammar.h \
	tools/ctl/guid.c tools/ctl/guid.h \
	tools/ctl/identity.c tools/ctl/identity.h \
	tools/ctl/inventory.c tools/ctl/inventory.h \
	tools/ctl/link.c tools/ctl/link.h \
	tools/ctl/main.c \
	tools/ctl/nouns.h \
	tools/ctl/number.c tools/ctl/number.h \
	tools/ctl/portname.c tools/ctl/portname.h \
	tools/ctl/present.c tools/ctl/present.h \
	tools/ctl/print.c tools/ctl/print.h \
	tools/ctl/probability.c tools/ctl/probability.h \
	tools/ctl/replace.c tools/ctl/replace.h \
	tools/ctl/request.c tools/ctl/request.h \
	tools/ctl/restore.c \
	tools/ctl/save.c \
	tools/ctl/say.c tools/ctl/say.h \
	tools/ctl/setup.c tools/ctl/setup.h \
	tools/ctl/show.c \
	tools/ctl/words.c tools/ctl/words.h

# Reliable datagrams between two programs.
RD_PINGPONG_SOURCES = \
	tools/rd_pingpong/channel.c tools/rd_pingpong/channel.h \
	tools/rd_pingpong/exchange.c tools/rd_pingpong/exchange.h \
	tools/rd_pingpong/main.c \
	tools/rd_pingpong/options.c tools/rd_pingpong/options.h
