#!/bin/sh
# Runs its arguments in a network namespace where every address is local and the tests' name server resolves names.
# Its changes are only visible in there.
set -e
ip link set lo up
ip route add local 0.0.0.0/0 dev lo
echo 0 >/proc/sys/net/ipv6/conf/lo/disable_ipv6 2>/dev/null || true
ip -6 route add local ::/0 dev lo
names=$(mktemp)
printf 'nameserver 10.53.53.53\noptions timeout:1 attempts:1\n' >"$names"
mount --bind "$names" /etc/resolv.conf
rm -f "$names"
exec "$@"
