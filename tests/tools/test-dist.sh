#!/bin/sh
# make dist: the tarball is the same twice, holds what is committed and the chart library, and builds
# in a folder of its own without git, without a network and without anything to download with; its
# pages have charts.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8
version=$(sed -n 's/^VERSION := //p' Makefile)
name=predictor-$version
charts=$([ -s charts/echarts.min.js ] && echo charts || echo build/charts)

if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
  skip /dist "this is not a clone"
  tap_done
  exit
fi

# dist FOLDER CHARTS
dist () {
  BUILD=$1 VERSION=$version CHARTS=$2 sh tools/make-dist >"$work/said" 2>"$work/errors"
}

mkdir "$work/none"
: >"$work/none/echarts.min.js"
! dist "$work/a" "$work/none" && grep -q 'make charts' "$work/errors" && [ ! -e "$work/a/dist/$name.tar.gz" ]
result $? /dist/no-charts "$(cat "$work/said" "$work/errors")"
if [ ! -s $charts/echarts.min.js ]; then
  skip /dist/build "the chart library could not be fetched"
  tap_done
  exit
fi

dist "$work/a" $charts && dist "$work/b" $charts && cmp -s "$work/a/dist/$name.tar.gz" "$work/b/dist/$name.tar.gz" && (cd "$work/a/dist" && sha256sum -c --quiet ./*.sha256)
result $? /dist/same-bytes "$(cat "$work/said" "$work/errors")"

tar -C "$work" -xzf "$work/a/dist/$name.tar.gz"
result $? /dist/unpacked
{ git ls-tree -r --name-only HEAD && printf 'charts/%s\n' LICENSE NOTICE echarts.min.js made-of; } | sort >"$work/wanted"
(cd "$work/$name" && find . ! -type d | sed 's!^\./!!' | sort) >"$work/found"
cmp -s "$work/wanted" "$work/found"
result $? /dist/files "$(diff "$work/wanted" "$work/found" | head)"

# ---- built with what is in the tarball only

mkdir "$work/bin"
for c in git npm curl wget apt-get sudo; do
  printf '#!/bin/sh\necho "%s $*" >>%s/called\nexit 1\n' $c "$work" >"$work/bin/$c"
done
chmod +x "$work/bin"/*
alone=
unshare -rn true 2>/dev/null && alone="unshare -rn"
(cd "$work/$name" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD PATH="$work/bin:$PATH" $alone \
  make -j"$(nproc)" INSTALL_DEPS=no DEVELOPER= OPTIMISE=-O0 CFLAGS=-g0 build/predictor/predictor) >"$work/said" 2>&1
result $? /dist/build "$(tail -n 5 "$work/said")"
[ ! -e "$work/called" ]
result $? /dist/nothing-called "$(cat "$work/called" 2>/dev/null)"
(cd "$work/$name" && build/predictor/predictor --version && build/predictor/predictor run tests/data/heat2d_600.ptr.gz -m mvs1000 -n 1,4 -q --check --html "$work/page.html") >"$work/said" 2>&1
result $? /dist/runs "$(cat "$work/said")"
grep -q '^Charts in pages: yes' "$work/said" && grep -q 'Licensed to the Apache Software Foundation' "$work/page.html"
result $? /dist/charts "$(cat "$work/said")"

tap_done
