# shellcheck shell=bash disable=SC2154,SC2034 # what tests/lab/lib/guest.bash has set; what cases read
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases that run tests/lab/programs/mpi_exchange.c by Open MPI, over verbs alone.

# mpi_wants: the case ends where Open MPI has no verbs.
mpi_wants() {
	# Open MPI 5 and later leave verbs to UCX, which Debian has also built without them.
	if [[ $(ompi_info) != *' btl: openib '* ]] && ! compgen -G '/usr/lib/*/ucx/libuct_ib.so*' >/dev/null; then
		skip 'Open MPI' 'its UCX is built without verbs'
		exit
	fi
}

# mpi_builds: /tmp/mpi_exchange, /tmp/nobody, which is anybody's, and $mpi_options, of mpirun
mpi_builds() {
	limit=100 run mpicc -Wall -Werror -O1 -o /tmp/mpi_exchange "$lab/programs/mpi_exchange.c"
	worked 'a parallel program is built'
	mkdir -p /tmp/nobody && chmod 777 /tmp/nobody

	# Only verbs are used. With Open MPI's default receive buffers each process would pin 23 MB, so here they are fewer and
	# smaller. There are more processes than processors, so a process that waits must yield.
	mpi_options=(--oversubscribe --mca mpi_yield_when_idle 1 --mca mpi_preconnect_mpi 1)
	if [[ $(ompi_info) == *' btl: openib '* ]]; then
		mpi_options+=(--mca pml ob1 --mca btl 'openib,self' --mca btl_openib_allow_ib 1
			--mca btl_openib_warn_no_device_params_found 0 --mca btl_openib_cq_size 1024
			--mca btl_openib_receive_queues 'S,4096,64,32,16:S,16384,32,16,8' --mca btl_openib_eager_limit 4096
			--mca btl_openib_rndv_eager_limit 4096 --mca btl_openib_max_send_size 16384
			--mca plm isolated)
	else
		# Open MPI 5 leaves verbs to UCX.
		mpi_options+=(--mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any)
		export UCX_TLS=rc_verbs,ud_verbs:aux,self UCX_{RC,UD}_VERBS_{RX,TX}_QUEUE_LEN=128 \
			UCX_{RC,UD}_VERBS_{RX,TX}_BUFS_GROW=64 UCX_{RC,UD}_VERBS_{RX,TX}_MAX_CHUNK_SIZE=256k \
			UCX_RNDV_FRAG_SIZE=host:32k UCX_RNDV_FRAG_ALLOC_COUNT=host:8
	fi
}
