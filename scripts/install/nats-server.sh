#!/bin/sh
# Prints the path of a nats-server, which it takes from Debian and keeps in the user's cache; the
# system stays as it is. Fails where that cannot be done. Bookworm's is too old: it lets one stopped
# subscriber stall all publishers.
set -eu
release=trixie
version=2.10.27
cache=${XDG_CACHE_HOME:-$HOME/.cache}/orrery/nats-server-$version
server=$cache/usr/sbin/nats-server
keys=/usr/share/keyrings/debian-archive-keyring.gpg
if ! [ -x "$server" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/unpacked"
  # From where this system has its own packages.
  debian=$(apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/$')
  echo "deb [signed-by=$keys] $debian $release main" >"$work/sources.list"
  # Root gives up its rights for a download, and then could not write here.
  set -- -qq -o Acquire::Languages=none -o APT::Sandbox::User=root \
    -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work" -o Dir::Cache::Archives="$work/archives"
  cd "$work"
  timeout 60 apt-get "$@" update >&2
  timeout 60 apt-get "$@" download "nats-server=$version*" >&2
  dpkg-deb -x nats-server_*.deb unpacked
  mkdir -p "$(dirname "$cache")"
  # Another run may have been faster.
  mv unpacked "$cache" 2>/dev/null || [ -x "$server" ]
fi
echo "$server"
