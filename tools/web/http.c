// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Serves browsers of this machine by libmicrohttpd. Each connection has a thread, and only one
 * request. The received data is untrusted, because any program and any web page can send it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "tools/lib/message.h"
#include "tools/web/deadline.h"
#include "tools/web/exchange.h"
#include "tools/web/random.h"
#include "tools/web/resource.h"

/*
 * Largest size in octets of the request line and headers of a request. libmicrohttpd allocates this
 * memory for each connection.
 */
#define MAX_HEADER_OCTETS (16 << 10)
#define IDLE_SECONDS 10 /* time in s without a transfer after which a connection is closed */
#define MAX_SECONDS 30 /* largest time in s that a connection may be open */

enum { IPV4, IPV6, NUM_PLACES };

static int listen_at(const struct sockaddr *address, socklen_t length)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (address->sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (!bind(fd, address, length) && !listen(fd, MAX_CONNECTIONS))
		return fd;
	close(fd);
	return -1;
}

/*
 * Listens at the loopback addresses of IPv4 and IPv6 only. Return: false after printing a message.
 */
static bool listen_both(uint16_t port, int *sockets)
{
	const struct sockaddr_in ipv4 = { .sin_family = AF_INET,
					  .sin_port = htons(port),
					  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const struct sockaddr_in6 ipv6 = { .sin6_family = AF_INET6,
					   .sin6_port = htons(port),
					   .sin6_addr = IN6ADDR_LOOPBACK_INIT };

	sockets[IPV4] = listen_at((const struct sockaddr *)&ipv4, sizeof(ipv4));
	if (sockets[IPV4] < 0)
		return print_message("port %u of 127.0.0.1: %m; --port chooses another", port);
	sockets[IPV6] = listen_at((const struct sockaddr *)&ipv6, sizeof(ipv6));
	/* IPv4 is enough on a machine without IPv6. */
	if (sockets[IPV6] >= 0 || errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)
		return true;
	print_message("port %u of ::1: %m; --port chooses another", port);
	close(sockets[IPV4]);
	return false;
}

static void notify_connection(void *arg, struct MHD_Connection *connection, void **state,
			      enum MHD_ConnectionNotificationCode what)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	(void)arg;
	(void)state;
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		deadline_begin(info->connect_fd);
	else
		deadline_end(info->connect_fd);
}

static struct MHD_Daemon *http_start(int socket, struct server *server)
{
	return MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION,
				server->port, NULL, NULL, exchange_handle, server,
				MHD_OPTION_LISTEN_SOCKET, socket,
				MHD_OPTION_CONNECTION_LIMIT, MAX_CONNECTIONS / NUM_PLACES,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MAX_HEADER_OCTETS,
				MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS,
				MHD_OPTION_NOTIFY_CONNECTION, notify_connection, NULL,
				MHD_OPTION_NOTIFY_COMPLETED, exchange_end, NULL,
				MHD_OPTION_END);
}

/*
 * Prints the address of the page. The token follows the #, because browsers do not send that part
 * of an address to a server.
 */
static void print_address(const struct server *server)
{
	printf("http://127.0.0.1:%u/%s%s\n", server->port, server->control ? "#" : "",
	       server->control ? server->token : "");
	if (fflush(stdout))
		die("cannot write: %m");
}

static void wait_for_signal(const sigset_t *signals)
{
	const struct timespec second = { .tv_sec = 1 };

	while (sigtimedwait(signals, NULL, &second) < 0)
		deadline_enforce(MAX_SECONDS);
}

bool serve_requests(struct server *server)
{
	struct MHD_Daemon *daemons[NUM_PLACES] = {};
	int sockets[NUM_PLACES], i;
	sigset_t signals;

	random_digits(server->token, TOKEN_DIGITS);
	server->find = resource_find;
	if (!listen_both(server->port, sockets))
		return false;
	/*
	 * The signals are blocked before threads are started, because threads inherit the signal
	 * mask.
	 */
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < NUM_PLACES; i++) {
		if (sockets[i] < 0)
			continue;
		daemons[i] = http_start(sockets[i], server);
		if (!daemons[i])
			die("libmicrohttpd does not start: %m");
	}
	print_address(server);
	wait_for_signal(&signals);
	for (i = 0; i < NUM_PLACES; i++)
		if (daemons[i])
			MHD_stop_daemon(daemons[i]);
	return true;
}
