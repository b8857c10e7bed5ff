# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Starts QEMU.

# The log goes to a serial port, which writes each line at once, since a panic flushes nothing. An oops or a lockup ends
# the run, since later results mean nothing. On a busy host an emulated processor may stand still for seconds, which is
# no lockup of its kernel. Secret memory is there, as it is since Linux 6.5 without a word.
readonly kernel_words="console=ttyS0 ignore_loglevel printk.time=1 printk.devkmsg=on panic=-1 oops=panic \
softlockup_panic=1 hung_task_panic=1 watchdog_thresh=30 rcupdate.rcu_cpu_stall_timeout=60 \
net.ifnames=0 tsc=reliable no_timer_check cryptomgr.notests secretmem.enable=1"

# Without the string instructions that copy and clear octet by octet when they are emulated; Linux then takes those of
# eight octets.
readonly emulated_cpu=max,-erms,-fsrm

# QEMU translates a program anew for each address that it lies at. At addresses that do not change, what another process
# had translated serves: programs start in less than half of the time.
readonly emulated_words=norandmaps

# $1: kvm or tcg
machine_args() {
	args=(-nodefaults -no-user-config -display none -monitor none -no-reboot -machine pc -m "$memory" -smp "$cpus"
		-kernel "$image" -initrd "$here/initrd" -chardev "file,id=log,path=$here/log" -serial chardev:log)
	if [[ $icount ]]; then
		args+=(-accel tcg -cpu "$emulated_cpu" -icount 'shift=0,sleep=off')
	elif [[ $1 == kvm ]]; then
		args+=(-accel kvm -cpu host)
	else
		args+=(-accel 'tcg,thread=multi' -cpu "$emulated_cpu" -rtc clock=vm)
	fi
}

port() { args+=(-chardev "file,id=$2,path=$here/$2" -device "virtserialport,bus=vs.0,nr=$1,chardev=$2,name=$2"); }

# The host writes to this one.
input_port() {
	args+=(-chardev "pipe,id=$2,path=$here/$2" -device "virtserialport,bus=vs.0,nr=$1,chardev=$2,name=$2")
}

qemu_prepare() {
	machine_args "$accel"
	local words=$kernel_words
	[[ $accel == kvm ]] || words+=" $emulated_words${tsc_khz:+ tsc_early_khz=$tsc_khz}"
	args+=(-append "$words${append[*]:+ ${append[*]}}"
		-virtfs 'local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap')
	# Without an ioeventfd, a write to a port is in the host's file when the guest's write returns, so nothing is
	# lost at shutdown.
	args+=(-device 'virtio-serial-pci,id=vs,ioeventfd=off')
	port 1 out; port 2 err; port 3 control; input_port 4 ask
	if [[ $mode == shell ]]; then
		# A serial port waits until the terminal takes an octet; a virtio console would drop what it does not take.
		args+=(-chardev 'stdio,id=tty,signal=off,mux=off' -device 'isa-serial,index=1,chardev=tty')
		input_port 5 size
		trap 'stty size 1<> "$dir/size"' WINCH
	fi
	folder_args
	output_args
	ethernet_args
	args+=("${qemu_extra[@]}")
	described="$accel${icount:+ counting instructions}"
}

qemu_start() {
	if [[ $mode == shell ]]; then
		start "$qemu" "${args[@]}" 2> "$here/machine-err"
	else
		start "$qemu" "${args[@]}" < /dev/null > /dev/null 2> "$here/machine-err"
	fi
}
