/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The nouns of hcactl, such as "device". Each noun has a file with a table of its commands. */
#ifndef HCACTL_NOUNS_H
#define HCACTL_NOUNS_H

#include "tools/ctl/grammar.h"

extern const struct noun device_noun;
extern const struct noun switch_noun;
extern const struct noun tca_noun;
extern const struct noun rnic_noun;
extern const struct noun link_noun;
extern const struct noun show_noun;
extern const struct noun serve_noun;
extern const struct noun save_noun;
extern const struct noun restore_noun;
extern const struct noun clear_noun;
extern const struct noun topology_noun;
extern const struct noun drops_noun;
extern const struct noun qp_noun;
extern const struct noun cq_noun;
extern const struct noun srq_noun;
extern const struct noun mr_noun;
extern const struct noun mw_noun;
extern const struct noun eec_noun;

/* All nouns, and NULL at the end. */
extern const struct noun *const nouns[];

#endif
