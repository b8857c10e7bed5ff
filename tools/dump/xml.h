/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints text into XML. */
#ifndef HCADUMP_XML_H
#define HCADUMP_XML_H

#include <stdio.h>

/*
 * Prints any text, with the characters escaped that XML reserves. A '?' replaces each octet that is
 * not printable ASCII.
 */
void xml_print(FILE *to, const char *text);

#endif
