// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_isolation [DEVICE]
 * Checks that a process or context cannot access rings and doorbells of another (V3-136, V3-185).
 * Rings are mapped and written here without the provider, which never does such things. Runs in the
 * guest.
 */
#include "verbs_ring.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define PAGE 4096u
#define MOST (16384 * sizeof(uint32_t)) /* octets that one write() accepts */
#define NO_SUCH_OPCODE 0x7f

struct owner {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp; /* UD, in RTS, with a send queue only */
	struct mapping sq;
	int doorbell;
};

static struct owner mine, other;

static int to_rts(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
	int ret;

	ret = ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
	attr.qp_state = IBV_QPS_RTR;
	if (!ret)
		ret = ibv_modify_qp(qp, &attr, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	return ret ? ret : ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
}

static void owner_open(struct owner *o, const char *name)
{
	struct ibv_srq_init_attr srq = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 64, .max_send_sge = 1 },
		.qp_type = IBV_QPT_UD,
	};
	struct mapping before[MAPPINGS], new[MAPPINGS];
	int n;

	o->context = must_open(name);
	o->pd = ibv_alloc_pd(o->context);
	o->cq = ibv_create_cq(o->context, 64, NULL, NULL, 0);
	o->srq = o->pd ? ibv_create_srq(o->pd, &srq) : NULL;
	o->doorbell = open_doorbell(o->context);
	init.send_cq = init.recv_cq = o->cq;
	init.srq = o->srq;
	n = mappings(before);
	o->qp = o->srq && o->cq ? ibv_create_qp(o->pd, &init) : NULL;
	if (!o->qp || o->doorbell < 0 || to_rts(o->qp) ||
	    mappings_added(before, n, new) != 1)
		give_up("a queue pair, its ring and a doorbell");
	o->sq = new[0];
}

static void owner_close(struct owner *o)
{
	expect_ok(close(o->doorbell), "close the doorbell");
	expect_ok(ibv_destroy_qp(o->qp), "destroy_qp");
	expect_ok(ibv_destroy_srq(o->srq), "destroy_srq");
	expect_ok(ibv_destroy_cq(o->cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(o->pd), "dealloc_pd");
	expect_ok(ibv_close_device(o->context), "close_device");
}

/*
 * Writes a request to the ring without ringing the doorbell. The request fails when it is executed.
 */
static void produce(const struct owner *o, uint64_t wr_id)
{
	struct hca_ring *ring = (void *)o->sq.start;
	struct hca_send_wqe *wqe = (void *)(o->sq.start + HCA_RING_ENTRIES);

	/* The queue pair has been reset, so its first entry is the next one. */
	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = wr_id;
	wqe->opcode = NO_SUCH_OPCODE;
	__atomic_store_n(&ring->producer, 1, __ATOMIC_RELEASE);
}

static void begin(const struct owner *o)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	expect_ok(ibv_modify_qp(o->qp, &reset, IBV_QP_STATE), "to RESET");
	expect_ok(to_rts(o->qp), "to RTS");
	poll_all(o->cq);
}

static void looked_at(const struct owner *o, uint64_t wr_id)
{
	struct ibv_wc wc;

	if (expect(collect(o->cq, &wc, 1, PATIENCE_MS) == 1, "the engine does not look"))
		expect_wc(&wc, wr_id, IBV_WC_LOC_QP_OP_ERR);
}

static void not_looked_at(const struct owner *o)
{
	struct ibv_wc wc;

	expect(!collect(o->cq, &wc, 1, SILENCE_MS), "the engine has looked at it");
}

/* V3-135, V3-138, V3-276, V3-308, P1-202 */
static void foreign_numbers(void)
{
	const uint32_t number = mine.qp->qp_num;
	const uint32_t none[] = { 0, 1, 0xffffff, 0xffffffff, number | 1u << 24,
		number ^ 1u << 14 };
	const uint32_t mixed[] = { other.qp->qp_num, number, other.qp->qp_num };
	unsigned int i;

	begin(&mine);
	begin(&other);
	produce(&mine, 1);
	expect_error(ring_one(other.doorbell, number), ENOENT, "another context's number");
	not_looked_at(&mine);
	verdict("a number of another context: ENOENT, and nothing happens (V3-185, R0-003, R0-512)");

	produce(&other, 2);
	expect_error(ring(other.doorbell, mixed, sizeof(mixed)), ENOENT,
		     "such a number among others");
	looked_at(&other, 2);
	not_looked_at(&mine);
	verdict("a number of another context among others: those before it are rung (V3-185)");

	for (i = 0; i < COUNT(none); i++)
		expect_error(ring_one(mine.doorbell, none[i]), ENOENT, "nobody's number");
	not_looked_at(&mine);
	expect_ok(ring_one(mine.doorbell, number), "the own number");
	looked_at(&mine, 1);
	verdict("nobody's number: ENOENT; one's own works");
}

static void odd_lengths(void)
{
	static const size_t odd[] = { 0, 1, 2, 3, 5, 6, 7, 9, MOST + 1, MOST + 3 };
	const size_t many = 2 * MOST;
	uint32_t *numbers = malloc(many), *edge;
	uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	unsigned int i;
	int ret;

	if (!numbers || pages == MAP_FAILED)
		give_up("memory");
	begin(&mine);
	produce(&mine, 1);
	for (i = 0; i < many / sizeof(*numbers); i++)
		numbers[i] = mine.qp->qp_num;
	for (i = 0; i < COUNT(odd); i++)
		expect(ring(mine.doorbell, numbers, odd[i]) == EINVAL, "%zu octets: not EINVAL",
		       odd[i]);
	not_looked_at(&mine);
	verdict("odd lengths at the doorbell: EINVAL, and nothing happens");

	expect_value(write(mine.doorbell, numbers, MOST), MOST, "as much as it takes");
	looked_at(&mine, 1);
	expect_value(write(mine.doorbell, numbers, many), MOST, "what is taken of more");
	verdict("as many numbers as there may be queue pairs are taken at once, not more");

	begin(&mine);
	produce(&mine, 2);
	munmap(pages + PAGE, PAGE);
	edge = (uint32_t *)(pages + PAGE) - 1;
	*edge = mine.qp->qp_num;
	expect_error(ring(mine.doorbell, NULL, 4), EFAULT, "no memory");
	expect_error(ring(mine.doorbell, edge, 8), EFAULT, "memory that ends");
	expect_error(ring(mine.doorbell, (uint8_t *)edge + 1, 4), EFAULT, "a number cut off");
	ret = ring(mine.doorbell, edge, SIZE_MAX & ~3ul);
	expect(ret == EFAULT || ret == EINVAL, "a length beyond all memory: %s", error_name(ret));
	not_looked_at(&mine);
	memcpy((uint8_t *)edge - 1, &mine.qp->qp_num, sizeof(uint32_t));
	expect_ok(ring(mine.doorbell, (uint8_t *)edge - 1, 4), "a number at an odd address");
	looked_at(&mine, 2);
	verdict("numbers that cannot be read: EFAULT, and nothing happens");

	expect_error(read(mine.doorbell, numbers, 4) < 0 ? errno : 0, EBADF, "read the doorbell");
	expect_error(mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, mine.doorbell, 0) == MAP_FAILED ?
		     errno : 0,
		     EACCES, "map the doorbell");
	verdict("a doorbell is written, nothing else");
	munmap(pages, PAGE);
	free(numbers);
}

static void map_refused(int fd, size_t size, int prot, int flags, off_t offset, int error,
			const char *what)
{
	void *map = mmap(NULL, size, prot, flags, fd, offset);

	if (!expect_error(map == MAP_FAILED ? errno : 0, error, what))
		munmap(map, size);
}

static void foreign_rings(void)
{
	const int rw = PROT_READ | PROT_WRITE, fd = mine.context->cmd_fd;
	const struct mapping *sq = &mine.sq;
	struct ibv_context *empty = must_open(ibv_get_device_name(mine.context->device));
	void *again;

	/* Offsets belong to a context: at this one the other context has its own ring, or none. */
	map_refused(empty->cmd_fd, sq->size, rw, MAP_SHARED, sq->offset, EINVAL,
		    "another context's ring");
	map_refused(empty->cmd_fd, PAGE, rw, MAP_SHARED, 0, EINVAL, "offset 0 of a bare context");
	expect_ok(ibv_close_device(empty), "close_device");
	verdict("a ring of another context: EINVAL (V3-136)");

	map_refused(fd, sq->size + PAGE, rw, MAP_SHARED, sq->offset, EINVAL, "a page too many");
	map_refused(fd, sq->size - PAGE, rw, MAP_SHARED, sq->offset, EINVAL, "a page too few");
	map_refused(fd, sq->size - PAGE, rw, MAP_SHARED, sq->offset + PAGE, EINVAL,
		    "but the first page");
	map_refused(fd, sq->size, rw, MAP_SHARED, sq->offset + PAGE, EINVAL, "another offset");
	map_refused(fd, sq->size, rw, MAP_SHARED, 1ll << 40, EINVAL, "a wild offset");
	map_refused(fd, sq->size, rw, MAP_PRIVATE, sq->offset, EINVAL, "a private mapping");
	map_refused(fd, sq->size, rw | PROT_EXEC, MAP_SHARED, sq->offset, EPERM, "executable");
	verdict("rings are mapped as a whole, shared and not executable");

	again = mmap(NULL, sq->size, rw, MAP_SHARED, fd, sq->offset);
	if (expect(again != MAP_FAILED, "a second mapping: %s", error_name(errno))) {
		expect_value(*(uint32_t *)again, *(uint32_t *)sq->start, "the ring's first word");
		expect_error(mprotect(again, sq->size, rw | PROT_EXEC) ? errno : 0, EACCES,
			     "to be made executable");
		expect_error(mremap(again, sq->size, sq->size + PAGE,
				    MREMAP_MAYMOVE) == MAP_FAILED ?
				     errno : 0,
			     EFAULT, "to be made longer");
		munmap(again, sq->size);
	}
	verdict("a mapping does not become executable later, nor longer");
}

/* Reports what another process finds: each line is the errno of one ring. */
static void child(int socket)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
				  .msg_controllen = sizeof(control) };
	uint32_t number;
	int passed, ret;

	if (recvmsg(socket, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
		_exit(1);
	memcpy(&passed, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(passed));
	while (read(socket, &number, sizeof(number)) == sizeof(number)) {
		ret = ring_one(passed, number);
		if (write(socket, &ret, sizeof(ret)) != sizeof(ret))
			_exit(1);
	}
	_exit(0);
}

static void pass(int socket, int fd)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr header;
	} control = { .header = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS } };
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	expect_value(sendmsg(socket, &message, 0), 1, "sendmsg");
}

/* Makes the other process ring. Return: an errno. */
static int child_rings(int socket, uint32_t number)
{
	int ret;

	if (write(socket, &number, sizeof(number)) != sizeof(number) ||
	    read(socket, &ret, sizeof(ret)) != sizeof(ret))
		return -1;
	return ret;
}

/*
 * A doorbell belongs to its context: whoever has the file rings queue pairs of that context only.
 */
static void passed_on(const char *name, int socket)
{
	struct mapping m[MAPPINGS], before[MAPPINGS];
	struct owner third = {};
	int n, before_n = mappings(before), i, inherited[2] = {}, ret;
	uint32_t number;
	pid_t pid;

	owner_open(&third, name);
	number = third.qp->qp_num;
	pass(socket, third.doorbell);
	produce(&third, 1);
	expect_error(child_rings(socket, mine.qp->qp_num), ENOENT,
		     "its own process's other number");
	not_looked_at(&third);
	expect_ok(child_rings(socket, number), "the number");
	looked_at(&third, 1);
	verdict("a doorbell passed to another process rings its own context's queue pairs only");

	begin(&third);
	produce(&third, 2);
	pid = pipe(inherited) ? -1 : fork();
	if (!pid) {
		ret = ring_one(third.doorbell, mine.qp->qp_num) == ENOENT &&
		      !ring_one(third.doorbell, number);
		_exit(ret ? 0 : 1);
	}
	expect(pid > 0 && waitpid(pid, &ret, 0) == pid && WIFEXITED(ret) && !WEXITSTATUS(ret),
	       "a child that inherits it rings otherwise");
	looked_at(&third, 2);
	verdict("a doorbell that a child inherits rings its own context's queue pairs only");

	/* Closing its file destroys the context and its objects. Mapped rings can still be read. */
	begin(&third);
	produce(&third, 3);
	expect_ok(close(third.context->cmd_fd), "close the context's file");
	expect_error(child_rings(socket, number), EIO, "while rings are mapped");
	not_looked_at(&third);
	n = mappings_added(before, before_n, m);
	for (i = 0; i < n; i++)
		munmap(m[i].start, m[i].size);
	ret = ring_one(third.doorbell, number);
	expect_error(ret, EIO, "the closed context's doorbell");
	expect_error(child_rings(socket, number), EIO, "the same in another process");
	expect_error(ring(third.doorbell, &number, 3), EINVAL, "an odd length there");
	expect_error(ring(third.doorbell, NULL, 4), EFAULT, "no memory there");
	expect_ok(close(third.doorbell), "close the doorbell");
	expect_error(child_rings(socket, number), EIO, "the last who has it");
	close(inherited[0]);
	close(inherited[1]);
	verdict("a doorbell whose context has been closed: EIO, whoever has it");
}

/* Creates another queue pair of an owner, with completion queues of its own. */
static struct ibv_qp *one_more(const struct owner *o, struct ibv_comp_channel *channel,
			       struct ibv_cq **cq, struct mapping *sq)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 64, .max_send_sge = 1 },
		.qp_type = IBV_QPT_UD,
		.srq = o->srq,
	};
	struct mapping before[MAPPINGS];
	struct ibv_qp *qp;
	int n;

	*cq = ibv_create_cq(o->context, 64, NULL, channel, 0);
	init.send_cq = init.recv_cq = *cq;
	n = mappings(before);
	qp = *cq ? ibv_create_qp(o->pd, &init) : NULL;
	if (!qp || to_rts(qp) || mappings_added(before, n, sq) != 1)
		give_up("one more queue pair");
	return qp;
}

/*
 * The first of many numbers causes a completion, whose signal kills the process that rings, so the
 * last number is not reached. The only timing assumption is that the first number is handled before
 * all others.
 */
static void killed(void)
{
	const size_t many = MOST / sizeof(uint32_t);
	uint32_t *numbers = malloc(MOST);
	struct ibv_comp_channel *channel = ibv_create_comp_channel(mine.context);
	struct owner first = mine;
	struct mapping sq[MAPPINGS];
	int status = 0;
	unsigned int i;
	pid_t pid;

	if (!numbers || !channel)
		give_up("memory and a completion channel");
	first.qp = one_more(&mine, channel, &first.cq, sq);
	first.sq = sq[0];
	begin(&mine);
	produce(&first, 1);
	produce(&mine, 2);
	for (i = 0; i < many; i++)
		numbers[i] = first.qp->qp_num;
	numbers[many - 1] = mine.qp->qp_num;
	expect_ok(ibv_req_notify_cq(first.cq, 0), "req_notify_cq");

	pid = fork();
	if (!pid) {
		if (fcntl(channel->fd, F_SETOWN, getpid()) ||
		    fcntl(channel->fd, F_SETSIG, SIGKILL) ||
		    fcntl(channel->fd, F_SETFL, O_ASYNC))
			_exit(1);
		ring(mine.doorbell, numbers, MOST);
		_exit(2);
	}
	expect(pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
		       WTERMSIG(status) == SIGKILL,
	       "who rings ends with status %#x", status);
	looked_at(&first, 1);
	not_looked_at(&mine);
	expect_ok(ring_one(mine.doorbell, mine.qp->qp_num), "the last number by itself");
	looked_at(&mine, 2);
	verdict("who is killed while ringing many numbers does not ring the rest of them");

	expect_ok(ibv_destroy_qp(first.qp), "destroy_qp");
	expect_ok(ibv_destroy_cq(first.cq), "destroy_cq");
	expect_ok(ibv_destroy_comp_channel(channel), "destroy_comp_channel");
	free(numbers);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "hca0";
	int sockets[2], status = 0;
	pid_t pid;

	/* The child is forked before any context exists, so it has no file but those it is sent. */
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		give_up("a socket");
	pid = fork();
	if (!pid) {
		close(sockets[0]);
		child(sockets[1]);
	}
	close(sockets[1]);

	owner_open(&mine, name);
	owner_open(&other, name);
	foreign_numbers();
	odd_lengths();
	killed();
	foreign_rings();
	passed_on(name, sockets[0]);
	close(sockets[0]);
	expect(pid > 0 && waitpid(pid, &status, 0) == pid && !status, "the other process fails");
	owner_close(&mine);
	owner_close(&other);
	verdict("everything is given back");
	return lab_status();
}
