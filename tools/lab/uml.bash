# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Starts User Mode Linux, the kernel with sanitizers.

# Words of the kernel's command line. An oops ends the run, as with QEMU. Leaks are searched for at the end only.
readonly uml_words="ignore_loglevel printk.time=1 printk.devkmsg=on oops=panic hung_task_panic=1 net.ifnames=0 \
console=ttyS0"

# Finds a folder for the guest's memory, which is a sparse file without a name.
memory_folder() {
	local free options need=${memory%[MG]}
	[[ $memory == *M ]] || need=$((need * 1024))
	free=$(df --output=avail -m /dev/shm 2> /dev/null | tail -n 1)
	options=$(sed -n 's|^[^ ]* /dev/shm [^ ]* \([^ ]*\).*|\1|p' /proc/mounts | tail -n 1)
	if [[ $options && ,$options, != *,noexec,* && ${free:-0} -gt $need ]]; then echo /dev/shm; else echo "$dir"; fi
}

uml_prepare() {
	# Data that the guest writes to these files are on the host when its write returns.
	args=(mem="$memory" initrd="$here/initrd" uml_dir="$dir/" umid=uml
		ssl0=null,fd:4 ssl1=null,fd:5 ssl2=null,fd:6 ssl3=null,fd:7 ssl4=fd:8,null con=null)
	if [[ $mode == shell ]]; then args+=(con0=fd:0,fd:1); fi
	# shellcheck disable=SC2206 # words
	args+=($uml_words "${append[@]}")
	described='with sanitizers'
}

# Starts User Mode Linux. Core dumps are disabled, since it dumps core when it panics.
uml_start() {
	exec 4>> "$dir/log" 5>> "$dir/out" 6>> "$dir/err" 7>> "$dir/control" 8<> "$dir/ask" 2> "$dir/machine-err"
	[[ $mode == shell ]] || exec < /dev/null > /dev/null
	ulimit -c 0
	start env TMPDIR="$(memory_folder)" "$kernel_dir/linux" "${args[@]}"
}
