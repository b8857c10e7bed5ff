// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcasim: seeds, and the report of a run. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#include <linux/kernel.h>
#include "fabric.h"
#include "iwarp/iwsim.h"
#include "sim.h"
#include "transport/early_retry.h"

struct sim sim;

static jmp_buf failed;
static char failure[600];
static char **command;

void sim_fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(failure, sizeof(failure), fmt, args);
	va_end(args);
	longjmp(failed, 1);
}

static void panic(const char *message)
{
	sim_fail("%s", message);
}

/*
 * Limits of the probability of each fault, in units of 2^-32; half of the seeds have none of one
 * fault, some have no fault at all.
 */
static const u32 most[SIM_NUM_FAULTS] = {
	[SIM_DROP] = 858993459, /* 20 % */
	[SIM_DUP] = 429496729,
	[SIM_REORDER] = 858993459,
	[SIM_CORRUPT] = 214748364,
};

/* One seed of four has machines that are up to 10 ms apart, with early retries or without. */
static bool is_far(u64 seed)
{
	return seed % 8 == 3 || seed % 8 == 6;
}

/* All random draws are made, even if an option overrides one: the others stay as they are. */
static void resolve(const struct sim_options *given, u64 seed)
{
	struct sim_options *o = &sim.how;
	bool faultless = sim_chance(1, 6);
	s32 nodes = sim_chance(1, 2) ? 2 : 1 + sim_below(5), ops = 10 + sim_below(140);
	s64 delay = sim_chance(1, 8) ? 0 : sim_below(1 << sim_below(18));
	int i;

	*o = *given;
	o->seed = seed;
	sim.clean = true;
	for (i = 0; i < SIM_NUM_FAULTS; i++) {
		bool some = sim_chance(1, 2);
		u32 p = sim_below(most[i]);

		if (o->chance[i] < 0)
			o->chance[i] = some && !faultless ? p : 0;
		sim.clean &= !o->chance[i];
	}
	if (!o->nodes)
		o->nodes = nodes;
	if (o->ops < 0)
		o->ops = ops;
	if (o->delay_ns < 0)
		o->delay_ns = is_far(seed) ? 76 * delay : delay;
}

/*
 * Run one seed. @slow: trace all events, and compare all memory after each. Return: no invariant
 * was broken.
 */
static bool run(const struct sim_options *given, u64 seed, bool slow)
{
	memset(&sim, 0, sizeof(sim));
	sim.program.state = seed * 2;
	sim.faults.state = seed * 2 + 0x5851f42d4c957f2d;
	sim.resizes.state = seed * 2 + 0x14057b7ef767814f;
	sim.tracing = slow;
	sim.thorough = slow;
	sim_trace_reset(given->trace);
	shim_reset(seed);
	/* Harm to an early retry is no failed attempt: without them the attempts can be counted. */
	hca_early_retries = seed & 1;
	if (setjmp(failed))
		return false;
	resolve(given, seed);
	if (given->fabric || given->iwarp) {
		if (given->fabric)
			sim_fabric_run();
		else if (given->cut)
			iwsim_cut_run(seed);
		else
			iwsim_run();
		return true;
	}
	sim.laziness = sim_chance(1, 2) ? 0 : 1 + sim_below(6);
	sim_world_new();
	sim_program_run();
	sim_world_free();
	return true;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void print_replay(u64 seed, char **argv)
{
	printf("replay: %s --seed %llu", argv[0], (unsigned long long)seed);
	for (argv++; *argv; argv++) {
		/* also --seeds; its value is the next argument, or follows "=" in this one */
		if (!strncmp(*argv, "--seed", 6)) {
			argv += !strchr(*argv, '=') && argv[1];
			continue;
		}
		printf(" %s", *argv);
	}
	printf("\n");
}

/* The handler of a fatal signal reports the seed. */
static void print_seed(void)
{
	static const char what[] = "\nhcasim: crashed; the seed is ";
	char text[24];
	int at = sizeof(text);
	u64 seed = sim.how.seed;

	text[--at] = '\n';
	do
		text[--at] = '0' + seed % 10;
	while (seed /= 10);
	if (write(2, what, sizeof(what) - 1) < 0 || write(2, text + at, sizeof(text) - at) < 0)
		_exit(1);
}

#ifdef __SANITIZE_ADDRESS__
static void watch_for_crashes(void)
{
	__sanitizer_set_death_callback(print_seed);
}
#else
static void crashed(int number)
{
	signal(number, SIG_DFL);
	print_seed();
	_exit(1);
}

static void watch_for_crashes(void)
{
	signal(SIGABRT, crashed);
	signal(SIGSEGV, crashed);
}
#endif

static void print_faults(void)
{
	printf("%d nodes, drop %.1f %%, dup %.1f %%, reorder %.1f %%, corrupt %.1f %%, delay %lld ns\n",
	       sim.how.nodes, sim.how.chance[SIM_DROP] / 42949672.96,
	       sim.how.chance[SIM_DUP] / 42949672.96, sim.how.chance[SIM_REORDER] / 42949672.96,
	       sim.how.chance[SIM_CORRUPT] / 42949672.96, (long long)sim.how.delay_ns);
}

static int report(const struct sim_options *given, u64 seed)
{
	char first[sizeof(failure)];

	strcpy(first, failure);
	if (isatty(1))
		printf("\r\033[K");
	if (run(given, seed, true))
		printf("A second run of the seed finds nothing: this is not repeatable.\n");
	sim_trace_print();
	printf("\nseed %llu: %s\n", (unsigned long long)seed, first);
	if (strcmp(first, failure))
		printf("looked at more closely: %s\n", failure);
	if (given->iwarp)
		iwsim_print();
	else
		print_faults();
	print_replay(seed, command);
	fflush(stdout);
	_exit(1); /* memory of the interrupted run is no leak */
}

/* Run the programs without a cut; a seed is the number of a cut. */
static void find_cuts(struct sim_options *given)
{
	u64 last;

	if (!run(given, 0, given->trace))
		report(given, 0);
	last = iwsim_cut_count();
	if (given->seed > last)
		given->seed = last;
	given->seeds = min(given->seeds, last - given->seed + 1);
}

int main(int argc, char **argv)
{
	struct sim_options given;
	u64 packets = 0, completions = 0, i;
	double start, shown = 0;

	command = argv;
	sim_options_read(&given, argc, argv);
	shim_on_panic(panic);
	watch_for_crashes();
	start = seconds();
	if (given.cut)
		find_cuts(&given);
	for (i = 0; i < given.seeds; i++) {
		if (!run(&given, given.seed + i, given.trace))
			return report(&given, given.seed + i);
		packets += sim.hub.packets;
		completions += sim.completions;
		if (isatty(1) && seconds() > shown + 0.2) {
			shown = seconds();
			printf("\r%llu of %llu seeds, %.0f a second\033[K",
			       (unsigned long long)i + 1,
			       (unsigned long long)given.seeds, (i + 1) / (shown - start));
			fflush(stdout);
		}
	}
	if (isatty(1))
		printf("\r\033[K");
	printf("%llu seeds, %.0f a second; %llu packets, %llu completions\n",
	       (unsigned long long)given.seeds, given.seeds / (seconds() - start),
	       (unsigned long long)packets, (unsigned long long)completions);
	return 0;
}
