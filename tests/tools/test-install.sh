#!/bin/sh
# The installed product: make install and uninstall, the ComSys library from outside (shared and
# static, by pkg-config), what it exports, every installed program, and where they look for things.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
version=$(sed -n 's/^VERSION := //p' Makefile)
cc=${CC:-cc}
# objects of one kind are linked with each other only
sanitize=${SANITIZE:-}
case $build in
*-address-undefined*) sanitize=address,undefined ;;
esac
instrument=${sanitize:+-fsanitize=$sanitize}
prefix=$work/usr

# What has been built already, in a folder of its own: another prefix is for other tests to stay away from.
mkdir "$work/build"
(cd "$build" && find . -mindepth 1 -maxdepth 1 ! -name tests ! -name bench ! -name deb ! -name chroot ! -name fresh -exec cp -a {} "$work/build/" \;)

# install ARGUMENTS...: says how many files it compiled.
install () {
  make INSTALL_DEPS=no BUILD="$work/build" SANITIZE="$sanitize" PREFIX="$prefix" DESTDIR= "$@" >"$work/said" 2>&1
}

install install
result $? /install/install "$(tail -n 5 "$work/said")"
compiled=$(grep -c '^  CC ' "$work/said")
[ "$compiled" -gt 0 ] && [ "$compiled" -lt 80 ]
result $? /install/only-what-has-the-prefix "$compiled files compiled"
install install
! grep -q -e '^  CC ' -e '^  LD ' "$work/said"
result $? /install/twice-makes-nothing "$(grep -e '^  CC ' -e '^  LD ' "$work/said" | head -n 3)"

# ---- what is there

lost=$(for f in bin/predictor lib/predictor/predictor-fit lib/libpredictor-comsys.a lib/libpredictor-comsys.so lib/libpredictor-comsys.so.0 \
  lib/pkgconfig/predictor-comsys.pc include/predictor/comsys/pd-comsys.h include/predictor/base/pd-time.h \
  share/bash-completion/completions/predictor share/zsh/site-functions/_predictor share/fish/vendor_completions.d/predictor.fish share/doc/predictor/LICENSE share/doc/predictor/README.md share/doc/predictor/CHANGELOG.md \
  share/doc/predictor/examples/comsys-pingpong.c share/doc/predictor/examples/mpi/halo.c share/man/man3/predictor-comsys.3; do
  [ -s "$prefix/$f" ] || echo "$f"
done
for f in machines/*.xml schemas/*; do cmp -s "$f" "$prefix/share/predictor/$f" || echo "$f"; done
for f in man/*.[135]; do cmp -s "$f" "$prefix/share/man/man${f##*.}/${f#man/}" || echo "$f"; done
for f in docs/*; do [ -e "$prefix/share/doc/predictor/$f" ] || echo "$f"; done)
[ -z "$lost" ]
result $? /install/complete "not there: $lost"
odd=$(find "$prefix" -name '*private*' -o -name '*.o' -o ! -perm -o=r ! -type l)
[ -z "$odd" ]
result $? /install/nothing-else "$odd"

# ---- every program

for p in "$prefix"/bin/*; do
  name=${p##*/}
  (cd / && "$p" --version) >"$work/out" 2>"$work/errors" && head -n 1 "$work/out" | grep -qx "${name%%.*} $version\( (.*)\)\{0,1\}" &&
    grep -q -i '^licence: ' "$work/out" && [ ! -s "$work/errors" ]
  result $? "/install/version/$name" "$(cat "$work/out" "$work/errors")"
  (cd / && "$p" --help) >"$work/out" 2>"$work/errors" && grep -q '^Usage: ' "$work/out"
  result $? "/install/help/$name" "$(cat "$work/errors")"
done
"$prefix/lib/predictor/predictor-fit" --version | grep -qx "predictor-fit $version"
result $? /install/version/predictor-fit

# ---- which find what has been installed with them, wherever they are called

mkdir "$work/here"
trace=$prefix/share/doc/predictor/examples/heat2d.ptr.gz
(cd "$work/here" && env -u PREDICTOR_DATADIR -u PREDICTOR_MACHINES "$prefix/bin/predictor" run "$trace" -m mvs1000 -n 1,4 -q --check) 2>"$work/errors"
result $? /install/machine-by-name "$(cat "$work/errors")"
cp tests/data/measure-*.csv "$work/here"
(cd "$work/here" && "$prefix/bin/predictor" machine fit measure-transfer.csv measure-sendrecv.csv measure-collective.csv -o m.xml) >/dev/null 2>"$work/errors"
result $? /install/fitting-program "$(cat "$work/errors")"
if [ -e "$prefix/bin/predictor-measure" ]; then
  mpi=$(readlink "$prefix/bin/predictor-measure")
  cmp -s "$prefix/lib/predictor/libpredictor-record.so" "$prefix/lib/predictor/libpredictor-record.${mpi##*.}.so" && [ -x "$prefix/bin/predictor-mpi.${mpi##*.}" ] &&
    strings "$prefix/bin/predictor" | grep -qx "$prefix/lib/predictor"
  result $? /install/recorder
else
  skip /install/recorder "there is no MPI"
fi
bash -c '. "$1"; complete -p predictor' - "$prefix/share/bash-completion/completions/predictor" >"$work/out" 2>&1
result $? /install/completion "$(cat "$work/out")"
for page in "$prefix"/share/man/man*/*; do
  if command -v mandoc >/dev/null; then mandoc -T utf8 "$page"; else man -l "$page"; fi >"$work/out" 2>"$work/errors" && [ "$(wc -l <"$work/out")" -gt 20 ] && [ ! -s "$work/errors" ]
  result $? "/install/man/${page##*/}" "$(cat "$work/errors")"
done

# ---- the library, from outside

PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion predictor-comsys)" = "$version" ]
result $? /install/pkg-config/version
pkg-config --static --libs predictor-comsys | grep -q -e '-ldl.*-lm' && ! pkg-config --libs predictor-comsys | grep -q -e '-ldl'
result $? /install/pkg-config/static "$(pkg-config --static --libs predictor-comsys)"

sed -n '/^\.Sh EXAMPLES/,$p' man/predictor-comsys.3 |
  sed -n '/^\.Bd -literal$/,/^\.Ed/p' | sed '1d;$d; s/^\\&//; s/\\e/\\/g' >"$work/here/comsys-pingpong.c"
command=$(mandoc -T ascii -O width=200 man/predictor-comsys.3 2>/dev/null | sed 's/.\x08//g' | sed -n '/^EXAMPLES/,/^SEE/s/^ *cc //p')
[ -n "$command" ] && (cd "$work/here" && eval "$cc -std=c17 -Wall -Wextra -Werror $instrument $command") >"$work/out" 2>&1
result $? /install/shared/as-the-man-page-says "$command: $(cat "$work/out")"
LD_LIBRARY_PATH=$prefix/lib "$work/here/comsys-pingpong" | cmp - tests/data/comsys-pingpong.expected
result $? /install/shared/runs
LD_LIBRARY_PATH=$prefix/lib ldd "$work/here/comsys-pingpong" | grep -q "libpredictor-comsys.so.0 => $prefix"
result $? /install/shared/is-used

# the flags may contain what only a shell takes apart
flags=$(pkg-config --cflags predictor-comsys)
static=$(pkg-config --static --libs predictor-comsys | sed 's/-lpredictor-comsys/-Wl,-Bstatic & -Wl,-Bdynamic/')
$cc -std=c17 $instrument "$prefix/share/doc/predictor/examples/comsys-pingpong.c" -o "$work/static" $flags $static >"$work/out" 2>&1 &&
  "$work/static" | cmp - tests/data/comsys-pingpong.expected && ! ldd "$work/static" | grep -q predictor
result $? /install/static/runs "$(cat "$work/out")"

# each header by itself, by both of its names, for C and for C++
only=$(pkg-config --cflags glib-2.0)
for h in $(cd "$prefix/include" && find predictor -name '*.h' | sort); do
  echo "#include <$h>" >"$work/long.c"
  echo "#include \"${h#predictor/}\"" >"$work/short.c"
  cp "$work/long.c" "$work/long.cc"
  $cc -std=c11 -Wall -Werror -fsyntax-only -I"$prefix/include" $only "$work/long.c" >"$work/out" 2>&1 &&
    $cc -std=c17 -Wall -Werror -fsyntax-only $flags "$work/short.c" >>"$work/out" 2>&1 &&
    { ! command -v c++ >/dev/null || c++ -fsyntax-only $flags "$work/long.cc" >>"$work/out" 2>&1; }
  result $? "/install/header/${h#predictor/}" "$(head -n 5 "$work/out")"
done

# ---- what it exports: what the headers document (and _ref and _unref, which need no words), no more

cat "$prefix"/include/predictor/*/*.h >"$work/headers"
{
  sed -n 's/^ \* \(pd_[a-z0-9_]*\):$/\1/p' "$work/headers"
  grep -oE '\bpd_[a-z0-9_]+_(ref|unref) \(' "$work/headers" | sed 's/ (//'
} | sort -u >"$work/documented"
grep -oE '^static .*\bpd_[a-z0-9_]+ \(|^(pd_[a-z0-9_]+) \(.*\)$' "$work/headers" | grep -oE 'pd_[a-z0-9_]+ \(' | sed 's/ (//' | sort -u >"$work/inline"
comm -23 "$work/documented" "$work/inline" >"$work/wanted"
nm -D --defined-only "$prefix/lib/libpredictor-comsys.so.0" | awk '$2 != "A" { print $3 }' >"$work/symbols"
sed -n 's/@@PREDICTOR_COMSYS_0$//p' "$work/symbols" | sort -u >"$work/exported"
diff "$work/wanted" "$work/exported" >"$work/out" && [ "$(wc -l <"$work/exported")" -gt 150 ]
result $? /install/exported/all "$(cat "$work/out")"
! grep -v '@@PREDICTOR_COMSYS_0$' "$work/symbols" >"$work/out"
result $? /install/exported/nothing-else "$(head "$work/out")"
readelf -d "$prefix/lib/libpredictor-comsys.so.0" >"$work/dynamic"
grep -q 'SONAME.*\[libpredictor-comsys.so.0\]' "$work/dynamic"
result $? /install/soname
odd=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$work/dynamic" | grep -v -e '^libglib-2.0' -e '^libc\.' -e '^libm\.' -e '^lib[abltu]*san' -e '^ld-')
[ -z "$odd" ]
result $? /install/needed "$odd"

# ---- DESTDIR: the same files elsewhere, which do not know it

install install DESTDIR="$work/stage"
result $? /install/stage "$(tail -n 5 "$work/said")"
(cd "$prefix" && find . | sort) >"$work/a"
(cd "$work/stage$prefix" && find . | sort) >"$work/b"
cmp -s "$work/a" "$work/b" && ! grep -rl "$work/stage" "$work/stage" >"$work/out"
result $? /install/stage-same "$(diff "$work/a" "$work/b"; cat "$work/out")"

# ---- uninstall: nothing of it stays, nothing else goes

echo other >"$prefix/bin/other"
install uninstall
result $? /install/uninstall "$(tail -n 5 "$work/said")"
[ "$(find "$prefix" ! -type d)" = "$prefix/bin/other" ] && [ -z "$(find "$prefix" -type d -name '*predictor*')" ]
result $? /install/uninstalled "$(find "$prefix" ! -type d; find "$prefix" -type d -name '*predictor*')"

# ---- into a folder whose name has a space

install install DESTDIR="$work/spaced stage"
[ -s "$work/spaced stage$prefix/bin/predictor" ] && [ -s "$work/spaced stage$prefix/include/predictor/base/pd-time.h" ] && [ ! -e "$work/spaced" ]
result $? /install/spaces "$(tail -n 5 "$work/said")"
install uninstall DESTDIR="$work/spaced stage"
[ -z "$(find "$work/spaced stage" ! -type d)" ]
result $? /install/spaces-uninstalled "$(find "$work/spaced stage" ! -type d)"

# ---- the chart library that is here is kept where there is no network, unless another one is pinned

mkdir -p "$work/tree/tools" "$work/tree/reports/page" "$work/nothing"
cp tools/fetch-charts "$work/tree/tools" && cp reports/page/package*.json "$work/tree/reports/page"
for c in sh dirname mkdir mktemp rm cat cksum touch sed base64 od tr cut mv cp; do ln -s "$(command -v $c)" "$work/nothing/$c"; done
fetch () { PATH=$work/nothing "$work/nothing/sh" "$work/tree/tools/fetch-charts" "$work/charts" 2>"$work/errors"; }
fetch && [ -e "$work/charts/echarts.min.js" ] && [ ! -s "$work/charts/echarts.min.js" ] && grep -q 'no charts' "$work/errors"
result $? /install/charts/none "$(cat "$work/errors")"
echo library >"$work/charts/echarts.min.js"
touch -d 1970-01-02 "$work/charts/echarts.min.js"
fetch && [ "$(cat "$work/charts/echarts.min.js")" = library ] && [ ! -s "$work/errors" ] \
  && [ "$work/charts/echarts.min.js" -nt "$work/tree/tools/fetch-charts" ]
result $? /install/charts/kept "$(cat "$work/errors")"
sed -i 's/sha512-./sha512-x/' "$work/tree/reports/page/package-lock.json"
fetch && [ ! -s "$work/charts/echarts.min.js" ]
result $? /install/charts/another "$(cat "$work/errors")"

# ---- without MPI: no program of it, and the others say so

install install RECORD_MPIS= DESTDIR="$work/plain" LIBDIR="$prefix/lib64"
result $? /install/no-mpi "$(tail -n 5 "$work/said")"
plain=$work/plain$prefix
[ "$(ls "$plain/bin")" = predictor ] && [ -s "$plain/lib64/libpredictor-comsys.so.0" ] && [ ! -e "$plain/lib" ] &&
  ! find "$plain" -name '*record*.so' | grep -q . && "$plain/bin/predictor" --version | grep -q 'MPI.*: none$' &&
  grep -q '^libdir=${prefix}/lib64$' "$plain/lib64/pkgconfig/predictor-comsys.pc"
result $? /install/no-mpi-programs "$(find "$plain" -name '*mpi*' ! -path '*/doc/*')"

# ---- versions agree

first=$(sed -n 's/^## \[\([0-9.]*\)\] - [0-9-]*$/\1/p' CHANGELOG.md | head -n 1)
[ "$first" = "$version" ]
result $? /install/changelog "CHANGELOG.md begins with $first, not $version"
first=$(sed -n '1s/^predictor (\([0-9.]*\)).*/\1/p' debian/changelog)
[ "$first" = "$version" ]
result $? /install/debian-changelog "debian/changelog begins with $first, not $version"
grep -qx "libpredictor-comsys.so.*" debian/libpredictor-comsys0.install || grep -q 'libpredictor-comsys\.so\.0$' debian/libpredictor-comsys0.install
result $? /install/debian-soname

tap_done
