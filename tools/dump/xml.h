/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints text into XML. */
#ifndef HCADUMP_XML_H
#define HCADUMP_XML_H

#include <stdio.h>

/* Prints a text so that it is one, whatever it has; what is not printable ASCII becomes '?'. */
void xml_print(FILE *to, const char *text);

#endif
