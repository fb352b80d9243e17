# Sourced by tests: a Slurm of one node in a folder of its own, with its own
# ports, key and daemons, which end with slurm_stop. Nothing of a Slurm that the
# machine may have is used.
slurm_daemons=

# slurm_start DIR: status 0 when the node takes jobs; else "slurm_reason" says
# why there is none, and nothing is left running.
slurm_start () {
  slurm_dir=$1 slurm_reason=
  for slurm_word in slurmctld slurmd munged sbatch scontrol scancel; do
    PATH=$PATH:/usr/sbin:/sbin command -v $slurm_word >/dev/null || slurm_reason="$slurm_word is absent"
  done
  [ "$(id -u)" = 0 ] || slurm_reason="its daemons need root"
  [ -z "$slurm_reason" ] || return 1
  PATH=$PATH:/usr/sbin:/sbin
  mkdir -p "$slurm_dir/state" "$slurm_dir/spool" "$slurm_dir/etc" || return 1
  chmod 755 "$slurm_dir"
  slurm_munge && slurm_configure && slurm_run && return 0
  slurm_stop
  return 1
}

slurm_munge () {
  mkdir -m 700 "$slurm_dir/key" && mkdir -m 755 "$slurm_dir/munge"
  dd if=/dev/urandom of="$slurm_dir/key/munge.key" bs=128 count=1 2>/dev/null
  chmod 600 "$slurm_dir/key/munge.key"
  munged --foreground --force --socket="$slurm_dir/munge/socket" --key-file="$slurm_dir/key/munge.key" \
    --pid-file="$slurm_dir/munge/pid" --log-file="$slurm_dir/munge/log" --seed-file="$slurm_dir/munge/seed" \
    >"$slurm_dir/munged.out" 2>&1 &
  slurm_daemons="$! $slurm_daemons"
  slurm_wait 10 [ -S "$slurm_dir/munge/socket" ] && return 0
  slurm_reason="munged does not start: $(tail -n 1 "$slurm_dir/munged.out")"
  return 1
}

# slurm_wait SECONDS COMMAND...: until it succeeds.
slurm_wait () {
  slurm_end=$(($(date +%s) + $1))
  shift
  while ! "$@"; do
    [ "$(date +%s)" -lt $slurm_end ] || return 1
    sleep 0.2
  done
}

# A port that nobody listens at, from $1 on.
slurm_port () {
  awk -v port="$1" 'FNR > 1 { split ($2, at, ":"); used[at[2]] }
    END { while (sprintf ("%04X", port) in used) port++; print port }' /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

slurm_configure () {
  # what a job around us has been told is not for ours
  for slurm_word in $(env | sed -n 's/^\(\(SLURM\|SBATCH\|SQUEUE\|SCANCEL\|SINFO\)_[A-Z_]*\)=.*/\1/p'); do
    unset "$slurm_word"
  done
  SLURM_CONF=$slurm_dir/etc/slurm.conf
  export SLURM_CONF
  slurm_host=$(hostname -s 2>/dev/null || hostname)
  slurm_first=$((20000 + $$ % 20000))
  slurm_ctld_port=$(slurm_port $slurm_first)
  slurm_d_port=$(slurm_port $((slurm_ctld_port + 1)))
  # what this version says of this machine, under another name
  slurm_node=$(slurmd -C 2>/dev/null | sed -n 's/^NodeName=[^ ]* *//p' | head -n 1)
  if [ -z "$slurm_node" ]; then
    slurm_reason="slurmd -C says nothing"
    return 1
  fi
  cat >"$SLURM_CONF" <<CONF
ClusterName=predictor
SlurmctldHost=$slurm_host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$slurm_ctld_port
SlurmdPort=$slurm_d_port
AuthType=auth/munge
AuthInfo=socket=$slurm_dir/munge/socket
CredType=cred/munge
StateSaveLocation=$slurm_dir/state
SlurmdSpoolDir=$slurm_dir/spool
SlurmctldPidFile=$slurm_dir/slurmctld.pid
SlurmdPidFile=$slurm_dir/slurmd.pid
SlurmctldLogFile=$slurm_dir/slurmctld.log
SlurmdLogFile=$slurm_dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1000
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=2
MinJobAge=300
MailProg=/bin/true
NodeName=node1 NodeHostname=$slurm_host NodeAddr=127.0.0.1 $slurm_node State=UNKNOWN
PartitionName=short Nodes=node1 Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
CONF
  # no control groups: containers have none to give; older versions have no word for it
  case $(slurmd -V) in
  *\ 2[0-2].* | *\ 23.02*) printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' ;;
  *) echo CgroupPlugin=disabled ;;
  esac >"$slurm_dir/etc/cgroup.conf"
}

slurm_is_idle () {
  timeout 3 sinfo -h -o %t 2>/dev/null | grep -qx 'idle\|mix\|alloc'
}

slurm_run () {
  slurmctld -D -f "$SLURM_CONF" >"$slurm_dir/slurmctld.out" 2>&1 &
  slurm_daemons="$! $slurm_daemons"
  slurmd -D -f "$SLURM_CONF" -N node1 >"$slurm_dir/slurmd.out" 2>&1 &
  slurm_daemons="$! $slurm_daemons"
  slurm_wait 30 slurm_is_idle && return 0
  slurm_reason="no node comes up: $(cat "$slurm_dir/slurmctld.out" "$slurm_dir/slurmd.out" "$slurm_dir"/*.log 2>/dev/null | grep -i 'error\|fatal' | tail -n 1 | tr '#' ' ')"
  return 1
}

# Ends the daemons, and what they run.
slurm_stop () {
  [ -z "$slurm_daemons" ] || timeout 5 scancel --user="$(id -un)" 2>/dev/null
  for slurm_word in $slurm_daemons; do
    kill "$slurm_word" 2>/dev/null
    slurm_wait 10 slurm_is_gone "$slurm_word" || kill -9 "$slurm_word" 2>/dev/null
    wait "$slurm_word" 2>/dev/null
  done
  slurm_daemons=
}

slurm_is_gone () {
  ! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}
