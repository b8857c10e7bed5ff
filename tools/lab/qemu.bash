# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Starts QEMU machines.

# Words of the kernel's command line. The log goes to a serial port, which writes each line at once, since a panic does
# not flush buffers. An oops or a lockup ends the run, since later results are meaningless. An emulated processor on a
# busy host may stand still for seconds, which must not count as a lockup. Secret memory is enabled, which is the
# default since Linux 6.5.
readonly kernel_words="console=ttyS0 ignore_loglevel printk.time=1 printk.devkmsg=on panic=-1 oops=panic \
softlockup_panic=1 hung_task_panic=1 watchdog_thresh=30 rcupdate.rcu_cpu_stall_timeout=60 \
net.ifnames=0 tsc=reliable no_timer_check cryptomgr.notests secretmem.enable=1"

# The emulated processor, which does not have ERMS and FSRM. With these, Linux would copy and clear by string
# instructions, which are emulated octet by octet; without, it uses instructions of eight octets.
readonly emulated_cpu=max,-erms,-fsrm

# Words for an emulated machine. QEMU translates a program again for each address. With fixed addresses, the translation
# of another process is used again, and programs start in less than half the time.
readonly emulated_words=norandmaps

# Sets the arguments that all machines need. $1: kvm or tcg
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

# Adds a port that the host writes to.
input_port() {
	args+=(-chardev "pipe,id=$2,path=$here/$2" -device "virtserialport,bus=vs.0,nr=$1,chardev=$2,name=$2")
}

qemu_prepare() {
	machine_args "$accel"
	local words=$kernel_words
	[[ $accel == kvm ]] || words+=" $emulated_words${tsc_khz:+ tsc_early_khz=$tsc_khz}"
	args+=(-append "$words${append[*]:+ ${append[*]}}"
		-virtfs 'local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap')
	# Without an ioeventfd, data are in the host's file when the guest's write to a port returns, so they cannot be
	# lost at shutdown.
	args+=(-device 'virtio-serial-pci,id=vs,ioeventfd=off')
	port 1 out; port 2 err; port 3 control; input_port 4 ask
	if [[ $mode == shell ]]; then
		# A serial port waits until the terminal accepts an octet; a virtio console would drop the octet.
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
