#!/bin/sh
# contrib/: module files name what is installed, and load where there is Lmod; the recipe for Spack is
# Python, and of the program's version and libraries; the image installs what programs need.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/contrib
version=$(sed -n 's/^VERSION := //p' Makefile)

# ---- modules, of a folder that looks like an installation

mkdir -p "$scratch/opt & co/bin" "$scratch/modules/predictor"
ln -s "$program" "$scratch/opt & co/bin/predictor"
refused_module () {
  name=$1 wanted=$2
  shift 2
  sh contrib/modules/make-module "$@" >"$scratch/out" 2>"$scratch/err"
  [ $? = "$wanted" ] && [ ! -s "$scratch/out" ] && [ -s "$scratch/err" ]
  result $? "$area/modules/$name" "$(cat "$scratch/out" "$scratch/err")"
}
refused_module no-form 2
refused_module bad-form 2 csh /usr
refused_module no-prefix 2 lua
refused_module nothing-there 1 lua "$scratch/nowhere"
for form in lua tcl; do
  sh contrib/modules/make-module $form "$scratch/opt & co" >"$scratch/$form" 2>"$scratch/err" &&
    grep -qF "\"$scratch/opt & co\"" "$scratch/$form" && grep -q "$version" "$scratch/$form" && ! grep -q '@[A-Z]*@' "$scratch/$form"
  result $? "$area/modules/$form" "$(cat "$scratch/$form" "$scratch/err")"
done
lmod=/usr/share/lmod/lmod/init/bash
if [ -e $lmod ] && command -v bash >/dev/null; then
  cp "$scratch/lua" "$scratch/modules/predictor/$version.lua"
  bash -c ". $lmod; module use '$scratch/modules'; module load predictor && command -v predictor && module unload predictor && ! command -v predictor" >"$scratch/out" 2>&1
  [ "$(cat "$scratch/out")" = "$scratch/opt & co/bin/predictor" ]
  result $? $area/modules/lmod "$(cat "$scratch/out")"
else
  skip $area/modules/lmod "there is no Lmod"
fi

# ---- Spack

recipe=contrib/spack/packages/predictor/package.py
python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' $recipe 2>"$scratch/err"
result $? $area/spack/syntax "$(cat "$scratch/err")"
grep -q "version(\"$version\")" $recipe && grep -q "predictor-$version.tar.gz" $recipe
result $? $area/spack/version
lost=$(sed -n 's/^PACKAGES := //p' Makefile | tr ' ' '\n' | sed 's/-2\.0$//; s/^gio$/glib/; s/^libxml$/libxml2/; s/^sqlite3$/sqlite/; s/^lib\(dw\|elf\)$/elfutils/; s/^libzstd$/zstd/' |
  while read -r p; do grep -q "depends_on(\"$p" $recipe || echo "$p"; done)
[ -z "$lost" ]
result $? $area/spack/dependencies "not in the recipe: $lost"

tap_done
