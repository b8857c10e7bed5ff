// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: load PROVIDER [fewer | more | moved]
 *
 * Loads a provider as libibverbs does, and prints the name under which it registers itself. The
 * second argument has libibverbs' verbs_set_ops() behave as that of another release would: with an
 * operation less, one more, or one before all those of this release.
 *
 * Linked with libibverbs and -rdynamic, so that these functions come before its own; the private
 * ABI's number is ABI.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <infiniband/verbs.h>

#define TEXT(abi) TEXT_OF(abi)
#define TEXT_OF(abi) #abi
#define REGISTER(abi) REGISTER_AS(abi)
#define REGISTER_AS(abi) verbs_register_driver_##abi

#define ROOM 512 /* words that the provider gives, of which libibverbs uses fewer */

static const char *release = "";

void REGISTER(ABI)(const char *const *ops);
void verbs_set_ops(struct verbs_context *context, const void **ops);

void REGISTER(ABI)(const char *const *ops)
{
	printf("registered %s\n", *ops);
}

void verbs_set_ops(struct verbs_context *context, const void **ops)
{
	void (*set_ops)(struct verbs_context *, const void **) =
		dlvsym(RTLD_NEXT, "verbs_set_ops", "IBVERBS_PRIVATE_" TEXT(ABI));
	const void **own = (const void **)context->priv;

	if (!set_ops) {
		fprintf(stderr, "load: %s\n", dlerror());
		return;
	}
	if (!strcmp(release, "fewer"))
		ops[0] = NULL;
	set_ops(context, ops + !strcmp(release, "moved"));
	if (!strcmp(release, "more"))
		own[ROOM - 1] = ops[ROOM - 1];
}

int main(int argc, char **argv)
{
	if (argc > 2)
		release = argv[2];
	if (argc > 1 && dlopen(argv[1], RTLD_NOW))
		return 0;
	fprintf(stderr, "load: %s\n", argc > 1 ? dlerror() : "no PROVIDER");
	return 1;
}
