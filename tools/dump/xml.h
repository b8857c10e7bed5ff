/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Escapes text for XML. */
#ifndef HCADUMP_XML_H
#define HCADUMP_XML_H

#include <stdio.h>

/*
 * Prints text, and escapes the characters that XML reserves. Prints '?' for an octet that is not
 * printable ASCII.
 */
void xml_print(FILE *to, const char *text);

#endif
