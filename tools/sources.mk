# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# What hcactl is made of. (Not in tools/hcactl/: that is the program's own name in the build tree.)
HCACTL_SOURCES = \
	tools/ctl/device.c \
	tools/ctl/grammar.c tools/ctl/grammar.h \
	tools/ctl/guid.c tools/ctl/guid.h \
	tools/ctl/identity.c tools/ctl/identity.h \
	tools/ctl/inventory.c tools/ctl/inventory.h \
	tools/ctl/link.c \
	tools/ctl/main.c \
	tools/ctl/nouns.h \
	tools/ctl/number.c tools/ctl/number.h \
	tools/ctl/portname.c tools/ctl/portname.h \
	tools/ctl/print.c tools/ctl/print.h \
	tools/ctl/request.c tools/ctl/request.h \
	tools/ctl/say.c tools/ctl/say.h \
	tools/ctl/show.c
