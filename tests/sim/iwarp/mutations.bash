# shellcheck shell=bash disable=SC2034,SC2154 # what mutations sets and reads
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For tests/sim/mutations: mutations of kernel/iwarp. Each names what detects it: the seeds of hcasim, or the unit tests.

# found NAME TEST FILE EXPRESSION: TEST is seeds or suites, and the file is one of kernel/iwarp
found() {
	chosen "$1" || return 0
	iwarp_try "${@:2}"
	detected "$1" $?
}

# ignored NAME WHY FILE EXPRESSION: the mutation has no effect that either of them could observe
ignored() {
	chosen "$1" || return 0
	if iwarp_try seeds "${@:3}" && iwarp_try suites "${@:3}"; then
		echo "ok - $1 # survives: $2"
	else
		echo "not ok - $1 # $output"
		failed=1
	fi
}

iwarp_try() {
	case $1 in
	seeds) try tests/sim/hcasim "iwarp/$2" "$3" tests/sim/hcasim --carrier iwarp --seeds 2000 ;;
	suites) try tests/unit/iwarp-unit "iwarp/$2" "$3" env CK_FORK=no HCA_GOLDEN="$tmp/tree/tests/golden" tests/unit/iwarp-unit ;;
	esac
}

# Whether a mutation of this file is chosen.
iwarp_chosen() {
	local name
	[ ${#names[@]} = 0 ] && return
	for name in "${names[@]}"; do
		grep -Eqx "(found|ignored) $name .*" "${BASH_SOURCE[0]}" && return
	done
	return 1
}

iwarp_chosen || return 0
if make -j"$(nproc)" tests/unit/iwarp-unit >build.log 2>&1 &&
	CK_FORK=no HCA_GOLDEN="$tmp/tree/tests/golden" tests/unit/iwarp-unit >output 2>&1 &&
	timeout 300 tests/sim/hcasim --carrier iwarp --seeds 20 >>output 2>&1; then
	echo 'ok - kernel/iwarp as it is'
else
	tail -n 20 build.log output
	echo 'not ok - kernel/iwarp as it is'
	exit 1
fi

# access.c
found access-rights-of-qp suites access.c 's/return access & ACCESS_OF_QP & ~it->access \?/return false ?/'
found access-keeps-entry suites access.c 's/hca_tpt_entry_put\(segment->entry\);/{ }/'
ignored access-check-half 'the look-up of the first segment checks the rights of the queue pair again' \
	access.c '/^enum hca_vendor_err hca_access_check/,/^}/s/return access_of_qp\(it, access\);/return HCA_VENDOR_ERR_NONE;/'
found access-wrap-at-end suites access.c 's/to \+ \(octets - 1\) < to/to + octets < to/'
found access-code-of-pd suites access.c 's/return is_tagged \? HCA_ERR_DDP_STREAM_OF_STAG : HCA_ERR_RDMAP_STREAM_OF_STAG;/return is_tagged ? HCA_ERR_DDP_STAG : HCA_ERR_RDMAP_STAG;/'
found access-code-of-rights suites access.c 's/: HCA_ERR_RDMAP_ACCESS;/: HCA_ERR_RDMAP_STREAM_OF_STAG;/'
found access-code-of-window seeds access.c 's/case HCA_VENDOR_ERR_LKEY_WINDOW:/case HCA_VENDOR_ERR_NONE:/'
found access-code-of-invalid suites access.c 's/case HCA_VENDOR_ERR_LKEY_INVALID:/case HCA_VENDOR_ERR_NONE:/'

# attach.c
found attach-keeps-failure seeds attach.c 's/it->has_failed = false;//'
found attach-keeps-abort seeds attach.c 's/it->is_aborting = false;//'
found attach-keeps-ending seeds attach.c 's/it->ending = 0;//'
found attach-keeps-sending seeds attach.c 's/it->sending = HCA_SENDING_NOTHING;//'
found attach-old-options seeds attach.c 's/it->options = hca_rnic_of\(it\)->options;//'
ignored attach-oldest-read 'the first Read that is sent sets it' \
	attach.c 's/\.oldest_read = it->qp.sq_done/.oldest_read = 0/'
found detach-keeps-octets suites attach.c '/^void hca_iwarp_detach/,/^}/s/hca_mpa_tx_stop\(&it->tx\);//'
found detach-keeps-reads seeds attach.c 's/kfree\(it->responder.read\);//'
found establish-own-crc seeds attach.c 's/ep->own.crc \|\| ep->peer.crc/ep->own.crc/'
found establish-markers-swapped seeds attach.c 's/\.markers = ep->own.markers/.markers = ep->peer.markers/'
found establish-old-ddp seeds attach.c 's/hca_ddp_rx_init\(&it->ddp\);//'
found establish-old-msn seeds attach.c 's/it->next_msn\[qn\] = HCA_DDP_FIRST_MSN;/{ }/'
found establish-no-ord suites attach.c 's/it->requester.ord = ep->ord;/it->requester.ord = it->max_ord;/'

# close.c
found close-ignores-requests suites close.c 's/return hca_requester_is_busy\(it\) \|\|/return/'
found close-code-of-modify suites close.c 's/hca_terminate_raise\(it, HCA_ERR_RDMAP_LOCAL, NULL, true\);/hca_terminate_raise(it, HCA_ERR_RDMAP_STREAM, NULL, true);/'
found close-code-of-removal suites close.c 's/HCA_ERR_RDMAP_GLOBAL : HCA_ERR_RDMAP_STREAM/HCA_ERR_RDMAP_STREAM : HCA_ERR_RDMAP_STREAM/'
found close-sends-flushed suites close.c '/^static void close_enter/,/^}/s/hca_mpa_tx_stop\(&it->tx\);/{ }/'
found close-waits-for-ever suites close.c 's/hca_endpoint_start_timer\(it->ep, it->options.timeout\);//'
found close-resets-again suites close.c 's/it->ending = HCA_END_ENTERED \| HCA_END_ABORTED;/it->ending = HCA_END_ENTERED;/'
found close-no-fin suites close.c 's/it->ep->stream->ops->close\(it->ep->stream\);//'
found close-origin suites close.c 's/hca_terminate_sent\(it\);//'
found close-removal-silent suites close.c '/^static void close_removed/,/^}/s/close_finish\(it\);//'
found close-flush-status suites close.c 's/it->qp.sq_flush_error = HCA_VENDOR_ERR_BAD_CLOSE;//'
found close-busy-unseen suites close.c 's/hca_state_event\(it, HCA_IWARP_BUSY\);//'
found close-status-of-stream suites close.c 's/\? 0 : ep->stream->error;/? 0 : -ECONNRESET;/'
found close-told-twice suites close.c 's/it->is_notified = true;/{ }/'
found close-cut-stays suites close.c '/^static void close_cut/,/^}/s/it->ending \|= HCA_END_RESET;/{ }/'

# complete.c
found complete-before-sent suites complete.c 's/it->ep->stream->sent >= req->iwarp.end/true/'
found complete-any-queue suites complete.c 's/ddp->qn == HCA_QN_SEND \? HCA_WR_CONSUMES_RECV : HCA_WR_READ/HCA_WR_CONSUMES_RECV | HCA_WR_READ/'
found complete-status-wrap suites complete.c 's/case HCA_ERR_RDMAP_WRAP://'

# connect.c
found connect-any-state suites connect.c 's/return it->qp.common.state == IB_QPS_INIT && /return /'
ignored connect-open-for-ever 'each modify of the access flags, and Reset, sets it anew' \
	connect.c 's/it->is_access_open = false;//'
found connect-no-result seeds connect.c '/^static int connect_begin/,/^}/s/ep->is_result_due = true;//'
found accept-no-rtr seeds connect.c 's/it->rtr_expected = hca_negotiate_rtr\(&ep->own\);//'
found accept-fails-silently suites connect.c '/hca_negotiate_reject/{n;s/hca_negotiate_frame\(ep, NULL, 0\);//}'

# ddp_rx.c
found ddp-other-victim suites ddp_rx.c 's/ \|\| \(s->op->invalidates && rx->invalidate != s->ddp.ulp_tail\)//'
found ddp-any-msn suites ddp_rx.c 's/if \(s->ddp.msn != rx->msn\[s->ddp.qn\]\)/if (false)/'
found ddp-segments-of-read suites ddp_rx.c 's/if \(s->ddp.qn != HCA_QN_SEND && !s->ddp.last\)/if (false)/'
found ddp-mo-of-send suites ddp_rx.c 's/s->ddp.qn == HCA_QN_SEND \? rx->mo : 0/rx->mo/'

# ddp_tx.c
found ddp-always-last seeds ddp_tx.c 's/ddp.last = message->done \+ octets == message->length;/ddp.last = true;/'
found ddp-first-to seeds ddp_tx.c 's/ddp.to \+= message->done;/{ }/'
found ddp-first-mo seeds ddp_tx.c 's/ddp.mo = message->done;/{ }/'
found ddp-payload-again seeds ddp_tx.c 's/message->done \+= octets;/message->done += octets + !message->done;/'

# deliver.c
found deliver-writes-uncounted suites deliver.c 's/hca_iwarp_count\(it, HCA_RNIC_WRITES_IN, 1\);/{ }/'
found deliver-rights-of-write seeds deliver.c '/^static void deliver_write/,/^}/s/IB_UVERBS_ACCESS_REMOTE_WRITE/IB_UVERBS_ACCESS_REMOTE_READ/'
found deliver-response-stag suites deliver.c 's/if \(s->length && s->ddp.stag != stag\)/if (false)/'
found deliver-sink-status suites deliver.c 's/HCA_VENDOR_ERR_SINK_RIGHTS : refusal\)/refusal : refusal)/'
found deliver-sink-stays seeds deliver.c 's/if \(read->opcode != IB_UVERBS_WR_RDMA_READ_WITH_INV \|\| !read->num_sge\)/if (true)/'

# endpoint.c
found endpoint-stops-nothing seeds endpoint.c '/^void hca_endpoint_stop_timer/,/^}/s/ep->is_timed = false;//'
found endpoint-unreleased suites endpoint.c 's/ep->stream->ops->release\(ep->stream\);//'
found endpoint-closed suites endpoint.c 's/ep->is_closed \|= .*//'

# fault.c
found fault-every suites fault.c 's/fault->selected % max\(spec->nth, 1u\) \|\| //'
found fault-again suites fault.c 's/ \|\| \(spec->once && fault->happened\)//'
found fault-of-crc suites fault.c 's/at \+= fault_random\(fault, FAULT_CRC_BYTES\);/at = FAULT_FRAME_BYTES;/'
found fault-cut-lengthless suites fault.c 's/\*length = min_t\(u64, \*length, fault->spec.value\);//'
found fault-marker-unselected suites fault.c 's/ && marker &&$/ \&\&/'
found fault-stalls-on suites fault.c 's/fault->is_stalled = false;/{ }/'

# modify.c
found modify-resets-stream suites modify.c 's/return attr->state == IB_QPS_RESET && it->ep \? -EBUSY : 0;/return 0;/'
found modify-keeps-ord suites modify.c 's/it->requester.ord = attr->max_rd_atomic;/{ }/'
found modify-no-terminate suites modify.c 's/it->is_ending_by_modify \|= .*//'
found modify-old-ord suites modify.c 's/attr->max_rd_atomic = it->ep \? it->requester.ord : it->max_ord;/attr->max_rd_atomic = it->max_ord;/'

# mpa_rx.c
found mpa-rx-wants-nothing seeds mpa_rx.c 's/s->ops->want\(s, needed\);//'
found mpa-rx-position seeds mpa_rx.c 's/s->received \+= octets;//'
found mpa-rx-old-length seeds mpa_rx.c 's/fpdu->rx.bytes = 0;//'

# mpa_tx.c
found mpa-tx-overfills seeds mpa_tx.c 's/tx->buffer->used \+ bytes > tx->limit/tx->buffer->used + bytes > tx->buffer->size + 512/'
found mpa-tx-no-room suites mpa_tx.c 's/if \(!room\)/if (false)/'
found mpa-tx-pushes-nothing seeds mpa_tx.c 's/if \(!used\) \{/if (used) {/'
found mpa-tx-segment suites mpa_tx.c 's/min_t\(u32, s->ops->mss\(s\), HCA_TX_BUFFER_MAX\), tx->markers/min_t(u32, s->ops->mss(s), HCA_TX_BUFFER_MAX), false/'
found mpa-tx-uncut suites mpa_tx.c 's/tx->is_cut = hca_iwarp_fault_cuts\(tx->fault, &sent\);/hca_iwarp_fault_cuts(tx->fault, \&sent);/'

# live.c
found live-no-result suites live.c 's/ep->is_result_due = start->is_initiator/ep->is_result_due = false/'
found live-no-rtr suites live.c 's/it->rtr_expected = hca_negotiate_rtr\(&ep->own\);//'
found live-untimed suites live.c '/^static int live_begin/,/^}/s/hca_endpoint_start_timer\(.*//'
# negotiate.c
found negotiate-own-ird suites negotiate.c 's/ep->ird = max\(ep->ird, peer->ord\);//'
found negotiate-rtr-of-peer suites negotiate.c 's/hca_negotiate_rtr\(&ep->peer\) & ep->rnic->options.rtr/hca_negotiate_rtr(\&ep->peer)/'
found negotiate-rejects suites negotiate.c 's/\.rejected = is_rejected/.rejected = false/'

# qp.c
found qp-fails-silently seeds qp.c 's/hca_state_event\(it, HCA_IWARP_FAILED\);/{ }/'
found qp-events-later seeds qp.c 's/ep->pending = 0;//'
found qp-reset-origin suites qp.c '/^static void iwarp_reset/,/^}/s/it->origin = HCA_TERMINATE_NONE;//'
found qp-stall-forgets suites qp.c '/^static bool iwarp_is_stalled/,/^}/s/hca_endpoint_retry\(it->ep\);//'

# receive.c
found receive-closing-terminates suites receive.c '/^static void receive_error/,/^}/s/if \(it->qp.common.state == IB_QPS_SQD\)/if (false)/'
found receive-terminate-names seeds receive.c 's/hca_complete_terminated\(it\);/{ }/'
found receive-unconsumed seeds receive.c 's/hca_mpa_rx_consume\(s, &fpdu\);/{ }/'
found receive-failed seeds receive.c 's/return !it->has_failed && hca_state_receives\(it\);/return hca_state_receives(it);/'

# requester.c
found requester-sink-key suites requester.c 's/if \(req->num_sge && req->sge\[0\].lkey == HCA_LOCAL_DMA_KEY\)/if (false)/'
found requester-unfenced suites requester.c 's/\(req->flags & HCA_WQE_FENCE\) && it->requester.reads/false/'
found requester-local-first seeds requester.c 's/return it->qp.sq_done != it->qp.sq_current;/return false;/'
found requester-fails-alone seeds requester.c '/^static void requester_end/,/^}/s/if \(error\)$/if (false)/'
found requester-rtr-again seeds requester.c 's/it->requester.rtr = 0;//'

# responder.c
found responder-other-sink seeds responder.c 's/it->message.ddp.to = request->sink_to;//'
found responder-checks-parts suites responder.c 's/if \(!it->message.is_begun\)/if (false)/'
found responder-next seeds responder.c 's/responder->head = \(responder->head \+ 1\) % responder->size;//'

# rnic.c
found rnic-fail-silent suites rnic.c 's/hca_endpoint_kick\(ep\);/{ }/'
found rnic-fail-unmarked suites rnic.c 's/WRITE_ONCE\(rnic->removed, true\);//'
found rnic-crc-off suites rnic.c 's/\.crc = true/.crc = false/'

# startup.c
found startup-timeout-uncounted suites startup.c '/^static void startup_timeout/,/^}/s/hca_rnic_count\(ep->rnic, HCA_RNIC_STARTUP_TIMEOUTS, 1\);//'
found startup-reply-timer suites startup.c '/^static void startup_reply_sent/,/^}/s/hca_endpoint_stop_timer\(ep\);/{ }/'
found startup-refused-open suites startup.c '/^static void startup_reply\(/,/^}/s/ep->stream->ops->close\(ep->stream\);//'
found startup-early-request suites startup.c 's/ && !startup_has_message\(ep\)//'
found startup-live-untold suites startup.c 's/if \(ep->qp && ep->live\)/if (ep->qp \&\& !ep->live)/'
found startup-ulp-uncanceled suites startup.c '/\[HCA_STARTUP_WAIT_ULP\] = \{/,/\}/s/\[STARTUP_CANCELED\] = hca_startup_abort,//'

# state.c
found state-expired-on suites state.c 's/\[HCA_IWARP_EXPIRED\] = RULE\(STAY, HCA_END_RESET\), \\/[HCA_IWARP_EXPIRED] = RULE(STAY, 0), \\/'
found state-closing-expires suites state.c '/\[IB_QPS_SQD\] = \{$/,/\}/s/\[HCA_IWARP_EXPIRED\] = RULE\(STAY, HCA_END_RESET\)/[HCA_IWARP_EXPIRED] = RULE(STAY, 0)/'
found state-told-again seeds state.c 's/\(does & STATE_FATAL_ONCE\) && !it->is_notified/(does \& STATE_FATAL_ONCE)/'
found state-first-terminate suites state.c 's/if \(\(it->ending & HCA_END_TERMINATE\) && it->ep->state == HCA_STARTUP_REP_SENT\)/if (false)/'

# terminate.c
found terminate-last-wins suites terminate.c 's/if \(it->has_failed \|\| it->origin != HCA_TERMINATE_NONE\)/if (false)/'
found terminate-crc-uncounted suites terminate.c 's/if \(error == HCA_ERR_MPA_CRC\)/if (false)/'
found terminate-read-msn suites terminate.c 's/ddp.msn = read->msn;//'
found terminate-keeps-last suites terminate.c '/^void hca_terminate_keep/,/^}/s/if \(it->origin != HCA_TERMINATE_NONE\)/if (false)/'
found terminate-not-remote suites terminate.c 's/it->origin = HCA_TERMINATE_REMOTE;/{ }/'

# transmit.c
found transmit-no-retry suites transmit.c 's/hca_endpoint_retry\(it->ep\);/{ }/'
found transmit-more seeds transmit.c 's/bool more = progress == HCA_BUDGET && .*/bool more = true;/'
found transmit-uncompleted seeds transmit.c 's/any = hca_complete_requests\(it\);/any = false;/'
found transmit-behind-cut suites transmit.c 's/return it->tx.is_cut \|\| /return /'

# tx_buffer.c
found buffer-small suites tx_buffer.c 's/PAGE_SIZE << order >= least/true/'
found buffer-leaks seeds tx_buffer.c '/^void hca_tx_buffer_free/,/^}/s/kfree\(b\);//'

# view.c
found view-outstanding suites view.c 's/view->sq_outstanding = qp->sq_fetched - qp->sq_done;/view->sq_outstanding = qp->sq_fetched - qp->sq_current;/'
found view-no-error suites view.c 's/view->parts \|= HCA_VIEW_ERROR;/{ }/'
found view-no-recvs suites view.c 's/if \(qp->rq.size\)/if (false)/'

# wire/ddp.c
found wire-ddp-last seeds wire/ddp.c 's/ddp->last = buf\[0\] & CONTROL_LAST;/ddp->last = true;/'
found wire-ddp-version suites wire/ddp.c 's/#define CONTROL_VERSION 0x03/#define CONTROL_VERSION 0x01/'
found wire-ddp-short suites wire/ddp.c 's/if \(!len \|\| len < hca_ddp_bytes\(buf\[0\]\)\)/if (!len)/'
found wire-ddp-mo seeds wire/ddp.c 's/put_unaligned_be32\(ddp->mo, buf \+ 14\);/put_unaligned_be32(0, buf + 14);/'

# wire/error.c
found wire-error-parts suites wire/error.c 's/\{ HCA_ERR_RDMAP_VERSION, 0, MD,/{ HCA_ERR_RDMAP_VERSION, 0, MDR,/'
found wire-error-mask suites wire/error.c 's/errors\[row\].mask \?: 0xffff/0xffff/'
found wire-error-read suites wire/error.c 's/\{ HCA_ERR_RDMAP_ACCESS, 0, MDR,/{ HCA_ERR_RDMAP_ACCESS, 0, MD,/'

# wire/fpdu.c
found wire-fpdu-crc-seed suites wire/fpdu.c 's/return -position & \(HCA_MARKER_INTERVAL - 1\);/return (-position \& (HCA_MARKER_INTERVAL - 1)) ?: HCA_MARKER_INTERVAL;/'
found wire-fpdu-crc-order seeds wire/fpdu.c 's/put_unaligned_le32\(crc \?/put_unaligned_be32(crc ?/'
found wire-fpdu-interval seeds wire/fpdu.c 's/ulpdu->marker = HCA_MARKER_INTERVAL - HCA_MARKER_BYTES;/ulpdu->marker = HCA_MARKER_INTERVAL;/'

# wire/mpa.c
found wire-mpa-revision suites wire/mpa.c 's/return revision == HCA_MPA_REVISION_1 \|\| revision == HCA_MPA_REVISION_2;/return revision <= HCA_MPA_REVISION_2;/'
found wire-mpa-long suites wire/mpa.c 's/frame->private_length > HCA_MPA_PRIVATE_MAX \|\|/frame->private_length > HCA_MPA_PRIVATE_MAX + 4 ||/'
found wire-mpa-short suites wire/mpa.c 's/frame->private_length < HCA_MPA_ENHANCED_BYTES\)\)/frame->private_length < HCA_MPA_ENHANCED_BYTES - 1))/'
found wire-mpa-meaningless suites wire/mpa.c 's/frame->rejected &= frame->is_reply;//'

# wire/rdmap.c
found wire-rdmap-advance seeds wire/rdmap.c 's/read->source_to \+= octets;//'
found wire-rdmap-victim seeds wire/rdmap.c 's/ddp->ulp_tail = op->invalidates \? invalidate : 0;/ddp->ulp_tail = 0;/'

# wire/terminate.c
found wire-terminate-read suites wire/terminate.c 's/terminate->parts \|= HCA_TERMINATE_R;/{ }/'
found wire-terminate-past suites wire/terminate.c 's/if \(!bytes \|\| len < bytes\)/if (!bytes)/'
found wire-terminate-swapped suites wire/terminate.c 's/terminate->swapped = true;//'
found wire-terminate-control suites wire/terminate.c 's/if \(len < HCA_TERMINATE_CONTROL_BYTES\)/if (!len)/'
