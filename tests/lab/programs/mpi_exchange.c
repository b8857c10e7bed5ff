// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: mpirun -n RANKS mpi_exchange SECONDS
 * All ranks exchange messages of several sizes with all others, check every octet of them, and sum
 * up values. Rank 0 prints results in the form of verbs_lab.h. Each rank pins memory of its own,
 * and no more than it may lock.
 * SECONDS limits MPI_Init(), which connects all ranks if mpi_preconnect_mpi is set; SIGALRM ends a
 * longer one.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LARGEST (64u << 10) /* octets from each rank to each other */

static int rank, ranks;
static long wrong; /* octets and sums that this rank has found wrong */

/* Returns an octet that no other message of its size has at this offset. */
static uint8_t octet_of(int from, int to, uint32_t size, uint32_t i)
{
	return from * 67 + to * 29 + size * 3 + i * 7 + (i >> 8);
}

static void exchange(uint8_t *out, uint8_t *in, uint32_t size)
{
	uint32_t i;
	int peer;

	for (peer = 0; peer < ranks; peer++)
		for (i = 0; i < size; i++)
			out[peer * size + i] = octet_of(rank, peer, size, i);
	memset(in, 0, (size_t)ranks * size);
	MPI_Alltoall(out, size, MPI_BYTE, in, size, MPI_BYTE, MPI_COMM_WORLD);
	for (peer = 0; peer < ranks; peer++)
		for (i = 0; i < size; i++)
			wrong += in[peer * size + i] != octet_of(peer, rank, size, i);
}

/* Sums values over all ranks: rank n contributes 2^n times the iteration. */
static void sum(int64_t round)
{
	int64_t mine = round << rank, all = 0;

	MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	wrong += all != round * ((INT64_C(1) << ranks) - 1);
}

/*
 * Sends to the next rank while the previous one sends to this rank, messages that are long enough
 * for rendezvous.
 */
static void pass_on(uint8_t *out, uint8_t *in)
{
	const uint32_t size = 4 * LARGEST;
	const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
	uint32_t i;

	for (i = 0; i < size; i++)
		out[i] = octet_of(rank, next, size, i);
	memset(in, 0, size);
	MPI_Sendrecv(out, size, MPI_BYTE, next, 1, in, size, MPI_BYTE, before, 1, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	for (i = 0; i < size; i++)
		wrong += in[i] != octet_of(before, rank, size, i);
}

/* Returns how many octets this process has pinned. */
static long pinned(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long kb = 0;

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmPin: %ld kB", &kb) == 1)
			break;
	if (status)
		fclose(status);
	return kb * 1024;
}

/* Returns the sum of all ranks' values, at all ranks. */
static long total(long mine)
{
	long all = 0;

	MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static void result(int good, const char *name, long value)
{
	if (!rank)
		printf("%s - %s: %ld\n", good ? "ok" : "not ok", name, value);
}

int main(int argc, char **argv)
{
	static const uint32_t sizes[] = { 1, 8, 100, 1024, 4096, 12345, LARGEST };
	struct rlimit limit = {};
	uint8_t *out, *in;
	unsigned int i;
	long bad, few;

	alarm(argc == 2 ? atoi(argv[1]) : 0);
	MPI_Init(&argc, &argv);
	alarm(0);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	out = malloc((size_t)(ranks + 4) * LARGEST);
	in = malloc((size_t)(ranks + 4) * LARGEST);
	if (!out || !in)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		exchange(out, in, sizes[i]);
		sum(i + 1);
	}
	pass_on(out, in);
	bad = total(wrong);
	getrlimit(RLIMIT_MEMLOCK, &limit);
	few = total(pinned() > 0 && (rlim_t)pinned() <= limit.rlim_cur);
	result(ranks > 1, "ranks that exchange messages", ranks);
	result(!bad, "octets and sums that are wrong", bad);
	result(few == ranks, "ranks that have pinned memory, and not too much", few);
	free(out);
	free(in);
	MPI_Finalize();
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
