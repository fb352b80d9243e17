# Sourced by tools/try-deb and tools/try-fresh: Debian roots made by debootstrap, and commands in them. They run in
# namespaces of their own ($root_alone): all mounts and processes end with the command, however it ends, and no process
# outside can remove files through the mounts.

# In front of a command. It ends when this is killed.
root_alone="unshare --mount --pid --fork --kill-child --mount-proc"

# root_mirror RELEASE: where apt of this machine has that release from, if it has.
root_mirror () {
  apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -v release="$1" '$1 == release && $2 == "main" && $3 ~ /^https?:/ { print $3; exit }'
}

# root_make FOLDER RELEASE [PACKAGES]: the smallest root, with these packages (separated by commas), from where this
# machine has its own, through its proxy, and trusting what it trusts.
root_make () {
  proxy=
  eval "$(apt-config shell proxy Acquire::http::Proxy 2>/dev/null)"
  proxy=${proxy:-${http_proxy:-}}
  env PATH="$PATH:/usr/sbin:/sbin" ${proxy:+http_proxy="$proxy"} \
    debootstrap --variant=minbase ${3:+--include="$3"} "$2" "$1" $(root_mirror "$2") || return 1
  [ -z "$proxy" ] || echo "Acquire::http::Proxy \"$proxy\";" >"$1/etc/apt/apt.conf.d/90proxy"
  if [ -e "$1/usr/sbin/update-ca-certificates" ] && ls /usr/local/share/ca-certificates/*.crt >/dev/null 2>&1; then
    cp /usr/local/share/ca-certificates/*.crt "$1/usr/local/share/ca-certificates/"
    root_inside "$1" root update-ca-certificates || return 1
  fi
  echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/unsafe-io"
}

# root_mount ROOT: what programs expect; only in $root_alone.
root_mount () {
  mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && cp /etc/resolv.conf "$1/etc/resolv.conf"
}

# root_inside ROOT USER COMMAND [NAME=VALUE...]: a shell of that user, with nothing of this environment but these
# values; in front of it, $root_before.
root_inside () (
  root=$1 user=$2 command=$3
  shift 3
  home=/home/$user path=/usr/local/bin:/usr/bin:/bin
  [ "$user" = root ] && home=/root path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  exec ${root_before:-} chroot --userspec="$user" "$root" env -i PATH="$path" HOME="$home" USER="$user" \
    ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} "$@" sh -euc "cd && $command"
)
