#!/bin/sh
# Libraries that are loaded when they are needed: one that is missing is an error that names it, and
# other commands do without it.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/libraries

cat >"$scratch/absent.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *
dlopen (const char *file, int mode)
{
  void *(*real) (const char *, int);
  const char *absent = getenv ("ABSENT");

  *(void **) &real = dlsym (RTLD_NEXT, "dlopen");
  return real (file != NULL && absent != NULL && strstr (file, absent) ? "libabsent.so.7" : file, mode);
}
END
${CC:-cc} -shared -fPIC -o "$scratch/absent.so" "$scratch/absent.c" -ldl || exit 1

# without LIBRARY COMMAND...
without () {
  absent=$1
  shift
  env ABSENT="$absent" LD_PRELOAD="$scratch/absent.so" "$@"
}

mkdir "$scratch/here"
cp tests/data/ring.ti "$scratch/here"
cd "$scratch/here" || exit 1
printf '\050\265\057\375' >ring.ti.zst
"$program" run ring.ti -m ideal --db results.sqlite --xml report.xml >/dev/null 2>&1

refused xml/machine 1 libabsent.so.7 without libxml2 "$program" run ring.ti -m gigabit-ethernet
refused xml/report 1 libabsent.so.7 without libxml2 "$program" compare report.xml results.sqlite
refused sqlite/report 1 libabsent.so.7 without libsqlite3 "$program" report results.sqlite
refused sqlite/sweep 1 libabsent.so.7 without libsqlite3 "$program" sweep ring.ti -m gigabit-ethernet \
  --vary network/startup=1us,2us --db study.sqlite
refused zstd/trace 1 'zstd, which decompresses the file, cannot be loaded' without libzstd "$program" run ring.ti.zst -m ideal

# None of them is needed for the shortest way.
ran 0 without lib "$program" run ring.ti -m ideal
told $? none

tap_done
