# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of NFS over RDMA, from $serves (storage.bash) to the same machine.

wants_nfs() {
	wants NFS mount.nfs rpc.nfsd rpc.mountd exportfs rpcbind fio
	wants_modules NFS nfsd nfs rpcrdma
}

# Offers a folder in memory. The packages have made neither users nor folders, since they are not installed.
nfs_serve() {
	grep -q '^_rpc:' /etc/passwd || echo '_rpc:x:165:65534::/run/rpcbind:/usr/sbin/nologin' >>/etc/passwd
	mkdir -p /srv/share /run/rpcbind /var/lib/nfs/{v4recovery,rpc_pipefs,sm,sm.bak,nfsdcld} &&
		touch /etc/exports /var/lib/nfs/{etab,rmtab} &&
		mount -t tmpfs share /srv/share && mount -t nfsd nfsd /proc/fs/nfsd &&
		mount -t rpc_pipefs sunrpc /var/lib/nfs/rpc_pipefs || return
	rpcbind -w && within 5 nfs_rpc_listens || return
	! command -v nfsdcld >/dev/null || nfsdcld || return
	# A server waits that long for clients of its last life before others may write.
	echo 10 >/proc/fs/nfsd/nfsv4leasetime && echo 10 >/proc/fs/nfsd/nfsv4gracetime &&
		exportfs -o rw,no_root_squash,fsid=0,insecure,no_subtree_check '*:/srv/share' &&
		rpc.mountd && rpc.nfsd 4 && echo 'rdma 20049' >/proc/fs/nfsd/portlist
}
nfs_rpc_listens() { [[ $(ss -Hltn 'sport = :111') ]]; }

nfs_cease() {
	rpc.nfsd 0
	exportfs -ua
	pkill -x rpc.mountd
	pkill -x nfsdcld
	pkill -x rpcbind
	within 10 eval '! pgrep -x "rpc\.mountd|nfsdcld|rpcbind" >/dev/null' && umount /proc/fs/nfsd /var/lib/nfs/rpc_pipefs &&
		umount -l /srv/share # whose last files the server closes a little later
}

# nfs_mounts FOLDER OPTIONS
nfs_mounts() { limit=100 run mount -t nfs -o "proto=rdma,port=20049,$2" "$serves:$1" /mnt; }

# nfs_stores VERSION: it is mounted, by RDMA, and keeps data; its status says whether it is mounted
nfs_stores() {
	local folder=/ options=vers=$1 # the folder is the root that version 4 sees
	[[ $1 != 3 ]] || folder=/srv/share options+=,nolock,mountproto=tcp,mountaddr=127.0.0.1
	nfs_mounts "$folder" "$options"
	worked "NFS $1: it is mounted"
	[[ $status = 0 ]] || return
	has_line "$(</proc/mounts)" "${serves//./\\.}:[/a-z]* /mnt nfs4? .*,proto=rdma,.*" && ok '... by RDMA' || not_ok '... by RDMA' "$(</proc/mounts)"
	fio_verifies "NFS $1: what is written is read" /mnt/file
	head -c 3000000 /dev/urandom >"$tmp/data"
	holds "NFS $1: the server's file is what the client wrote" \
		eval 'cp "$tmp/data" /mnt/data && sync /mnt/data && cmp "$tmp/data" /srv/share/data'
}
