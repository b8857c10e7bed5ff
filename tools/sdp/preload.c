// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * libhca-sdprun.so replaces the C library's socket functions, and turns stream sockets into SDP
 * sockets. sdprun reads the rules, and passes them in environment variables. Once the library is
 * initialized, its socket functions neither allocate memory nor wait for locks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/sdp/attempt.h"
#include "tools/sdp/carry.h"
#include "tools/sdp/environment.h"
#include "tools/sdp/mapper.h"
#include "tools/sdp/notice.h"
#include "tools/sdp/pending.h"
#include "tools/sdp/protocol.h"
#include "tools/sdp/real.h"
#include "tools/sdp/rules.h"

/*
 * Gives a function of this library the symbol name that the program calls. The C names differ,
 * because the C library declares its functions with other types.
 */
#define STANDS_IN_FRONT_OF(name) __asm__(name) __attribute__((visibility("default")))

int front_socket(int domain, int type, int protocol) STANDS_IN_FRONT_OF("socket");
int front_bind(int fd, const struct sockaddr *address, socklen_t length) STANDS_IN_FRONT_OF("bind");
int front_listen(int fd, int backlog) STANDS_IN_FRONT_OF("listen");
int front_connect(int fd, const struct sockaddr *address, socklen_t length)
	STANDS_IN_FRONT_OF("connect");
int front_setsockopt(int fd, int level, int name, const void *value, socklen_t length)
	STANDS_IN_FRONT_OF("setsockopt");

struct real_calls real;

static struct sdp_rules rules;
static bool is_verbose;
/* All sockets of the program have the protocol total_use. */
static bool is_total;
static enum sdp_use total_use; /* valid if is_total */

static void notice_verbose(const char *text, int error)
{
	if (is_verbose)
		notice(text, error);
}

static void find_real_calls(void)
{
	*(void **)&real.socket = dlsym(RTLD_NEXT, "socket");
	*(void **)&real.bind = dlsym(RTLD_NEXT, "bind");
	*(void **)&real.listen = dlsym(RTLD_NEXT, "listen");
	*(void **)&real.connect = dlsym(RTLD_NEXT, "connect");
	*(void **)&real.setsockopt = dlsym(RTLD_NEXT, "setsockopt");
}

static enum sdp_use use_without_rule(void)
{
	if (getenv(SDPRUN_MAP))
		return SDP_USE_MAP;
	return getenv(SDPRUN_BOTH) ? SDP_USE_BOTH : SDP_USE_SDP;
}

/*
 * Parses the rules. If they are wrong although sdprun has checked them, all sockets are TCP
 * sockets.
 */
static void parse_rules(void)
{
	const char *text = getenv(SDPRUN_RULES);
	struct sdp_rules_error error;

	rules.otherwise = use_without_rule();
	if (text && !sdp_rules_parse(&rules, text, &error)) {
		notice(SDPRUN_RULES " is wrong; all sockets are TCP", 0);
		rules = (struct sdp_rules){ .otherwise = SDP_USE_TCP };
	}
	sdp_rules_select(&rules, program_invocation_short_name);
	is_total = sdp_rules_are_total(&rules, &total_use);
}

static void preload_init(void)
{
	find_real_calls();
	is_verbose = getenv(SDPRUN_VERBOSE);
	parse_rules();
}

/*
 * Initializes the library before its first use. The library's constructor may be too late, because
 * the constructor of another library may make a socket earlier.
 */
static void need_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, preload_init);
}

__attribute__((constructor)) static void construct(void)
{
	int error = errno;

	need_init();
	errno = error;
}

static bool is_tcp(int domain, int type, int protocol)
{
	return (domain == AF_INET || domain == AF_INET6) &&
	       (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_STREAM &&
	       (protocol == 0 || protocol == IPPROTO_TCP);
}

/* Makes an SDP socket. Return: its descriptor; -1 if the program is to get a TCP socket. */
static int make_sdp_socket(int domain, int type)
{
	static atomic_flag is_noticed = ATOMIC_FLAG_INIT;
	int fd = real.socket(domain, type, IPPROTO_SDP);

	if (fd < 0) {
		if (!atomic_flag_test_and_set(&is_noticed))
			notice_verbose("there is no SDP here: sockets are TCP", errno);
		return -1;
	}
	if ((is_total && total_use == SDP_USE_SDP) || pending_add(fd, domain))
		return fd;
	close(fd);
	return -1;
}

int front_socket(int domain, int type, int protocol)
{
	int error = errno, fd = -1;

	need_init();
	if (is_tcp(domain, type, protocol) && !(is_total && total_use == SDP_USE_TCP))
		fd = make_sdp_socket(domain, type);
	errno = error;
	return fd < 0 ? real.socket(domain, type, protocol) : fd;
}

/*
 * Returns whether an address can be compared with the rules, which have only IPv4 and IPv6
 * addresses. All other addresses are passed to the kernel.
 */
static bool is_comparable(const struct sockaddr *address, socklen_t length)
{
	if (!address || length < sizeof(struct sockaddr_in))
		return false;
	return address->sa_family == AF_INET ||
	       (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6));
}

/*
 * Finds the record of a socket whose protocol is not final yet, for a call of bind() or connect()
 * with @address. errno does not change. Return: the record; NULL if there is no record, or if
 * @address cannot be compared with the rules.
 */
static struct pending *preload_undecided(int fd, const struct sockaddr *address, socklen_t length)
{
	struct pending *pending;
	int error = errno;

	need_init();
	pending = is_comparable(address, length) ? pending_find(fd) : NULL;
	errno = error;
	return pending;
}

static int preload_fail(int error)
{
	errno = error;
	return -1;
}

/* Replaces an SDP socket by a TCP socket. Return: 0 with errno set to @error; or -1 with errno. */
static int become_tcp(int fd, struct pending *pending, int error)
{
	if (carry_to_tcp(fd, pending))
		return -1;
	pending_remove(pending);
	errno = error;
	return 0;
}

/*
 * Binds a socket. It is not known yet whether the socket will listen or connect. Therefore TCP is
 * used only if bind() of the SDP socket fails.
 */
int front_bind(int fd, const struct sockaddr *address, socklen_t length)
{
	struct pending *pending = preload_undecided(fd, address, length);
	int error = errno, refusal;
	enum sdp_use use;

	if (!real.bind(fd, address, length)) {
		if (pending)
			pending->is_bound = true;
		return 0;
	}
	if (!pending || pending->is_bound)
		return -1;
	refusal = errno;
	use = sdp_rules_find(&rules, SDP_ROLE_SERVER, address);
	if (use == SDP_USE_SDP || (use != SDP_USE_TCP && !attempt_means_no_sdp(refusal)))
		return -1;
	if (become_tcp(fd, pending, error))
		return preload_fail(refusal);
	notice_verbose("bind by TCP, since SDP refuses", refusal);
	return real.bind(fd, address, length);
}

/*
 * Removes the record of a socket if @result, the result of listen() or connect(), is 0, because the
 * protocol of the socket is then final. Return: @result.
 */
static int preload_decided(struct pending *pending, int result)
{
	if (!result && pending)
		pending_remove(pending);
	return result;
}

static enum sdp_use use_of_listener(int fd, const struct pending *pending)
{
	struct sockaddr_storage address = {};
	socklen_t length = sizeof(address);

	getsockname(fd, (struct sockaddr *)&address, &length);
	address.ss_family = pending->domain;
	return sdp_rules_find(&rules, SDP_ROLE_SERVER, (const struct sockaddr *)&address);
}

static int listen_both(int fd, struct pending *pending, int backlog)
{
	int error = errno, refusal;

	if (!real.listen(fd, backlog)) {
		notice_verbose("listens by SDP alone: a server has one socket", 0);
		pending_remove(pending);
		return 0;
	}
	refusal = errno;
	if (!attempt_means_no_sdp(refusal) || become_tcp(fd, pending, error))
		return preload_fail(refusal);
	notice_verbose("listens by TCP, since SDP refuses", refusal);
	return real.listen(fd, backlog);
}

int front_listen(int fd, int backlog)
{
	int error = errno;
	struct pending *pending;
	enum sdp_use use;

	need_init();
	pending = pending_find(fd);
	use = pending ? use_of_listener(fd, pending) : SDP_USE_SDP;
	errno = error;
	if (use == SDP_USE_BOTH || use == SDP_USE_MAP)
		return listen_both(fd, pending, backlog);
	if (use == SDP_USE_TCP && become_tcp(fd, pending, error))
		return -1;
	return preload_decided(pending, real.listen(fd, backlog));
}

/* A call of connect(), which may connect by SDP or by TCP */
struct connect_call {
	int fd;
	struct pending *pending;
	const struct sockaddr *address;
	socklen_t length;
	int error; /* errno before the call */
};

static int connect_by_tcp(const struct connect_call *call, const char *why, int refusal)
{
	if (become_tcp(call->fd, call->pending, call->error))
		return preload_fail(refusal);
	notice_verbose(why, refusal);
	return real.connect(call->fd, call->address, call->length);
}

/* Ends a call of connect() after an attempt by SDP. @refusal is the error of the attempt, or 0. */
static int connect_after_attempt(const struct connect_call *call, int refusal)
{
	if (!refusal) {
		pending_remove(call->pending);
		errno = call->error;
		return 0;
	}
	if (!attempt_means_no_sdp(refusal))
		return preload_fail(refusal);
	return connect_by_tcp(call, "connects by TCP, since SDP does not", refusal);
}

static int connect_both(const struct connect_call *call)
{
	return connect_after_attempt(call, attempt_connect(call->fd, call->address, call->length));
}

/*
 * Connects to the SDP address that the port mapper returns. TCP is used if the port mapper sends
 * PMDeny, or if the SDP address cannot be reached (S2-123).
 */
static int connect_mapped(const struct connect_call *call)
{
	struct address sdp;
	const char *why = mapper_find(&rules.mapper, call->fd, call->pending->domain, call->address,
				      &sdp);
	int refusal;

	if (why)
		return connect_by_tcp(call, why, errno);
	refusal = attempt_connect(call->fd, &sdp.any, address_size(&sdp));
	if (attempt_means_no_sdp(refusal))
		mapper_remove(call->address);
	return connect_after_attempt(call, refusal);
}

int front_connect(int fd, const struct sockaddr *address, socklen_t length)
{
	struct pending *pending = preload_undecided(fd, address, length);
	const struct connect_call call = { fd, pending, address, length, errno };
	enum sdp_use use = SDP_USE_SDP;

	if (pending)
		use = sdp_rules_find(&rules, SDP_ROLE_CLIENT, address);
	if (use == SDP_USE_BOTH)
		return connect_both(&call);
	if (use == SDP_USE_MAP)
		return connect_mapped(&call);
	if (use == SDP_USE_TCP && become_tcp(fd, pending, errno))
		return -1;
	return preload_decided(pending, real.connect(fd, address, length));
}

/*
 * Sets SO_ZEROCOPY at level IPPROTO_SDP if the kernel has refused it at level SOL_SOCKET, as Linux
 * before 6.3 does. errno does not change. Return: whether SO_ZEROCOPY has been set.
 */
static bool is_set_by_sdp(int fd, int level, int name, const void *value, socklen_t length)
{
	int error = errno;
	bool set = level == SOL_SOCKET && name == SO_ZEROCOPY && error == EOPNOTSUPP &&
		   !real.setsockopt(fd, IPPROTO_SDP, name, value, length);

	errno = error;
	return set;
}

int front_setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	struct pending *pending;
	int error = errno;

	need_init();
	if (real.setsockopt(fd, level, name, value, length) &&
	    !is_set_by_sdp(fd, level, name, value, length))
		return -1;
	pending = pending_find(fd);
	if (pending)
		pending_record(pending, level, name, value, length);
	errno = error;
	return 0;
}
