#!/bin/sh
# Pages in a real browser, driven over a pipe by tests/browser/*.mjs: nothing complained of or
# asked for, charts with the right number of marks, trees, sorting, keyboard, looks, print.
# CHROMIUM and NODE name other programs than chromium and node. KEEP=FOLDER keeps the pages there.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
data=$PWD/tests/data
scripts=$PWD/tests/browser
shared=${PREDICTOR_SHARED:-$PWD/../shared}
node=${NODE:-node}
[ -n "${CHROMIUM:-}" ] || CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || echo chromium)
export CHROMIUM LC_ALL=C SOURCE_DATE_EPOCH=0 PREDICTOR_DATADIR="$PWD"

skip_all () {
  skip /page/browser "$1"
  tap_done
  exit
}
command -v "$CHROMIUM" >/dev/null 2>&1 || skip_all "chromium is absent"
command -v "$node" >/dev/null 2>&1 || skip_all "node is absent"
"$node" -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || skip_all "node is older than 18"

scratch=${KEEP:-$(mktemp -d)} || exit 1
mkdir -p "$scratch"
[ -n "${KEEP:-}" ] || cd "$scratch" || exit 1

# make_page NAME COMMAND...: NAME.html and NAME.json
make_page () {
  name=$1
  shift
  "$@" --html "$name.html" >"$name.json" 2>stderr && [ -s "$name.html" ]
  result $? "/page/$name/made" "$(cat stderr)"
}

# Four ranks in a ring, two thousand times round: too many slices to be shown one by one.
awk 'BEGIN {
  for (rank = 0; rank < 4; rank++) {
    for (turn = 0; turn < 2000; turn++) {
      print rank, "compute", 1e6 * (1 + (rank + turn) % 3)
      print rank, "isend", (rank + 1) % 4, turn % 7, 1024 * (1 + 200 * (rank == 2))
      print rank, "recv", (rank + 3) % 4, turn % 7, 1024 * (1 + 200 * (rank == 3))
      print rank, "wait", rank, (rank + 1) % 4, turn % 7
    }
    print rank, "barrier"
  }
}' >rounds.ti

echo 40 >samples.json
make_page several "$program" run "$data/heat2d_600.ptr.gz" -m "$data/machine-noise.xml" -n 1,2x2,4x4 --pop --samples 40 --sensitivity --json
make_page messages "$program" run "$data/ring.ti" -m example-cluster --json --timeline messages-events.json
make_page bins "$program" run rounds.ti -m example-cluster --json --timeline bins-events.json
make_page analysed "$program" analyse "$data/imbalance.txt" -o analysed.txt
sed 's/compute 50ms/compute 20ms/; s/compute 20ms/compute 30ms/' "$data/imbalance.txt" >other.txt
make_page compared "$program" compare "$data/imbalance.txt" other.txt -o compared.txt
make_page recorded "$program" run "$data/imbalance.txt" -m example-cluster --reproduce --json
make_page large "$program" run "$data/heat2d_600.ptr.gz" -m myrinet:startup=7us,per-byte=1ns -n 256x256 --json
"$program" sweep "$data/heat2d_600.ptr.gz" -m mvs1000 --vary procs=1,2,4,2x2,3x2 --vary network/startup=1us,10us,100us \
  --vary map=block,cyclic --db s.sqlite -q 2>stderr
make_page study "$program" report s.sqlite -o study.txt
for n in 4 8 16; do awk -v pattern=line -v n=$n -v px=$n -v py=1 -v pz=1 -f "$scripts/../scale/patterns.awk" >line.$n.ti; done
make_page model "$program" scale line.4.ti line.8.ti line.16.ti -n 16,64,256 -m mvs1000 --json
# as where the library could not be fetched
"$node" -e '
  const fs = require("fs"), page = fs.readFileSync("several.html", "utf8");
  const at = page.indexOf("<!-- Charts: Apache ECharts"), end = page.indexOf("</script>", page.indexOf("<script>", at)) + 9;
  if (at > 0) fs.writeFileSync("plain.html", page.slice(0, at) + page.slice(end));
  else fs.copyFileSync("several.html", "plain.html");'
result $? /page/plain/made

"$node" "$scripts/test-page.mjs" "$scratch" >said 2>stderr
status=$?
tab=$(printf '\t')
while IFS=$tab read -r what name; do
  case $what in
  ok) result 0 "$name" ;;
  "not ok") result 1 "$name" ;;
  *) echo "$what" ;;
  esac
done <said
[ "$status" = 0 ] && grep -q /page/study/quiet said
result $? /page/all-tried "$(cat stderr)"
tap_done
