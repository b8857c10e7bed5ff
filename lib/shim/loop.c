// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Deferred execution: tasklets, work and timers, and the virtual clock. */
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "internal.h"
#include "shim.h"

/* More turns than this while the clock stands still, or a longer wait, count as an endless loop. */
#define MAX_TURNS 10000000
#define MAX_WAIT_NS ((u64)3600 * NSEC_PER_SEC)

struct workqueue_struct {
	bool highpri;
};

static struct workqueue_struct normal_wq;
static struct workqueue_struct highpri_wq = { .highpri = true };
struct workqueue_struct *const system_wq = &normal_wq;
struct workqueue_struct *const system_highpri_wq = &highpri_wq;
struct workqueue_struct *const system_unbound_wq = &normal_wq;
struct workqueue_struct *const system_long_wq = &normal_wq;

/*
 * The works and timers that are running, the innermost first: to wait for one of them is a
 * deadlock.
 */
struct running {
	const void *what;
	const struct workqueue_struct *wq;
	struct running *outer;
};

static const struct shim_context softirq_context = { .softirq = true };
static const struct shim_context thread_context = {};

static LIST_HEAD(tasklets);
static LIST_HEAD(highpri_works);
static LIST_HEAD(normal_works);
static LIST_HEAD(timers); /* this and hrtimers are in the order of expiry */
static LIST_HEAD(hrtimers);
static struct running *running;
static unsigned int turns;
static u64 now_ns;
static u64 reading_ns;
static int (*cpu_teardown)(unsigned int cpu);
unsigned long volatile jiffies = INITIAL_JIFFIES;

static void set_time(u64 ns)
{
	now_ns = ns;
	jiffies = INITIAL_JIFFIES + ns / TICK_NSEC;
	turns = 0;
}

void shim_loop_reset(void)
{
	INIT_LIST_HEAD(&tasklets);
	INIT_LIST_HEAD(&highpri_works);
	INIT_LIST_HEAD(&normal_works);
	INIT_LIST_HEAD(&timers);
	INIT_LIST_HEAD(&hrtimers);
	running = NULL;
	cpu_teardown = NULL;
	reading_ns = 0;
	set_time(0);
}

u64 shim_now_ns(void)
{
	return now_ns;
}

u64 ktime_get_ns(void)
{
	u64 now = now_ns;

	if (reading_ns)
		set_time(now_ns + reading_ns);
	return now;
}

void shim_stall(u64 ns)
{
	reading_ns = ns;
}

static bool is_running(const void *what)
{
	const struct running *r;

	for (r = running; r; r = r->outer)
		if (r->what == what)
			return true;
	return false;
}

static void run(struct shim_context context, const struct workqueue_struct *wq,
		void (*fn)(void *arg), void *what)
{
	struct running frame = { .what = what, .wq = wq, .outer = running };

	WARN(++turns > MAX_TURNS, "%p and others run for ever", what);
	running = &frame;
	shim_run_in(context, fn, what, what);
	running = frame.outer;
}

/* Tasklets */

void tasklet_setup(struct tasklet_struct *t, void (*callback)(struct tasklet_struct *t))
{
	*t = (struct tasklet_struct){ .callback = callback };
}

void tasklet_schedule(struct tasklet_struct *t)
{
	WARN(!t->callback, "tasklet never set up");
	if (t->scheduled)
		return;
	t->scheduled = true;
	list_add_tail(&t->node, &tasklets);
}

static void call_tasklet(void *arg)
{
	struct tasklet_struct *t = arg;

	t->callback(t);
}

bool shim_run_tasklets(void)
{
	bool any = false;

	while (!list_empty(&tasklets)) {
		struct tasklet_struct *t = list_first_entry(&tasklets, struct tasklet_struct, node);

		list_del(&t->node);
		t->scheduled = false;
		run(softirq_context, NULL, call_tasklet, t);
		any = true;
	}
	return any;
}

void tasklet_kill(struct tasklet_struct *t)
{
	WARN(in_interrupt(), "tasklet killed with bottom halves disabled");
	WARN(is_running(t), "tasklet killed by itself");
	while (t->scheduled)
		shim_run_tasklets();
}

/* Work */

struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags, int max_active, ...)
{
	struct workqueue_struct *wq = kzalloc(sizeof(*wq), GFP_KERNEL);

	if (wq)
		wq->highpri = flags & WQ_HIGHPRI;
	return wq;
}

static struct work_struct *work_of(struct list_head *list, const struct workqueue_struct *wq)
{
	struct work_struct *work;

	list_for_each_entry(work, list, node)
		if (work->wq == wq)
			return work;
	return NULL;
}

void flush_workqueue(struct workqueue_struct *wq)
{
	const struct running *r;

	might_sleep();
	for (r = running; r; r = r->outer)
		WARN(r->wq == wq, "deadlock: a work flushes its own queue");
	while (work_of(&highpri_works, wq) || work_of(&normal_works, wq))
		shim_run();
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	flush_workqueue(wq);
	kfree(wq);
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
	WARN(!work->func, "work never initialized");
	if (work->pending)
		return false;
	work->pending = true;
	work->wq = wq;
	list_add_tail(&work->node, wq->highpri ? &highpri_works : &normal_works);
	return true;
}

static void call_work(void *arg)
{
	struct work_struct *work = arg;

	work->func(work);
}

/* Run the first work of a list. One that is running further out is not run a second time. */
static bool run_work(struct list_head *list)
{
	struct work_struct *work;

	list_for_each_entry(work, list, node) {
		if (is_running(work))
			continue;
		list_del(&work->node);
		work->pending = false;
		run(thread_context, work->wq, call_work, work);
		return true;
	}
	return false;
}

bool cancel_work(struct work_struct *work)
{
	if (!work->pending)
		return false;
	list_del(&work->node);
	work->pending = false;
	return true;
}

bool cancel_work_sync(struct work_struct *work)
{
	might_sleep();
	WARN(is_running(work), "deadlock: a work waits for itself");
	return cancel_work(work);
}

bool flush_work(struct work_struct *work)
{
	bool any = false;

	might_sleep();
	WARN(is_running(work), "deadlock: a work waits for itself");
	while (work->pending) {
		shim_run();
		any = true;
	}
	return any;
}

/* CPUs that go offline */

int cpuhp_setup_state_nocalls(enum cpuhp_state state, const char *name,
			      int (*startup)(unsigned int cpu), int (*teardown)(unsigned int cpu))
{
	(void)name;
	(void)startup;
	WARN(cpu_teardown, "a second state");
	cpu_teardown = teardown;
	return state + 1;
}

void cpuhp_remove_state_nocalls(int state)
{
	(void)state;
	cpu_teardown = NULL;
}

void shim_cpu_dead(void)
{
	cpu_teardown(0);
}

static void delayed_work_timer(struct timer_list *timer)
{
	struct delayed_work *dwork = timer_container_of(dwork, timer, timer);

	dwork->work.pending = false;
	queue_work(dwork->wq, &dwork->work);
}

void shim_init_delayed_work(struct delayed_work *dwork, work_func_t func)
{
	INIT_WORK(&dwork->work, func);
	timer_setup(&dwork->timer, delayed_work_timer, 0);
}

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
			unsigned long delay)
{
	if (!delay)
		return queue_work(wq, &dwork->work);
	WARN(!dwork->work.func, "work never initialized");
	if (dwork->work.pending)
		return false;
	dwork->work.pending = true;
	dwork->wq = wq;
	mod_timer(&dwork->timer, jiffies + delay);
	return true;
}

bool cancel_delayed_work(struct delayed_work *dwork)
{
	if (!timer_delete(&dwork->timer))
		return cancel_work(&dwork->work);
	dwork->work.pending = false;
	return true;
}

bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
		      unsigned long delay)
{
	bool was_pending = cancel_delayed_work(dwork);

	queue_delayed_work(wq, dwork, delay);
	return was_pending;
}

bool cancel_delayed_work_sync(struct delayed_work *dwork)
{
	might_sleep();
	WARN(is_running(&dwork->work), "deadlock: a work waits for itself");
	return cancel_delayed_work(dwork);
}

bool flush_delayed_work(struct delayed_work *dwork)
{
	if (timer_delete(&dwork->timer))
		delayed_work_timer(&dwork->timer);
	return flush_work(&dwork->work);
}

/* Timers */

void timer_setup(struct timer_list *timer, void (*function)(struct timer_list *timer),
		 unsigned int flags)
{
	*timer = (struct timer_list){ .function = function };
	INIT_LIST_HEAD(&timer->node);
}

static u64 ticks_until(unsigned long expires)
{
	long left = expires - jiffies;

	return left > 1 ? left : 1;
}

static void insert_timer(struct timer_list *timer, unsigned long expires)
{
	struct timer_list *earlier;

	timer->expires = expires;
	timer->due = now_ns / TICK_NSEC + ticks_until(expires);
	list_for_each_entry_reverse(earlier, &timers, node)
		if (earlier->due <= timer->due)
			break;
	list_add(&timer->node, &earlier->node);
}

int mod_timer(struct timer_list *timer, unsigned long expires)
{
	int was_pending;

	WARN(!timer->node.next, "timer never set up");
	if (!timer->function) /* the timer is shut down */
		return 0;
	was_pending = timer_delete(timer);
	insert_timer(timer, expires);
	return was_pending;
}

int mod_timer_pending(struct timer_list *timer, unsigned long expires)
{
	return timer_pending(timer) ? mod_timer(timer, expires) : 0;
}

int timer_reduce(struct timer_list *timer, unsigned long expires)
{
	return timer_pending(timer) && time_before_eq(timer->expires, expires) ?
		1 : mod_timer(timer, expires);
}

void add_timer(struct timer_list *timer)
{
	WARN(timer_pending(timer), "timer added twice");
	mod_timer(timer, timer->expires);
}

int shim_timer_delete(struct timer_list *timer)
{
	if (!timer_pending(timer))
		return 0;
	list_del_init(&timer->node);
	return 1;
}

int timer_delete_sync(struct timer_list *timer)
{
	WARN(is_running(timer), "deadlock: a timer waits for itself");
	return timer_delete(timer);
}

int timer_shutdown_sync(struct timer_list *timer)
{
	int was_pending = timer_delete_sync(timer);

	timer->function = NULL;
	return was_pending;
}

static void call_timer(void *arg)
{
	struct timer_list *timer = arg;

	timer->function(timer);
}

/* Those of high resolution */

void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *timer),
		   int clock, enum hrtimer_mode mode)
{
	(void)clock;
	(void)mode;
	*timer = (struct hrtimer){ .function = function };
	INIT_LIST_HEAD(&timer->node);
}

void hrtimer_start(struct hrtimer *timer, ktime_t time, enum hrtimer_mode mode)
{
	struct hrtimer *earlier;

	(void)mode;
	WARN(!timer->function, "timer never set up");
	list_del_init(&timer->node);
	timer->due = time; /* a timer in the past takes its turn by this order, too */
	list_for_each_entry_reverse(earlier, &hrtimers, node)
		if (earlier->due <= timer->due)
			break;
	list_add(&timer->node, &earlier->node);
}

int hrtimer_cancel(struct hrtimer *timer)
{
	bool was_pending = !list_empty(&timer->node);

	WARN(is_running(timer), "deadlock: a timer waits for itself");
	list_del_init(&timer->node);
	return was_pending;
}

static void call_hrtimer(void *arg)
{
	struct hrtimer *timer = arg;

	timer->function(timer);
}

static u64 next_hrtimer_ns(void)
{
	return list_empty(&hrtimers) ? U64_MAX :
		list_first_entry(&hrtimers, struct hrtimer, node)->due;
}

static u64 next_tick_timer_ns(void)
{
	return list_empty(&timers) ? U64_MAX :
		list_first_entry(&timers, struct timer_list, node)->due * TICK_NSEC;
}

u64 shim_next_timer_ns(void)
{
	return min(next_hrtimer_ns(), next_tick_timer_ns());
}

static void fire_timers(void)
{
	while (next_hrtimer_ns() <= now_ns) {
		struct hrtimer *timer = list_first_entry(&hrtimers, struct hrtimer, node);

		list_del_init(&timer->node);
		run(softirq_context, NULL, call_hrtimer, timer);
	}
	while (next_tick_timer_ns() <= now_ns) {
		struct timer_list *timer = list_first_entry(&timers, struct timer_list, node);

		list_del_init(&timer->node);
		run(softirq_context, NULL, call_timer, timer);
	}
	shim_run_tasklets();
}

/* The main loop */

bool shim_run(void)
{
	unsigned int normal = 0;
	struct list_head *pos;
	bool any;

	might_sleep();
	any = shim_run_tasklets();
	list_for_each(pos, &normal_works)
		normal++;
	while (run_work(&highpri_works) || (normal && normal-- && run_work(&normal_works))) {
		shim_run_tasklets();
		any = true;
	}
	return shim_run_rcu() || any;
}

void shim_run_until_idle(void)
{
	while (shim_run())
		;
}

/* Advance the clock to @ns; what runs inside may have advanced it further. */
static void advance_to(u64 ns)
{
	while (shim_next_timer_ns() <= ns) {
		set_time(max(now_ns, shim_next_timer_ns()));
		fire_timers();
		shim_run_until_idle();
	}
	if (now_ns < ns)
		set_time(ns);
}

void shim_advance(u64 ns)
{
	u64 until = now_ns + ns;

	shim_run_until_idle();
	advance_to(until);
}

void shim_sleep_ns(u64 ns)
{
	shim_advance(ns);
}

void ndelay(unsigned long ns)
{
	set_time(now_ns + ns);
}

void schedule(void)
{
	shim_run();
}

void shim_wait_step(u64 since, const char *file, int line, const char *what)
{
	if (shim_run())
		return;
	if (shim_next_timer_ns() == U64_MAX)
		shim_panic(file, line, "deadlock: waits for %s, and nothing is left to run", what);
	if (now_ns - since > MAX_WAIT_NS)
		shim_panic(file, line, "waits for %s for an hour", what);
	advance_to(max(now_ns, shim_next_timer_ns()));
}

bool shim_wait_step_until(u64 until)
{
	if (shim_run())
		return true;
	if (now_ns >= until)
		return false;
	advance_to(min(until, max(now_ns, shim_next_timer_ns())));
	return true;
}

u64 shim_deadline(unsigned long timeout)
{
	return timeout >= MAX_SCHEDULE_TIMEOUT ? U64_MAX - 1 : now_ns + timeout * TICK_NSEC;
}

unsigned long shim_remaining(u64 until)
{
	return until > now_ns ? DIV_ROUND_UP(until - now_ns, (u64)TICK_NSEC) : 1;
}
