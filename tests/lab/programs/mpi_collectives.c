// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: mpirun -n RANKS mpi_collectives SECONDS
 * All ranks take part in the collective operations, and reach into each other's memory by
 * one-sided ones; every value that arrives is checked. Rank 0 prints results in the form of
 * verbs_lab.h. SECONDS limits all of it; SIGALRM ends what takes longer.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT 5000 /* values to each rank: of several packets, and of several fragments of UCX */

static int rank, ranks;
static int64_t *out, *in; /* COUNT values for each rank */

/* A value that no other rank, peer or place has. */
static int64_t value_of(int from, int to, int i)
{
	return ((int64_t)from << 40) + ((int64_t)to << 32) + i * 3 + 1;
}

static void fill(void)
{
	int to, i;

	for (to = 0; to < ranks; to++)
		for (i = 0; i < COUNT; i++)
			out[to * COUNT + i] = value_of(rank, to, i);
	memset(in, 0, sizeof(*in) * COUNT * ranks);
}

/* Returns how many values that came from a rank, at a place of @in, are not those for @to. */
static long wrong(int from, int to, int place)
{
	long bad = 0;
	int i;

	for (i = 0; i < COUNT; i++)
		bad += in[place * COUNT + i] != value_of(from, to, i);
	return bad;
}

static int64_t sum_of(int to, int i, int first, int last)
{
	int64_t sum = 0;
	int from;

	for (from = first; from <= last; from++)
		sum += value_of(from, to, i);
	return sum;
}

static long wrong_sums(int to, int first, int last)
{
	long bad = 0;
	int i;

	for (i = 0; i < COUNT; i++)
		bad += in[i] != sum_of(to, i, first, last);
	return bad;
}

/* --- collective operations: each returns how many values are wrong at this rank */

static long bcast(void)
{
	long bad = 0;
	int root;

	for (root = 0; root < ranks; root++) {
		if (rank == root)
			memcpy(in, out, sizeof(*in) * COUNT);
		MPI_Bcast(in, COUNT, MPI_INT64_T, root, MPI_COMM_WORLD);
		bad += wrong(root, 0, 0);
	}
	return bad;
}

static long gather(void)
{
	int from;
	long bad = 0;

	MPI_Gather(out, COUNT, MPI_INT64_T, in, COUNT, MPI_INT64_T, 0, MPI_COMM_WORLD);
	for (from = 0; !rank && from < ranks; from++)
		bad += wrong(from, 0, from);
	return bad;
}

static long allgather(void)
{
	int from;
	long bad = 0;

	MPI_Allgather(out, COUNT, MPI_INT64_T, in, COUNT, MPI_INT64_T, MPI_COMM_WORLD);
	for (from = 0; from < ranks; from++)
		bad += wrong(from, 0, from);
	return bad;
}

static long scatter(void)
{
	MPI_Scatter(out, COUNT, MPI_INT64_T, in, COUNT, MPI_INT64_T, ranks - 1, MPI_COMM_WORLD);
	return wrong(ranks - 1, rank, 0);
}

static long alltoall(void)
{
	int from;
	long bad = 0;

	MPI_Alltoall(out, COUNT, MPI_INT64_T, in, COUNT, MPI_INT64_T, MPI_COMM_WORLD);
	for (from = 0; from < ranks; from++)
		bad += wrong(from, rank, from);
	return bad;
}

static long reduce(void)
{
	MPI_Reduce(out, in, COUNT, MPI_INT64_T, MPI_SUM, ranks - 1, MPI_COMM_WORLD);
	return rank == ranks - 1 ? wrong_sums(0, 0, ranks - 1) : 0;
}

static long allreduce(void)
{
	MPI_Allreduce(out, in, COUNT, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	return wrong_sums(0, 0, ranks - 1);
}

static long reduce_scatter(void)
{
	MPI_Reduce_scatter_block(out, in, COUNT, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	return wrong_sums(rank, 0, ranks - 1);
}

static long scan(void)
{
	MPI_Scan(out, in, COUNT, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	return wrong_sums(0, 0, rank);
}

/* --- one-sided operations: in is the window */

static long put(void)
{
	MPI_Win window;
	long bad = 0;
	int peer;

	MPI_Win_create(in, sizeof(*in) * COUNT * ranks, sizeof(*in), MPI_INFO_NULL, MPI_COMM_WORLD,
		       &window);
	MPI_Win_fence(0, window);
	for (peer = 0; peer < ranks; peer++)
		MPI_Put(out + peer * COUNT, COUNT, MPI_INT64_T, peer, rank * COUNT, COUNT,
			MPI_INT64_T, window);
	MPI_Win_fence(0, window);
	for (peer = 0; peer < ranks; peer++)
		bad += wrong(peer, rank, peer);
	MPI_Win_free(&window);
	return bad;
}

static long get(void)
{
	MPI_Win window;
	long bad = 0;
	int peer;

	MPI_Win_create(out, sizeof(*out) * COUNT * ranks, sizeof(*out), MPI_INFO_NULL,
		       MPI_COMM_WORLD, &window);
	MPI_Win_fence(0, window);
	for (peer = 0; peer < ranks; peer++) {
		MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, window);
		MPI_Get(in + peer * COUNT, COUNT, MPI_INT64_T, peer, rank * COUNT, COUNT,
			MPI_INT64_T, window);
		MPI_Win_unlock(peer, window);
	}
	MPI_Win_fence(0, window);
	for (peer = 0; peer < ranks; peer++)
		bad += wrong(peer, rank, peer);
	MPI_Win_free(&window);
	return bad;
}

static long accumulate(void)
{
	MPI_Win window;
	long bad;

	MPI_Win_create(in, sizeof(*in) * COUNT * ranks, sizeof(*in), MPI_INFO_NULL, MPI_COMM_WORLD,
		       &window);
	MPI_Win_fence(0, window);
	MPI_Accumulate(out, COUNT, MPI_INT64_T, (rank + 1) % ranks, 0, COUNT, MPI_INT64_T, MPI_SUM,
		       window);
	MPI_Accumulate(out, COUNT, MPI_INT64_T, (rank + 1) % ranks, 0, COUNT, MPI_INT64_T, MPI_SUM,
		       window);
	MPI_Win_fence(0, window);
	bad = 0;
	for (int i = 0; i < COUNT; i++)
		bad += in[i] != 2 * value_of((rank + ranks - 1) % ranks, 0, i);
	MPI_Win_free(&window);
	return bad;
}

/* All ranks count up one value of rank 0: each sees a number that no other sees. */
static long count_up(void)
{
	const int times = 200;
	int64_t one = 1, seen, sum = 0, all;
	MPI_Win window;
	int i;

	MPI_Win_create(in, sizeof(*in), sizeof(*in), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	MPI_Win_fence(0, window);
	for (i = 0; i < times; i++) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
		MPI_Fetch_and_op(&one, &seen, MPI_INT64_T, 0, 0, MPI_SUM, window);
		MPI_Win_unlock(0, window);
		sum += seen;
	}
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
	MPI_Allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	return (all != (int64_t)times * ranks * (times * ranks - 1) / 2) +
	       (!rank && in[0] != times * ranks);
}

static const struct {
	const char *name;
	long (*run)(void);
} operations[] = {
	{ "MPI_Bcast", bcast }, { "MPI_Gather", gather }, { "MPI_Allgather", allgather },
	{ "MPI_Scatter", scatter }, { "MPI_Alltoall", alltoall }, { "MPI_Reduce", reduce },
	{ "MPI_Allreduce", allreduce }, { "MPI_Reduce_scatter_block", reduce_scatter },
	{ "MPI_Scan", scan }, { "MPI_Put", put }, { "MPI_Get", get },
	{ "MPI_Accumulate", accumulate }, { "MPI_Fetch_and_op", count_up },
};

int main(int argc, char **argv)
{
	long mine, all, bad = 0;
	size_t i;

	alarm(argc == 2 ? atoi(argv[1]) : 0);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	out = malloc(sizeof(*out) * COUNT * ranks);
	in = malloc(sizeof(*in) * COUNT * ranks);
	if (!out || !in || ranks < 2)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		fill();
		mine = operations[i].run();
		MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
		if (!rank)
			printf("%s - %s by %d ranks, wrong values: %ld\n", all ? "not ok" : "ok",
			       operations[i].name, ranks, all);
		bad += all;
	}
	MPI_Finalize();
	free(out);
	free(in);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
