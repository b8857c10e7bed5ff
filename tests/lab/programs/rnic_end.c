// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: rnic_end listen ADDRESS PORT | rnic_end connect ADDRESS PORT TIMES
 * The end of connections that rnic_peer.py judges, by stock librdmacm: one connection at a time. It
 * has memory of each kind, and receive requests, and prints one line for each connection, when that
 * has ended: completions in their order, asynchronous events, and which octets have changed.
 *
 * The private data that it sends have 16 octets for each kind of memory: STag, length, address. The
 * first octets of those that it gets are its orders (struct order). Runs in the guest.
 */
#include "verbs_lab.h"
#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_cma.h>

#define RECEIVES 4u
#define OCTETS 2048u /* of each memory and receive request; as many behind it belong to none */
#define DEPTH 16
#define READ_STAG 0x12345678
#define BIND_ID 1000

struct order {
	uint8_t events; /* asynchronous events to be waited for */
	uint8_t requests; /* enum requests */
};

enum requests {
	REQUEST_BIND = 1, /* bind the window, then Send one octet */
	REQUEST_READ = 2, /* Read into memory that the peer may write */
	REQUEST_READ_LOCAL = 4, /* the same, into memory that it may not write */
	REQUEST_SEND = 8, /* Send one octet */
	REQUEST_CLOSE = 16, /* disconnect */
	REQUEST_STOP = 32, /* modify to SQE */
	REQUEST_ABORT = 64, /* modify to Error */
};

enum kind { BOTH, READABLE, WRITABLE, LOCAL, OTHER_PD, GONE, WINDOW, KINDS };

static const struct {
	const char *name;
	int access;
} kinds[KINDS] = {
	[BOTH] = { "both", IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			   IBV_ACCESS_REMOTE_READ },
	[READABLE] = { "readable", IBV_ACCESS_REMOTE_READ },
	[WRITABLE] = { "writable", IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE },
	[LOCAL] = { "local", IBV_ACCESS_LOCAL_WRITE },
	[OTHER_PD] = { "other-pd", IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				   IBV_ACCESS_REMOTE_READ },
	[GONE] = { "gone", IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE },
	[WINDOW] = { "window", IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND },
};

static struct {
	struct rdma_cm_id *id;
	struct rdma_event_channel *channel;
	struct ibv_pd *pd, *other;
	struct ibv_cq *cq;
	struct ibv_mr *mr[KINDS], *buffers;
	struct ibv_mw *window;
	uint32_t stag[KINDS];
} end;

static uint8_t memory[KINDS * 2 * OCTETS], received[RECEIVES * 2 * OCTETS];
static char line[1024];

static void must(bool met, const char *what)
{
	if (met)
		return;
	fprintf(stderr, "rnic_end: %s: %s\n", what, error_name(errno));
	exit(EXIT_FAILURE);
}

__attribute__((format(printf, 1, 2))) static void report(const char *format, ...)
{
	size_t used = strlen(line);
	va_list args;

	if (used)
		used += snprintf(line + used, sizeof(line) - used, ", ");
	va_start(args, format);
	vsnprintf(line + used, sizeof(line) - used, format, args);
	va_end(args);
}

static uint8_t *memory_at(enum kind kind)
{
	return memory + kind * 2 * OCTETS;
}

static void fill(uint8_t *octets, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		octets[i] = i * 7 + 1;
}

/* Name the octets of @octets that differ from those of fill(). */
static void report_changed(const char *name, const uint8_t *octets, size_t begin, size_t length)
{
	size_t first = length, last = 0, i;

	for (i = 0; i < length; i++) {
		if (octets[begin + i] == (uint8_t)((begin + i) * 7 + 1))
			continue;
		if (first == length)
			first = i;
		last = i;
	}
	if (first != length)
		report("changed %s %zu-%zu", name, first, last);
}

static void register_memory(void)
{
	enum kind kind;

	fill(memory, sizeof(memory));
	fill(received, sizeof(received));
	for (kind = 0; kind < KINDS; kind++) {
		end.mr[kind] = ibv_reg_mr(kind == OTHER_PD ? end.other : end.pd, memory_at(kind),
					  OCTETS, kinds[kind].access);
		must(end.mr[kind], "reg_mr");
		end.stag[kind] = end.mr[kind]->rkey;
	}
	ibv_dereg_mr(end.mr[GONE]);
	end.mr[GONE] = NULL;
	end.window = ibv_alloc_mw(end.pd, IBV_MW_TYPE_2);
	must(end.window, "alloc_mw");
	end.stag[WINDOW] = ibv_inc_rkey(end.window->rkey);
	end.buffers = ibv_reg_mr(end.pd, received, sizeof(received), IBV_ACCESS_LOCAL_WRITE);
	must(end.buffers, "reg_mr of receive requests");
}

static void post_receives(void)
{
	unsigned int i;

	for (i = 0; i < RECEIVES; i++) {
		struct ibv_sge sge = { (uintptr_t)(received + i * 2 * OCTETS), OCTETS,
				       end.buffers->lkey };
		struct ibv_recv_wr wr = { .wr_id = i, .sg_list = &sge, .num_sge = 1 }, *bad;

		must(!ibv_post_recv(end.id->qp, &wr, &bad), "post_recv");
	}
}

static void make_end(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};

	end.id = id;
	end.pd = ibv_alloc_pd(id->verbs);
	end.other = ibv_alloc_pd(id->verbs);
	end.cq = ibv_create_cq(id->verbs, 2 * DEPTH, NULL, NULL, 0);
	must(end.pd && end.other && end.cq, "alloc_pd, create_cq");
	init.send_cq = end.cq;
	init.recv_cq = end.cq;
	must(!rdma_create_qp(id, end.pd, &init), "create_qp");
	register_memory();
	post_receives();
	line[0] = '\0';
}

static void unmake_end(void)
{
	enum kind kind;

	/* A queue pair cannot be destroyed while windows are bound to it. */
	must(!ibv_dealloc_mw(end.window), "dealloc_mw");
	rdma_destroy_qp(end.id);
	for (kind = 0; kind < KINDS; kind++)
		must(!end.mr[kind] || !ibv_dereg_mr(end.mr[kind]), "dereg_mr");
	must(!ibv_dereg_mr(end.buffers), "dereg_mr of receive requests");
	must(!ibv_destroy_cq(end.cq), "destroy_cq");
	must(!ibv_dealloc_pd(end.pd) && !ibv_dealloc_pd(end.other), "dealloc_pd");
	must(!rdma_destroy_id(end.id), "destroy_id");
}

static unsigned int post(enum ibv_wr_opcode opcode, enum kind kind, uint32_t octets)
{
	struct ibv_sge sge = { (uintptr_t)memory_at(kind), octets, end.mr[kind]->lkey };
	struct ibv_send_wr wr = { .wr_id = opcode, .sg_list = &sge, .num_sge = 1,
				  .opcode = opcode }, *bad;

	if (opcode == IBV_WR_RDMA_READ)
		wr.wr.rdma.rkey = READ_STAG;
	if (opcode == IBV_WR_BIND_MW) {
		wr.num_sge = 0;
		wr.bind_mw.mw = end.window;
		wr.bind_mw.rkey = end.stag[WINDOW];
		wr.bind_mw.bind_info = (struct ibv_mw_bind_info){
			end.mr[WINDOW], (uintptr_t)memory_at(WINDOW), OCTETS,
			IBV_ACCESS_REMOTE_WRITE,
		};
	}
	must(!ibv_post_send(end.id->qp, &wr, &bad), "post_send");
	return 1;
}

/* Return: the number of requests posted. */
static unsigned int post_ordered(uint8_t requests)
{
	unsigned int n = 0;

	if (requests & REQUEST_BIND)
		n += post(IBV_WR_BIND_MW, WINDOW, 0) + post(IBV_WR_SEND, READABLE, 1);
	if (requests & REQUEST_READ)
		n += post(IBV_WR_RDMA_READ, BOTH, OCTETS);
	if (requests & REQUEST_READ_LOCAL)
		n += post(IBV_WR_RDMA_READ, LOCAL, OCTETS);
	if (requests & REQUEST_SEND)
		n += post(IBV_WR_SEND, READABLE, 1);
	return n;
}

static void modify(enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = { .qp_state = state };

	must(!ibv_modify_qp(end.id->qp, &attr, IBV_QP_STATE), "modify_qp");
}

/* End the connection as ordered. */
static void end_ordered(uint8_t requests)
{
	if (requests & REQUEST_CLOSE)
		must(!rdma_disconnect(end.id), "disconnect");
	if (requests & REQUEST_STOP)
		modify(IBV_QPS_SQE);
	if (requests & REQUEST_ABORT)
		modify(IBV_QPS_ERR);
}

static void report_completion(const struct ibv_wc *wc, unsigned int *flushed)
{
	if (wc->status == IBV_WC_WR_FLUSH_ERR)
		(*flushed)++;
	else if (wc->status)
		report("%s %02x", ibv_wc_status_str(wc->status), wc->vendor_err);
	else if (wc->wc_flags & IBV_WC_WITH_INV)
		report("recv %u invalidates %s", wc->byte_len,
		       wc->invalidated_rkey == end.stag[WINDOW] ? "the window" : "something else");
	else if (wc->opcode & IBV_WC_RECV)
		report("recv %u", wc->byte_len);
	else
		report("done %s", wc->opcode == IBV_WC_RDMA_READ ? "read" :
				  wc->opcode == IBV_WC_BIND_MW ? "bind" : "send");
}

static void report_completions(unsigned int posted)
{
	unsigned int flushed = 0, n = 0;
	struct ibv_wc wc;

	while (n < posted && collect(end.cq, &wc, 1, PATIENCE_MS) == 1) {
		report_completion(&wc, &flushed);
		n++;
	}
	if (flushed)
		report("flushed %u", flushed);
	if (n != posted)
		report("%u without completion", posted - n);
	n = poll_all(end.cq);
	if (n)
		report("%u completions too many", n);
}

static void report_event(const struct ibv_async_event *event)
{
	static const char *const names[] = {
		[IBV_EVENT_QP_FATAL] = "fatal",
		[IBV_EVENT_QP_REQ_ERR] = "request",
		[IBV_EVENT_QP_ACCESS_ERR] = "access",
	};
	bool is_known = event->event_type < COUNT(names) && names[event->event_type];

	report("event %s", is_known ? names[event->event_type] :
				      ibv_event_type_str(event->event_type));
}

static bool is_readable(int fd, unsigned int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

/* Wait for the expected number of events; then report those, too, that have come besides. */
static void report_events(unsigned int expected)
{
	struct ibv_async_event event;

	while (is_readable(end.id->verbs->async_fd, expected ? PATIENCE_MS : 0)) {
		if (ibv_get_async_event(end.id->verbs, &event))
			break;
		report_event(&event);
		ibv_ack_async_event(&event);
		expected -= expected > 0;
	}
}

static void report_memory(void)
{
	unsigned int i;
	char name[32];

	for (i = 0; i < KINDS; i++) {
		report_changed(kinds[i].name, memory, i * 2 * OCTETS, OCTETS);
		report_changed("no memory", memory, (i * 2 + 1) * OCTETS, OCTETS);
	}
	for (i = 0; i < RECEIVES; i++) {
		snprintf(name, sizeof(name), "buffer%u", i);
		report_changed(name, received, i * 2 * OCTETS, OCTETS);
		report_changed("no buffer", received, (i * 2 + 1) * OCTETS, OCTETS);
	}
}

/* A queue pair without a connection has flushed nothing. */
static void flush_idle(void)
{
	if (state_of(end.id->qp) != IBV_QPS_INIT)
		return;
	report("idle");
	modify(IBV_QPS_ERR);
}

static void print_line(unsigned int number, const struct order *order, unsigned int posted)
{
	flush_idle();
	report_completions(posted);
	report_events(order->events);
	report_memory();
	if (!await_state(end.id->qp, IBV_QPS_ERR))
		report("not in Error");
	printf("%u: %s\n", number, line);
	fflush(stdout);
}

/* Return: the order in the private data of an event, or none. */
static struct order order_of(const struct rdma_cm_event *event)
{
	const uint8_t *octets = event->param.conn.private_data;
	struct order order = { 0, 0 };

	if (octets && event->param.conn.private_data_len >= 2)
		order = (struct order){ octets[0], octets[1] };
	return order;
}

static struct rdma_cm_event *next_event(void)
{
	struct rdma_cm_event *event;

	must(!rdma_get_cm_event(end.channel, &event), "get_cm_event");
	return event;
}

static void name_memory(uint8_t *octets)
{
	enum kind kind;

	for (kind = 0; kind < KINDS; kind++, octets += 16) {
		uint32_t head[2] = { htobe32(end.stag[kind]), htobe32(OCTETS) };
		uint64_t address = htobe64((uintptr_t)memory_at(kind));

		memcpy(octets, head, sizeof(head));
		memcpy(octets + sizeof(head), &address, sizeof(address));
	}
}

/* Whether the connection has ended, or has not come about. */
static bool is_end(enum rdma_cm_event_type type)
{
	return type == RDMA_CM_EVENT_DISCONNECTED || type == RDMA_CM_EVENT_REJECTED ||
	       type == RDMA_CM_EVENT_CONNECT_ERROR || type == RDMA_CM_EVENT_UNREACHABLE;
}

/* Serve a connection up to its end. Return: the number of requests posted besides @posted. */
static unsigned int follow(struct order *order, bool is_initiator, unsigned int posted)
{
	enum rdma_cm_event_type type;
	struct rdma_cm_event *event;

	do {
		event = next_event();
		type = event->event;
		if (type == RDMA_CM_EVENT_ESTABLISHED && is_initiator) {
			*order = order_of(event);
			report("established");
			posted += post_ordered(order->requests);
			end_ordered(order->requests);
		} else if (is_end(type) && type != RDMA_CM_EVENT_DISCONNECTED) {
			report("%s %d", rdma_event_str(type), event->status);
		}
		rdma_ack_cm_event(event);
	} while (!is_end(type));
	return posted;
}

static void accept_one(struct rdma_cm_event *request, unsigned int number)
{
	struct rdma_conn_param param = { .responder_resources = 4, .initiator_depth = 4 };
	struct order order = order_of(request);
	uint8_t octets[KINDS * 16];
	unsigned int posted;

	make_end(request->id);
	end.channel = rdma_create_event_channel();
	must(end.channel && !rdma_migrate_id(end.id, end.channel), "migrate_id");
	rdma_ack_cm_event(request);
	name_memory(octets);
	param.private_data = octets;
	param.private_data_len = sizeof(octets);
	posted = RECEIVES + post_ordered(order.requests);
	if (rdma_accept(end.id, &param))
		report("accept: %s", error_name(errno));
	else
		posted = follow(&order, false, posted);
	print_line(number, &order, posted);
	unmake_end();
	rdma_destroy_event_channel(end.channel);
}

static void run_listen(struct sockaddr_in *address)
{
	struct rdma_event_channel *channel = rdma_create_event_channel();
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;
	unsigned int number;

	must(channel && !rdma_create_id(channel, &id, NULL, RDMA_PS_TCP), "create_id");
	must(!rdma_bind_addr(id, (struct sockaddr *)address), "bind_addr");
	must(!rdma_listen(id, 256), "listen");
	for (number = 1;;) {
		must(!rdma_get_cm_event(channel, &event), "get_cm_event");
		if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
			accept_one(event, number++);
		else
			rdma_ack_cm_event(event);
	}
}

static void await(enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event = next_event();

	must(event->event == type, rdma_event_str(event->event));
	rdma_ack_cm_event(event);
}

static void connect_one(struct sockaddr_in *address, unsigned int number)
{
	struct rdma_conn_param param = { .responder_resources = 4, .initiator_depth = 4 };
	struct order order = { 0, 0 };
	uint8_t octets[KINDS * 16];
	struct rdma_cm_id *id;

	must(!rdma_create_id(end.channel, &id, NULL, RDMA_PS_TCP), "create_id");
	must(!rdma_resolve_addr(id, NULL, (struct sockaddr *)address, 5000), "resolve_addr");
	await(RDMA_CM_EVENT_ADDR_RESOLVED);
	must(!rdma_resolve_route(id, 5000), "resolve_route");
	await(RDMA_CM_EVENT_ROUTE_RESOLVED);
	make_end(id);
	name_memory(octets);
	param.private_data = octets;
	param.private_data_len = sizeof(octets);
	must(!rdma_connect(id, &param), "connect");
	print_line(number, &order, follow(&order, true, RECEIVES));
	unmake_end();
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	unsigned int i;

	if (argc < 4 || inet_pton(AF_INET, argv[2], &address.sin_addr) != 1)
		return EXIT_FAILURE;
	address.sin_port = htons(atoi(argv[3]));
	if (!strcmp(argv[1], "listen"))
		run_listen(&address);
	end.channel = rdma_create_event_channel();
	must(end.channel, "create_event_channel");
	for (i = 1; argc > 4 && i <= (unsigned int)atoi(argv[4]); i++)
		connect_one(&address, i);
	return EXIT_SUCCESS;
}
