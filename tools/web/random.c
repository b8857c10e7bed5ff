// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Random secrets of hcaweb. */
#include "tools/web/random.h"
#include <stdio.h>
#include <sys/random.h>
#include "tools/lib/message.h"

void random_digits(char *digits, size_t count)
{
	unsigned char octets[32];
	size_t i;

	if (getrandom(octets, count / 2, 0) != (ssize_t)(count / 2))
		die("no random numbers: %m");
	for (i = 0; i < count / 2; i++)
		sprintf(digits + 2 * i, "%02x", octets[i]);
}
