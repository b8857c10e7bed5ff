# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Prints hcalab's help.

help_for() {
	case $1 in
	run)	cat <<-'END'
		Usage: hcalab run [OPTION]... [--] COMMAND [ARGUMENT]...
		Run COMMAND as root in a virtual machine that has hca.ko loaded.

		END
		help_options
		help_status ;;
	shell)	cat <<-'END'
		Usage: hcalab shell [OPTION]...
		Start a shell in a virtual machine that has hca.ko loaded.

		END
		help_options ;;
	kernel*) cat <<-'END'
		Usage: hcalab kernel build --sanitize [--kernel VERSION] [-j N]
		       hcalab kernel list [--build DIR] [--kernels DIR]

		build makes the kernel that 'run --sanitize' boots: User Mode Linux with KASAN,
		lockdep, kmemleak, UBSAN and debug objects, from Debian's linux-source. That
		takes some minutes, 2 GB of disk while it lasts and 130 MB afterwards, in
		~/.cache/hca; a second time it is there already, until the source package, its
		configuration or the compiler changes.

		list shows the kernels there are, and which of them hca.ko is there for.

		  --kernel VERSION   from linux-source-VERSION (the oldest that is installed)
		  -j N               as many jobs at a time (one for each processor)
		  --build DIR        look for hca.ko there; default as for 'run'
		  --kernels DIR      look for kernels there; default as for 'run'
		  -h, --help         print this

		Exit status: 0, 2 if called wrongly, 126 if it fails; the reason is on standard
		error.
		END
		;;
	*)	cat <<-'END'
		Usage: hcalab run [OPTION]... [--] COMMAND [ARGUMENT]...
		       hcalab shell [OPTION]...
		       hcalab kernel {build --sanitize | list}
		       hcalab {--help | run --help | kernel --help | --version}

		Boot this system's kernel in a virtual machine over this system's own files,
		with hca.ko loaded, and run COMMAND (or a shell) there as root, in the current
		directory. The guest sees every file of the host that the caller may read, and
		may change what it likes: changes stay in the guest's memory and end with it,
		but for what is written to the folder of --output.

		'hcalab run --help' has the options of run and shell, 'hcalab kernel --help'
		those of kernel.

		Examples:
		  hcalab run --pair -- ibstat
		  hcalab run --pair -- sh -c 'opensm -o -g 0; ibnetdiscover -C hca0'
		  hcalab run --nodes 2 -- sh -c 'ping -c 1 node1; hcalab-on node1 hcactl show'
		  hcalab shell --pair
		END
	esac
}

help_options() {
	cat <<-'END'
	  --kernel VERSION   the kernel to boot: a release, or its beginning (6.1 is
	                     6.1.*, not 6.12); default: of those that hca.ko was built
	                     for, the newest of the oldest series
	  --kernels DIR      boot a kernel of the system below DIR, which has it in
	                     DIR/boot and DIR/lib/modules; default: $HCALAB_KERNELS,
	                     else this system's own
	  --build DIR        take hca.ko, tools and provider from this build; default:
	                     $HCALAB_BUILD, else ./build if it holds kbuild/, else what
	                     is installed
	  --pair             make hca0 and hca1, one port each, joined by a cable
	  --sanitize         a kernel with KASAN, lockdep, kmemleak and UBSAN, which has
	                     to be built first (hcalab kernel build --sanitize): User
	                     Mode Linux, with one processor and without QEMU. Needs a
	                     build, of which hca.ko is made for that kernel
	  --nodes N          2 to 8 such machines, node0 and so on, with an Ethernet
	                     between them; COMMAND runs on node0, and 'hcalab-on NODE
	                     COMMAND' there runs one on another
	  --join             with --nodes: make hca0 on each, and link them over UDP:
	                     two to each other, more to a switch sw0 on node0
	  --topology FILE    make what FILE describes, as 'hcactl topology load FILE
	                     hosts all' would (with --nodes: on node0)
	  --output DIR       keep what COMMAND writes to the folder $HCALAB_OUTPUT in
	                     DIR, with --nodes in DIR/node0, DIR/node1 and so on,
	                     however it ends; DIR is made if it is not there
	  --publish PORT     what listens at this TCP port of 127.0.0.1 in the guest
	                     (with --nodes: on node0), as 'hcactl serve' does at 8791,
	                     is at the same port of 127.0.0.1 here; may be repeated
	  --no-module        load neither hca.ko nor the InfiniBand modules
	  --name NAME        the guest's host name, from which its GUIDs and machine-id
	                     derive (node0)
	  --env NAME=VALUE   a variable for COMMAND, besides HOME, PATH, TERM, LANG; may
	                     be repeated
	  --cpus N           processors (2)
	  --memory SIZE      memory, as in 512M or 4G (2G); half of it holds changed
	                     files
	  --timeout SECONDS  give up after that long, and say what still ran; 0: never
	                     (300; shell: 0)
	  --icount           one processor, one nanosecond an instruction: figures that
	                     repeat
	  --accel KIND       tcg, kvm or auto (auto: KVM once it has proven to boot)
	  --log FILE         keep the kernel's log in FILE, those of other nodes in
	                     FILE.node1 and so on
	  --append WORD      a word for the kernel's command line; may be repeated
	  --qemu WORD        an argument for QEMU; may be repeated
	  -v, --verbose      print what is started, how long the boot took, and at a
	                     timeout what the kernel and the processors did
	  -h, --help         print this

	A build's tools, test programs and provider are found first. HCA_KMODS is the
	folder that its hca.ko is in, and other modules built with it. 'man hcactl'
	works if man is installed.

	Unpacked kernels and the like, about 75 MB for each kernel, are kept in
	~/.cache/hca (below XDG_CACHE_HOME if that is set), and may be deleted at any
	time.
	END
}

help_status() {
	cat <<-'END'

	COMMAND's standard input is /dev/null. Its output and its error output are
	hcalab's, byte for byte. When COMMAND ends, what it left running is killed.

	Exit status: COMMAND's own (128+N if signal N killed it, 127 if there is no such
	command), except
	  2    hcalab was called wrongly
	  124  COMMAND took longer than --timeout
	  125  the kernel complained (oops, BUG, WARNING, lockdep, KASAN, hung task,
	       stall, ...), whatever COMMAND returned; the complaint is on standard
	       error. With --sanitize also if hca has leaked memory; with --nodes it
	       says which node
	  126  the lab could not start or ended before COMMAND did, or the clock of its
	       guest was too fast; the reason is on standard error
	  129, 130, 143  hcalab was stopped by SIGHUP, SIGINT, SIGTERM
	END
}
