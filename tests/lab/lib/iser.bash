# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of iSER, by the target of Linux and open-iscsi, of the disk in memory that storage.bash makes, at $serves.

wants_iser() {
	wants iSER iscsid iscsiadm fio
	wants_modules iSER target_core_iblock iscsi_target_mod ib_isert ib_iser sd_mod
}

iser_config=/sys/kernel/config/target
iser_name=iqn.2026-01.example:disk
iser_port=$iser_config/iscsi/$iser_name/tpgt_1
# A target listens by TCP as well, in the network namespace in which these words run the command behind them.
iser_portal=(command)

# iser_offer: the disk in memory
iser_offer() {
	mkdir -p $iser_config/core/iblock_0/disk && echo udev_path=/dev/nullb0 >$iser_config/core/iblock_0/disk/control &&
		echo 1 >$iser_config/core/iblock_0/disk/enable &&
		mkdir -p $iser_port/lun/lun_0 && "${iser_portal[@]}" mkdir -p $iser_port/np/"$serves":3260 && echo 1 >$iser_port/np/"$serves":3260/iser &&
		ln -s $iser_config/core/iblock_0/disk $iser_port/lun/lun_0/disk &&
		echo 0 >$iser_port/attrib/authentication && echo 1 >$iser_port/attrib/generate_node_acls &&
		echo 1 >$iser_port/attrib/cache_dynamic_acls && echo 0 >$iser_port/attrib/demo_mode_write_protect && echo 1 >$iser_port/enable
}

iser_withdraw() {
	echo 0 >$iser_port/enable
	rm $iser_port/lun/lun_0/disk && rmdir $iser_port/np/* $iser_port/lun/lun_0 $iser_port ${iser_port%/*} $iser_config/core/iblock_0/disk
}

# An answer that comes before iscsiadm knows its question to be sent is missed by it: it gives up after 30 s.
iser_discovered() {
	run iscsiadm -m discovery -t sendtargets -p "$serves" -I iser
	has_line "$out" "${serves//./\\.}:3260,1 $iser_name"
}

# iser_begins: iscsid logs in, and there is a SCSI disk. A session that is lost is given up after a time: long after iscsid has
# logged in again, however slow the machine is.
iser_begins() {
	mkdir -p /etc/iscsi
	echo 'InitiatorName=iqn.2026-01.example:host' >/etc/iscsi/initiatorname.iscsi
	pgrep -x iscsid >/dev/null || expect 'iscsid starts' iscsid
	holds 'the target is found' within 120 iser_discovered
	run iscsiadm -m node -T $iser_name -p "$serves" -o update -n node.session.timeo.replacement_timeout -v $((20 * slowness))
	expect 'the initiator logs in' iscsiadm -m node -T $iser_name -p "$serves" --login
	holds '... and has a disk' within 30 eval '[[ $(disk) ]]' || { dmesg | tail; exit; }
}

# iser_unattended: nobody logs in again, and Linux ends a session by itself when its device goes.
iser_unattended() {
	local file
	pkill -KILL -x iscsid
	for file in /sys/class/iscsi_session/*/recovery_tmo; do echo 20 >"$file"; done
}
