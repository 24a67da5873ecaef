#!/bin/bash
# Stands in for systemd where it is not process 1: reads the unit file and its drop-ins, and runs ExecStart as they say.
# It has the user, the environment, the capabilities, NoNewPrivileges, UMask, StateDirectory, and the read-only file system
# with a /tmp and a /proc of its own. It has no system call filter, no limits and no restarts.
set -eu

units=/etc/systemd/system
value() { cat $units/stoa@.service $units/stoa@.service.d/*.conf 2>/dev/null | sed -n "s/^$1=//p" | sed "s/%i/$instance/g"; }

launch() { # in a mount namespace of its own
  state=/var/lib/$(value StateDirectory)
  mkdir -p "$state"
  chown "$(value User):$(value Group)" "$state"
  chmod "$(value StateDirectoryMode)" "$state"
  mount --bind "$state" "$state"
  mount -t tmpfs -o mode=1777 tmpfs /tmp
  mount -t tmpfs -o mode=0755,ro tmpfs /root
  mount -t proc -o subset=pid,hidepid=invisible proc /proc
  mount -o remount,bind,ro /
  umask "$(value UMask)"
  cd "$(value WorkingDirectory)"
  mapfile -t environment < <(value Environment)
  caps=$(value AmbientCapabilities | sed 's/^CAP_//' | tr 'A-Z' 'a-z')
  # shellcheck disable=SC2046
  exec setpriv --reuid "$(value User)" --regid "$(value Group)" --init-groups --no-new-privs \
    --bounding-set "-all,+$caps" --inh-caps "-all,+$caps" --ambient-caps "-all,+$caps" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 USER="$(value User)" LOGNAME="$(value User)" HOME="$state" \
    "${environment[@]}" $(value ExecStart)
}

stop_unit() {
  [ -f "/run/$1.pid" ] || return 0
  kill "$(cat "/run/$1.pid")" 2>/dev/null || true
  for _ in $(seq 300); do
    kill -0 "$(cat "/run/$1.pid")" 2>/dev/null || break
    sleep 0.1
  done
  rm -f "/run/$1.pid"
}

start_unit() {
  setsid unshare --mount "$0" run-unit "${1#stoa@}" >> "/var/log/$1.log" 2>&1 < /dev/null &
  echo $! > "/run/$1.pid"
}

act() { # start or restart, unit
  case $2 in
    postgresql) service postgresql "$1" ;;
    nftables) nft -f /etc/nftables.conf ;;
    stoa@*)
      [ "$1" = restart ] && stop_unit "$2"
      [ -f "/run/$2.pid" ] || start_unit "$2"
      ;;
    systemd-journald) ;;
    *) echo "systemctl: no stand-in for $2" >&2; exit 1 ;;
  esac
}

verb=$1
shift
case $verb in
  run-unit)
    instance=$1
    launch
    ;;
  daemon-reload) ;;
  enable)
    [ "$1" = --now ] || exit 0
    shift
    for unit in "$@"; do act start "$unit"; done
    ;;
  start | restart) for unit in "$@"; do act "$verb" "$unit"; done ;;
  stop) for unit in "$@"; do stop_unit "$unit"; done ;;
  *) echo "systemctl: no stand-in for $verb" >&2; exit 1 ;;
esac
