#!/bin/sh
# accuracy-dvm.sh: the predictor of the DVM system ($DVM_PREDICTOR) on the traces of accuracy.sh, as
# they were recorded and with the recorder's clamp undone, for two processors with the startup and
# the time of a byte of machines/two-cores.xml; medians of three traces. Prints
#   PROGRAM STATISTICS MEASURED RECORDED DECODED, in seconds
# Needs ../shared/traces/dvm/2026-11.
# SPDX-License-Identifier: MIT
set -u
traces=$(realpath -m "${PREDICTOR_SHARED:-../shared}/traces/dvm/2026-11")
predictor=${DVM_PREDICTOR:-}
export LC_ALL=C

if [ ! -f "$traces/measured.tsv" ] || [ ! -x "$predictor" ]; then
  echo "accuracy-dvm: skipped, $traces/measured.tsv or \$DVM_PREDICTOR is absent" >&2
  exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
cat >cluster.par <<END
cluster = c;
search = 0;
c = {2 x p};
c.CommType = myrinet (1);
c.TStart = 0.415;
c.TByte = 0.00006;
p = 1.00;
END

# docs/models.md, "Times that the recorder clamped": a line of 1 us is 0; the record after L of them
# has s us too much, the least s of the parity of L with which it is a multiple of q
decode () {
  awk '
    function is_multiple (t,   rest) {
      rest = t - int(t / q + .5) * q
      return t > -1e-9 && rest < 6e-9 && rest > -6e-9
    }
    BEGIN { q = 2 ^ -22 }
    match($0, /TIME=[0-9.]+/) {
      text = substr($0, RSTART + 5, RLENGTH - 5); time = text + 0
      if (text == "0.00000100") { n++; time = 0 }
      else {
        for (s = n % 2; s <= n && n > 0; s += 2)
          if (is_multiple(text - s * 1e-6)) { time = text - s * 1e-6; break }
        n = 0
      }
      $0 = substr($0, 1, RSTART + 4) sprintf("%.8f", time) substr($0, RSTART + RLENGTH)
    }
    { print }' "$1"
}

# predict TRACE: seconds; a grid of one dimension, else of two
predict () {
  rm -f page.html
  # shellcheck disable=SC2086 # the extents of a grid
  for grid in 2 "2 1"; do
    [ -s page.html ] || "$predictor" cluster.par "$1" page.html $grid >log 2>&1
  done
  sed 's/<[^>]*>/ /g' page.html | tr '\n' ' ' | grep -o 'Execution time  *[0-9.]*' | sed 's!.* !!; q'
}

awk -F'\t' '$2 == 2 && $3 == "untraced" { print $1, "off", "tracens", $5 }
  $2 == 2 && $3 == "stat" { print $1, "on", "trace", $5 }' "$traces/measured.tsv" |
  while read -r name statistics kind measured; do
    rm -f recorded decoded
    for i in 0 1 2; do
      gzip -dc "$traces/${name}_${kind}_$i.ptr.gz" >trace.ptr
      decode trace.ptr >clean.ptr
      predict trace.ptr >>recorded
      predict clean.ptr >>decoded
    done
    echo "$name $statistics $measured $(sort -n recorded | sed -n 2p) $(sort -n decoded | sed -n 2p)"
  done
