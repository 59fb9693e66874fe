#!/usr/bin/env bash
# Builds an image of Docent from Debian's packages without a container engine, starts it, and prints its size:
#
#   scripts/image/debian-root.sh FOLDER
#
# FOLDER gets the root file system (root/) and an OCI image layout (image/), for `podman pull oci:FOLDER/image:docent`. Needs
# root, mmdebstrap, umoci and a build (`npm run build`). Fails if the root is larger than 180 MB or does not start.
set -euo pipefail
export PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
root=$folder/root
node=$(node --print process.execPath)
# That of this machine, whose keys apt has.
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
limit=180000000
user=10001

# Only unpacked: none of these packages needs its installation script. util-linux and mount isolate the readers of documents.
mmdebstrap --quiet --mode=root --variant=extract \
  --include=base-files,busybox-static,dash,libstdc++6,mount,util-linux \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$root"
printf 'root:x:0:0::/:/bin/sh\ndocent:x:%s:%s::/data:/bin/sh\n' $user $user > "$root/etc/passwd"
printf 'root:x:0:\ndocent:x:%s:\n' $user > "$root/etc/group"
# The launcher and the health check need a few tools.
for tool in cat dirname env grep ls readlink sleep seq touch wget; do
  [ -e "$root/bin/$tool" ] || ln -s /bin/busybox "$root/bin/$tool"
done
mkdir -p "$root/app/deploy" "$root/usr/local/bin"
install -d -o $user -g $user -m 700 "$root/data"
install -m 755 "$node" "$root/usr/local/bin/node"
# Symbols of the program, which only a debugger reads.
if command -v strip >/dev/null; then strip "$root/usr/local/bin/node"; fi
cp -r "$source"/{docs,dist,LICENSE,README.md,SECURITY.md,CHANGELOG.md} "$root/app/"
find "$root/app/dist" -name '*.map' -delete
install -m 755 "$source/deploy/docent" "$root/app/deploy/docent"
ln -s /app/deploy/docent "$root/usr/local/bin/docent"

size=$(du --summarize --bytes "$root" | cut -f1)
printf '%s bytes: root file system\n' "$size"
du --summarize --bytes "$root/app" "$root/usr/local/bin/node"
[ "$size" -le $limit ] || { echo "The image has $size bytes, more than $limit." >&2; exit 1; }

umoci init --layout "$folder/image"
umoci new --image "$folder/image:docent"
umoci config --image "$folder/image:docent" --config.user "$user:$user" --config.workingdir /data \
  --config.entrypoint docent --config.cmd serve --config.volume /data --config.exposedports 8787 \
  --config.env PATH=/usr/local/bin:/usr/bin:/bin --config.env NODE_ENV=production --config.env DOCENT_HOST=0.0.0.0 \
  --config.env DOCENT_DATA_DIR=/data --config.env NODE_COMPILE_CACHE=/tmp/compiled
umoci insert --image "$folder/image:docent" "$root" /
du --summarize --bytes "$folder/image"

# A namespace with this root, read-only but for /data and /tmp, a network of its own, and the user of the image.
cat > "$folder/try.sh" <<'TRY'
set -e
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
mount -t tmpfs data "$1/data" -o "uid=$2,gid=$2" && mount -t tmpfs tmp "$1/tmp" && mount -t proc proc "$1/proc"
ip link set lo up
exec chroot --userspec="$2:$2" "$1" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp NODE_ENV=production \
  DOCENT_DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled sh -ec '
    docent --version
    docent serve > /tmp/out 2> /tmp/log & service=$!
    for _ in $(seq 100); do grep -q ready /tmp/out && break; sleep 0.2; done
    cat /tmp/out
    wget -q -O - http://127.0.0.1:8787/healthz && echo
    if touch /app/x 2>/dev/null; then echo "The root is writable." >&2; exit 1; fi
    kill $service && wait $service'
TRY
unshare --mount --net --pid --fork --mount-proc bash "$folder/try.sh" "$root" $user
