/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Connections of an RNIC, as iw_cm knows them. */
#ifndef HCA_VERBS_RNIC_CONNECTION_H
#define HCA_VERBS_RNIC_CONNECTION_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/iw_cm.h>
#include "iwarp/tcp/tcp_claim.h"
#include "iwarp/tcp/tcp_endpoint.h"
#include "iwarp/tcp/tcp_listen.h"
#include "verbs/rnic/rnic_device.h"

/* An iw_cm_id that listens. */
struct hca_rnic_listen {
	struct hca_tcp_listen tcp; /* first member */
	struct hca_rnic_device *dev; /* registered as long as @id is there */
	bool is_any; /* all addresses of the interface are served */
	refcount_t users;
	/* Taken with BH disabled, outside the lock of an iw_cm_id; guards what follows. */
	spinlock_t lock;
	struct iw_cm_id *id; /* NULL: it does not listen any more */
	struct list_head half_open; /* struct hca_rnic_connection without a request, oldest first */
	u32 num_half_open;
	u32 num_counted; /* connections whose request has not come, until they are free */
};

struct hca_rnic_connection {
	struct hca_tcp_endpoint te; /* first member */
	struct hca_rnic_device *dev; /* with a reference, so that it stays registered */
	/*
	 * The iw_cm_id, with a reference, or NULL. Whoever sets it to NULL puts the reference. A
	 * live stream has none.
	 */
	struct iw_cm_id *id;
	bool is_connected; /* iw_cm has been told of the connection; only events change it */
	struct hca_rnic_listen *listen; /* responder: with a reference */
	struct list_head half_open; /* entry of hca_rnic_listen.half_open, or empty */
	bool is_counted; /* in hca_rnic_listen.num_counted */
	/*
	 * Responder: the number that iw_cm has of the request, and under which cm_requests has a
	 * reference until the request is answered. 0: none.
	 */
	u32 request;
	struct delayed_work limit; /* answers a request that iw_cm has forgotten */
};

static inline struct hca_rnic_connection *hca_rnic_connection_of(struct hca_endpoint *ep)
{
	return container_of(ep, struct hca_rnic_connection, te.ep);
}

/* The addresses of a connection. */
struct hca_rnic_addresses {
	struct sockaddr_storage local, remote;
};

/**
 * hca_rnic_copy_addresses() - copy the addresses of a connection
 * @ep: the endpoint of a struct hca_rnic_connection
 * @arg: struct hca_rnic_addresses, filled in
 *
 * Context: any; a function for hca_iwarp_view_connection().
 */
void hca_rnic_copy_addresses(struct hca_endpoint *ep, void *arg);

/**
 * hca_rnic_connection_create() - create a connection
 * @dev: the RNIC
 * @sock: a prepared socket, which belongs to the connection now
 *
 * Context: process, may sleep.
 * Return: the connection, with the references of the protocol and of the stream; NULL: no memory,
 * or the RNIC is being removed, and the socket was released.
 */
struct hca_rnic_connection *hca_rnic_connection_create(struct hca_rnic_device *dev,
						       struct socket *sock);

/**
 * hca_rnic_connection_attach() - create a connection of a process's socket, without an iw_cm_id
 * @dev: the RNIC
 * @sock: the socket; the connection gets a reference of its own to the file
 * @claim: how the socket is checked
 *
 * Context: process, may sleep.
 * Return: the connection, with the references of the protocol and of the stream; or ERR_PTR:
 * -ENOMEM; -ENODEV: the RNIC is being removed; or the error of hca_tcp_endpoint_attach().
 */
struct hca_rnic_connection *hca_rnic_connection_attach(struct hca_rnic_device *dev,
						       struct socket *sock,
						       struct hca_tcp_claim *claim);

/**
 * hca_rnic_connection_drop_id() - put the reference of a connection to its iw_cm_id
 * @conn: the connection
 *
 * Context: any.
 */
void hca_rnic_connection_drop_id(struct hca_rnic_connection *conn);

/**
 * hca_rnic_request_add() - give a number to a connection of which a request is due
 * @conn: the connection
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_rnic_request_add(struct hca_rnic_connection *conn);

/**
 * hca_rnic_request_find() - find the connection whose request is to be answered
 * @number: the number that iw_cm has of the request
 *
 * Nobody else finds the connection afterwards.
 *
 * Context: process.
 * Return: the connection, with a reference; NULL: the request was answered, or its connection has
 * gone.
 */
struct hca_rnic_connection *hca_rnic_request_find(unsigned long number);

/**
 * hca_rnic_listen_put() - release a reference to an iw_cm_id that listens
 * @listen: the iw_cm_id
 *
 * Context: any.
 */
static inline void hca_rnic_listen_put(struct hca_rnic_listen *listen)
{
	if (refcount_dec_and_test(&listen->users))
		kfree(listen);
}

/**
 * hca_rnic_listen_create() - listen for an iw_cm_id
 * @id: the iw_cm_id, whose provider_data is set
 * @backlog: connections that wait to be accepted
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or the error of hca_tcp_listen_add().
 */
int hca_rnic_listen_create(struct iw_cm_id *id, int backlog);

/**
 * hca_rnic_listen_destroy() - end the listening of an iw_cm_id, which gets no event any more
 * @id: the iw_cm_id
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int hca_rnic_listen_destroy(struct iw_cm_id *id);

#endif
