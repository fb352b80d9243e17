#!/bin/sh
# The machines that come with the program: each loads, fits the schema, is drawn, and predicts a
# program within a node and between nodes; 'machine list' shows all of each; and where sources are
# stated, no value is without one.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/machines
unset PREDICTOR_MACHINES

names=$(for f in machines/*.xml; do basename "$f" .xml; done)
[ "$(echo "$names" | wc -w)" -ge 20 ]
result $? $area/number "only: $names"

# ---- one by one

# What a message of one byte takes from node to node, by the traces of its two ends.
printf '%s\n' '0 init' '0 send 1 0 1' '0 finalize' '1 init' '1 recv 0 0 1' '1 finalize' >"$scratch/message.ti"

for m in $names; do
  gives "check/$m" 0 "$program" machine check "$m"
  valid "schema/$m" machine "machines/$m.xml"
  has "show/$m" 0 "+- " "$program" machine show "$m"
  case $m in
  two-cores*) # one node
    has "run/$m" 0 Execution_time "$program" run "$scratch/message.ti" -m "$m" --level 0 ;;
  *)
    has "run/$m" 0 Execution_time "$program" run tests/data/ring.ti -m "$m" --level 0
    has "run-across/$m" 0 Execution_time "$program" run tests/data/ring.ti -m "$m" --map per-node:1 --level 0 ;;
  esac
done

# across MACHINE US: the published latency is what is predicted, to 1 %
across () {
  "$program" run "$scratch/message.ti" -m "$1" --map per-node:1 --level 0 2>&1 | sed -n 's/^Execution_time *\([0-9.]*\) .*/\1/p' >"$scratch/time"
  awk -v published="$2" '{ t = 1e6 * $1; ok = t > 0.99 * published && t < 1.01 * published } END { exit !ok }' "$scratch/time"
  result $? "$area/latency/$1" "published: $2 us, predicted: $(cat "$scratch/time") s"
}
across dahu 1.9
across azure-hbv3 1.2
across aws-c5n 15.5
across frontier 2.0
across mira 2.0

# ---- the list

"$program" machine list >"$scratch/list"
python3 - "$scratch/list" machines/*.xml >"$scratch/wrong" <<'END'
import sys
import xml.etree.ElementTree as tree

lines = open(sys.argv[1], encoding="utf-8").read().split("\n")
for path in sys.argv[2:]:
    root = tree.parse(path).getroot()
    name = root.get("name")
    at = [i for i, line in enumerate(lines) if line.split(" ")[0] == name]
    if len(at) != 1:
        print(f"{name}: {len(at)} lines begin with it")
        continue
    words = lines[at[0]].split()
    network = root.find("network")
    kinds = {s.get("kind") for s in root.iter("source")} | ({"fitted"} if root.find("measured") is not None else set())
    order = [k for k in ("measured", "fitted", "specification", "estimate") if k in kinds]
    measured = root.find("measured")
    year = root.get("year") or (measured.get("date")[:4] if measured is not None else "-")
    expected = ["processors", network.get("topology", network.get("type")), year] + (", ".join(order) or "-").split()
    if words[2:] != expected:
        print(f"{name}: {words[2:]}, expected {expected}")
    below = []
    for line in lines[at[0] + 1:]:
        if not line.startswith("    "):
            break
        if len(line) > 78:
            print(f"{name}: {len(line)} characters: {line}")
        below += line.split()
    if below != root.find("description").text.split():
        print(f"{name}: its description is another one")
END
empty list "$scratch/wrong"

# ---- sources

# Names, and what only says how the description is to be read, need none.
python3 - machines/*.xml >"$scratch/wrong" 2>"$scratch/stderr" <<'END'
import sys
import xml.etree.ElementTree as tree

FREE = {"name", "type", "control", "sharing", "speed", "eager"}

def values(element, prefix):
    for name in element.attrib:
        if name not in FREE:
            yield prefix + name
    for child in element:
        yield from values(child, prefix + child.tag + "/")

n = 0
for path in sys.argv[1:]:
    root = tree.parse(path).getroot()
    sources = root.findall("source")
    if not sources:
        continue
    n += 1
    named = [p for s in sources for p in s.get("path").split()]
    given = [v for e in root if e.tag in ("network", "software") for v in values(e, e.tag + "/")]
    for v in given:
        if v not in named:
            print(f"{path}: {v} has no source")
    for p in sorted(named):
        if named.count(p) > 1:
            print(f"{path}: {p} has two sources")
        if p not in given and p.split("/")[-1] not in FREE:
            print(f"{path}: {p} is not given")
    if not root.get("year"):
        print(f"{path}: no year")
if n < 10:
    print(f"only {n} descriptions state their sources")
END
cat "$scratch/stderr" >>"$scratch/wrong"
empty sources "$scratch/wrong"

tap_done
