#!/bin/sh
# Runs its arguments in a network of its own where every address is this machine's and names come from the tests'
# name server. Everything it changes is seen in there only.
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
