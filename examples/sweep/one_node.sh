#!/usr/bin/env bash
# one_node.sh COMMAND...: starts a Slurm that has this machine alone, runs COMMAND in it, and ends it.
# For trying a sweep before it goes to a cluster. Needs root, slurm-wlm and munge (Debian). Nothing of a Slurm that is there is touched.
set -eu
folder=$(mktemp -d)
export SLURM_CONF=$folder/slurm.conf
usual=/etc/slurm/slurm.conf # where commands look that have lost SLURM_CONF on the way
[ -e $usual ] || { mkdir -p /etc/slurm && ln -s "$SLURM_CONF" $usual && linked=$usual; }
trap 'kill $(cat "$folder"/*.pid) 2>/dev/null || true; sleep 1; rm -rf "$folder" ${linked:+"$linked"}' EXIT
chmod 755 "$folder"
mkdir "$folder/state" "$folder/spool" && install -d -o munge -g munge "$folder/munge"
install -o munge -g munge -m 400 <(head -c 1024 /dev/urandom) "$folder/munge/key"
cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$(hostname -s)
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobRequeue=1
MinJobAge=600
NodeName=$(hostname -s) CPUs=$(nproc) RealMemory=$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE) / 1048576)) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
setpriv --reuid munge --regid munge --clear-groups munged --socket "$folder/munge/socket" --key-file "$folder/munge/key" \
  --pid-file "$folder/munge/pid" --log-file "$folder/munge/log" --seed-file "$folder/munge/seed"
ln -s munge/pid "$folder/munge.pid"
slurmctld && slurmd
for _ in $(seq 50); do sinfo -h -o %T 2>/dev/null | grep -qE 'idle|mixed|alloc' && break; sleep 0.2; done
sinfo -h -o %T | grep -qE 'idle|mixed|alloc' || { cat "$folder"/slurm*.log >&2; exit 1; }
"$@"
