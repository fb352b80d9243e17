#!/bin/sh
# predictor scale from outside: programs of known structure, each made of recordings on three small
# numbers of ranks, are equal to what the program does on a greater number; what no rule explains is
# refused; bad input.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/scale
patterns=$PWD/tests/scale/patterns.awk data=$PWD/tests/data
sort=$PWD/tests/scale/sort.awk
cd "$scratch" || exit 1

# generate PATTERN SIZES: "8", "4x3", "2x2x2"
generate () {
  echo "$2" | tr x ' ' >sizes
  read -r px py pz <sizes
  awk -v pattern="$1" -v n=$((px * ${py:-1} * ${pz:-1})) -v px="$px" -v py="${py:-1}" -v pz="${pz:-1}" -f "$patterns" >"$1.$2.ti"
}

# equal PATTERN TARGET SIZES...: what is made is what there is
equal () {
  pattern=$1 target=$2 files=
  shift 2
  for size; do
    generate "$pattern" "$size"
    files="$files $pattern.$size.ti"
  done
  generate "$pattern" "$target"
  rm -f made.ti
  "$program" convert "$pattern.$target.ti" true.ti 2>stderr
  "$program" scale $files -n "$target" --save made.ti -o report 2>stderr && cmp -s true.ti made.ti
  result $? "/scale/equal/$pattern" "$(cat stderr) $(diff true.ti made.ti | head -n 6)"
}

equal ring 64 4 8 16
equal line 64 4 8 16
equal collectives 64 4 8 16
equal halo2d 16x8 3x3 4x3 4x4
equal torus2d 8x8 3x3 4x4 5x4
equal halo3d 4x4x4 2x2x2 3x2x2 3x3x3
equal wavefront 8x8 2x2 3x3 4x3
equal transpose 8x8 2x2 3x3 4x4
equal butterfly 64 4 8 16
equal doubling 64 4 8 16
equal everyone 40 4 8 16
equal binomial 64 4 8 16
equal multigrid 8x8 2x2 3x3 4x4
equal shrinking 16x8 2x2 4x2 4x4 8x4
# ranks inside were recorded on a square only: other ranks say which size of the grid a message is about
has single 0 'give all 6160 calls on 32 ranks' "$program" scale shrinking.2x2.ti shrinking.4x2.ti shrinking.4x4.ti shrinking.8x4.ti
# one round on the smallest number of ranks is a loop, too; so is one that ends a step
equal tail 64 2 4 8
equal tail 32 4 8 16
# leaves of a tree that is not full
equal binomial 100 4 9 16 25
equal faces3d 5x4x3 3x2x2 3x3x2 3x3x3 4x3x3 4x4x3
equal rim 8x8 2x2 4x2 4x4
equal cells 8x8 2x2 3x3 4x4 5x5
equal rows 4x8 2x2 2x4 4x4
equal halves 16x16 2x2 4x4 8x8
equal cannon 8x8 2x2 3x3 4x4
# classes of a line: halves, groups of a fixed number of ranks, the first two and the last two
equal servers 64 4 8 16
equal nodes 64 8 16 32
equal far 64 4 8 16
equal oddeven 64 4 8 16
equal dealt 40 4 8 16
equal torus2d 8x8 4x4 8x4 4x2

# traces of others, on two numbers of ranks: what they do is known, so that others can be made
equal jacobi2d 32x32 8x8 16x16
# blocks of edges that are not divided evenly there: both ends of a message have the same one
equal jacobi2d 10x10 8x8 16x16
equal jacobi2d 20x5 8x8 16x16
equal jacobi2d 16x8 8x8 16x16
# a block of 16 pieces of 4 KiB leaves half of 32 ranks without one, and is no doubt; 10 ranks do not
# share an edge evenly: the doubt is real
"$program" scale jacobi2d.8x8.ti jacobi2d.16x16.ti -n 32x32 >report 2>stderr && ! grep -q 'scale-ambiguous' stderr
result $? /scale/ambiguous/no-exhausted-block "$(cat stderr)"
has ambiguous/uneven-edge 0 'scale-ambiguous' "$program" scale jacobi2d.8x8.ti jacobi2d.16x16.ti -n 10x10
for n in 64 256; do
  trace=$shared/traces/ti/jacobi2d.$n.ti.gz
  if [ ! -e "$trace" ]; then
    skip "/scale/jacobi2d/$n" '../shared is absent'
    continue
  fi
  [ $n = 64 ] && size=8x8 || size=16x16
  "$program" convert "$trace" there.ti 2>stderr && "$program" convert "jacobi2d.$size.ti" here.ti 2>>stderr && cmp -s there.ti here.ti
  result $? "/scale/jacobi2d/$n" "$(cat stderr) $(diff there.ti here.ti | head -n 6)"
done

# computation that differs each time: with loops, which take samples, it is what it is without, where
# tags tell repetitions apart
make_uneven () {
  for n in 4 8 16; do awk -v pattern=uneven -v turns="$1" -v n=$n -v px=$n -f "$patterns" >"uneven.$n.ti"; done
  "$program" scale uneven.4.ti uneven.8.ti uneven.16.ti -n 32 --save made.ti -o report 2>stderr
  awk '$2 == "irecv" || $2 == "isend" { $4 = "-" } { print }' made.ti
}
make_uneven '' >loops.ti
make_uneven yes >flat.ti
grep -q ' isend .* 8 4096 ' made.ti && [ "$(grep -c compute loops.ti)" -eq $((32 * 9 * 4)) ] && cmp -s loops.ti flat.ti \
  && [ "$(grep '^0 compute' loops.ti | sort -u | wc -l)" -gt 9 ]
result $? /scale/samples "$(cat stderr) $(diff loops.ti flat.ti | head -n 6)"

scale () { "$program" scale "$@"; }
for n in 4 8 16; do generate scattered $n; done

# what the largest recording says of the smaller ones
has validated 0 'rules of the smaller recordings give all 480 calls on 16 ranks' scale ring.4.ti ring.8.ti ring.16.ti -n 64
has unproved 0 '[scale-unproved]' scale ring.4.ti ring.16.ti -n 64
has order 0 '        64  ' scale ring.16.ti ring.4.ti ring.8.ti -n 64,128
has model 0 'partner=(rank + 1) mod n bytes=4096' scale ring.4.ti ring.8.ti ring.16.ti --model
has validation 0 'partners         320         320   100.0' scale ring.4.ti ring.8.ti ring.16.ti -n 64
has validation/bytes 0 'bytes        1310720     1310720   100.0' scale ring.4.ti ring.8.ti ring.16.ti -n 64
# of a text form with intervals: two sizes do not suffice, the third one is validated by interval
for n in 2 4 8; do
  awk -v n=$n 'BEGIN {
    print "predictor-trace 1"; print "ranks " n
    for (r = 0; r < n; r++) {
      print "rank " r " {"; print "compute " 8 / n "ms"; print "enter \"steps\""
      for (i = 0; i < 3; i++) { print "isend " (r + 1) % n " 100 request=r"; print "recv " (r + n - 1) % n " 100"; print "waitall"; print "compute " 16 / n "ms" }
      print "leave \"steps\""; print "}"
    }
  }' >steps.$n.txt
done
has validation/interval 0 '  steps' scale steps.2.txt steps.4.txt steps.8.txt -n 16
scale steps.2.txt steps.4.txt steps.8.txt -n 16 --model --json >model.json 2>stderr && grep -q '"how": "rule"' model.json && grep -q '"c1": 0.016,' model.json \
  && grep -q '"power": -1,' model.json && grep -q '"name": "steps"' model.json && grep -q '"reproduced": \[' model.json
result $? /scale/model-json "$(cat stderr) $(grep -n '"c[01]"\|power' model.json | head)"
scale steps.2.txt steps.4.txt steps.8.txt -n 16 --json >brief.json 2>stderr && ! grep -q '"places"' brief.json && grep -q '"validated_times"' brief.json
result $? /scale/brief-json "$(cat stderr)"
if command -v xmllint >/dev/null; then
  scale steps.2.txt steps.4.txt steps.8.txt -n 16 --model --xml model.xml -q 2>stderr && xmllint --noout --relaxng "$root/schemas/report.rng" model.xml 2>>stderr
  result $? /scale/model-xml "$(cat stderr)"
else
  skip /scale/model-xml 'no xmllint'
fi
scale steps.2.txt steps.4.txt steps.8.txt -n 16,64 --html page.html -q 2>stderr && grep -q 'Execution time against ranks' page.html && grep -q 'Reproduced exactly' page.html \
  && grep -q 'partner: (rank + 1) mod n' page.html
result $? /scale/page "$(cat stderr)"
# grids that are all squares do not tell one dimension from the other
for n in 3x3 4x4 5x5; do generate halo2d $n; done
has ambiguous 0 'scale-ambiguous' scale halo2d.3x3.ti halo2d.4x4.ti halo2d.5x5.ti -n 9x6

# of 2 x 2 x 2 and 3 x 2 x 2 ranks none is inside, of 3 x 3 x 3 one is
has single 0 'give all 6160 calls on 32 ranks' "$program" scale shrinking.2x2.ti shrinking.4x2.ti shrinking.4x4.ti shrinking.8x4.ti

# measured N SHIFT: a ring, as it is measured: a time may be 0, and requests that are waited for
# together are in the order in which they completed. Two calls of a step differ in their site only.
measured () {
  awk -v n="$1" -v shift="$2" 'BEGIN {
    print "predictor-trace 1\nranks " n "\ncomputation time"
    for (s = 0; s < 2; s++) print "site " s ": \"ring.c\" " 10 + s " \"main\""
    for (r = 0; r < n; r++) {
      print "rank " r " {"
      for (i = 0; i < 6; i++) {
        print "  irecv " (r + n - 1) % n " 64 request=0"
        if ((i + r + shift) % 3) print "  compute 1us"
        print "  isend " (r + 1) % n " 64 request=1"
        print "  waitall " ((i + shift) % 2 ? "0 1" : "1 0")
        print "  local \"MPI_Comm_rank\" 1us"
        print "  allreduce 8 site=0\n  allreduce " 8 * n " site=1"
      }
      print "}"
    }
  }' >"measured.$1.pdt"
}
for n in 4 8 16; do measured $n $n; done
has measured 0 'rules of the smaller recordings give all 480 calls on 16 ranks' scale measured.4.pdt measured.8.pdt measured.16.pdt -n 64

# two programs, each the same on all of its ranks: on 2 x 2 x 1 and 4 x 4 x 4 no rank is at the same
# place of the grid, so that each by itself would be explained
one_call () { awk -v n=$1 -v what="$2" 'BEGIN { for (r = 0; r < n; r++) print r " init\n" r " " what "\n" r " finalize" }' >"one.$1.ti"; }
one_call 4 'bcast 1000 0 6'
one_call 64 barrier
one_call 8 'bcast 1000 0 6'
one_call 16 barrier

# ---- models in files: the same reports but for the names of inputs

rings="ring.4.ti ring.8.ti ring.16.ti"
halos="halo2d.3x3.ti halo2d.4x3.ti halo2d.4x4.ti"
generate halo2d 4x3
"$program" scale $rings --save ring.model -q 2>stderr
"$program" scale $halos --save halo.model -q 2>stderr

# same MODEL "TRACES" OPTIONS...: with the model as with the traces; documents without their inputs and command line
same () {
  model=$1 traces=$2
  shift 2
  scale $traces "$@" >one 2>stderr && scale "$model" "$@" >other 2>>stderr
  status=$?
  for f in one other; do
    grep -v -e 'SHA-256' -e 'predictor scale' -e '<input' -e '"name": .*\.\(ti\|model\)"' -e '"sha256"' $f | sed '/"inputs"/,/\]/d' >$f.rest
  done
  [ $status = 0 ] && [ "$(wc -l <one.rest)" -ge 3 ] && cmp -s one.rest other.rest
  result $? "/scale/model/$name" "$(cat stderr) $(diff one.rest other.rest | head -n 6)"
}

export SOURCE_DATE_EPOCH=0
name=text same ring.model "$rings" -n 64,128
"$program" scale $rings -m mvs1000 --save there.model -q 2>stderr
name=machine same there.model "$rings" -n 64 -m mvs1000
has model/validated 0 'times on mvs1000' scale there.model -n 64
name=rules same halo.model "$halos" -n 9x6 --model
name=json same halo.model "$halos" -n 54 --json
name=xml same halo.model "$halos" -n 54 --xml -
name=csv same halo.model "$halos" -n 54,16x8 --csv -
# other commands take it where they take a trace
"$program" run ring.model -n 64,128 -m mvs1000 >one 2>stderr && scale ring.model -n 64,128 -m mvs1000 >other 2>>stderr
sed -i '/^Command:/d' one other
cmp -s one other && grep -q scale-validated one
result $? /scale/model/run "$(cat stderr) $(diff one other | head -n 6)"
has model/range 0 '90 % range' "$program" run ring.model -n 64 -m mvs1000
has model/timeline 0 '64 ranks' "$program" run ring.model -n 64 -m mvs1000 --timeline timeline.json --per-processor --check
has model/advise 0 '   64    64  ' "$program" advise ring.model -n 64,16,128 -m mvs1000
has model/advise-machines 0 'Least time: ideal' "$program" advise ring.model -n 64,16 -m mvs1000 -m ideal
has model/sweep 0 '9 done' "$program" sweep ring.model --vary procs=8,64,128 --vary network/startup=1us:4us:x2 -m mvs1000 --db sweep.db
point_times () { sqlite3 "$1" "select execution_time_ps from result where node = 0 order by point" 2>>stderr; }
for n in 8 64 128; do
  generate ring $n
  "$program" sweep ring.$n.ti --vary network/startup=1us:4us:x2 -m mvs1000 --db sweep.$n.db -q 2>stderr
  point_times sweep.$n.db
done >other
point_times sweep.db >one
[ "$(wc -l <one)" = 9 ] && cmp -s one other
result $? /scale/model/sweep-times "$(cat stderr) $(diff one other | head -n 6)"
has model/info 0 'ring.16.ti, 16 ranks' "$program" info ring.model
has model/check 0 'ring.model: ok' "$program" check ring.model
refused model/no-ranks 2 'expected numbers of ranks' "$program" run "$PWD/ring.model"
refused model/no-ranks-advise 2 'expected the numbers of ranks' "$program" advise "$PWD/ring.model" -m mvs1000
refused model/no-ranks-sweep 2 'expected numbers of ranks' "$program" sweep "$PWD/ring.model" --vary network/startup=1us:4us:x2 -m mvs1000 --db absent.db
refused model/grid 6 'a grid of 1 dimension, not of 2' "$program" run "$PWD/ring.model" -n 8x8
refused model/grid-advise 6 'a grid of 1 dimension, not of 2' "$program" advise "$PWD/ring.model" -n 8x8,64
refused model/reproduce 2 'no recorded times' "$program" run "$PWD/ring.model" -n 64 --reproduce
refused model/two 2 'several traces are of a DVM program' "$program" run "$PWD/ring.model" "$PWD/ring.model" -n 64
unset SOURCE_DATE_EPOCH
"$program" convert ring.64.ti true.ti 2>stderr
scale ring.model -n 64 --save made.ti -o report 2>stderr && cmp -s true.ti made.ti
result $? /scale/model/program "$(cat stderr)"
scale ring.model --save again.model -q 2>stderr && cmp -s ring.model again.model
result $? /scale/model/again "$(cat stderr)"
gzip -c ring.model >packed.gz
has model/packed 0 '        64  ' scale packed.gz -n 64,128
head -c 300 ring.model >cut.model
refused model/cut 1 'cut or damaged' scale cut.model -n 64
head -c $(($(wc -c <packed.gz) - 9)) packed.gz >cut.gz
refused model/cut-packed 1 'the compressed file is cut' scale cut.gz -n 64
refused model/among 1 'not one of message passing' scale "$PWD/ring.4.ti" "$PWD/ring.model" -n 64

# ---- refused, with a reason: nothing is written

scale_to_file () { scale "$@" --save made.ti -o report; }
generate torus2d 3x3
for n in 2x2 3x2; do generate halo2d $n; done
refused refused/partner 6 'no rule gives the partner or root of MPI_Isend' scale_to_file "$PWD/scattered.4.ti" "$PWD/scattered.8.ti" "$PWD/scattered.16.ti" -n 64
refused refused/calls 6 'calls differ: MPI_Bcast and MPI_Barrier' scale_to_file "$PWD/one.8.ti" "$PWD/one.16.ti" -n 256
refused refused/programs 6 'differ in nothing that tells ranks apart' scale_to_file "$PWD/one.4.ti" "$PWD/one.64.ti" -n 256
refused refused/program 6 'no rule gives the number of repetitions' scale_to_file "$PWD/ring.4.ti" "$PWD/torus2d.3x3.ti" -n 64
refused refused/place 6 'no recorded rank is at such a place' scale_to_file "$PWD/halo2d.2x2.ti" "$PWD/halo2d.3x2.ti" -n 3x3
refused refused/group 6 'rank 68 of 70: no recorded rank is at such a place' scale_to_file "$PWD/nodes.8.ti" "$PWD/nodes.16.ti" "$PWD/nodes.32.ti" -n 70
refused refused/half 6 'gives no number of repetitions' scale_to_file "$PWD/oddeven.4.ti" "$PWD/oddeven.8.ti" "$PWD/oddeven.16.ti" -n 33
refused refused/grid 6 'a grid of 2 dimensions, not of 3' scale_to_file "$PWD/halo3d.2x2x2.ti" "$PWD/halo3d.3x2x2.ti" -n 3x3x3
refused refused/line 6 'a grid of 1 dimension, not of 2' scale_to_file "$PWD/ring.4.ti" "$PWD/ring.8.ti" "$PWD/ring.16.ti" -n 8x8

# ---- approximated, with a warning

# a sort: what a rank sends to another one depends on the keys
sort_keys () { awk -v n="$1" -f "$sort" >"sort.$1.pdt"; }
for n in 4 8 16 32; do sort_keys $n; done
sorts="sort.4.pdt sort.8.pdt sort.16.pdt"
refused near/refused 6 'no rule gives the bytes for each member of MPI_Alltoallv' scale_to_file "$PWD/sort.4.pdt" "$PWD/sort.8.pdt" "$PWD/sort.16.pdt" -n 32
has near/warned 0 'approximated are 100.0 % of the calls and 100.0 % of the bytes' scale $sorts -n 32 --approximate
has near/table 0 'MPI_Alltoallv  bytes for each member  drawn' scale $sorts --approximate
# what is sent is what is received, each time the same, and as much as the program sends on that number of ranks
scale $sorts -n 32 --approximate --save made.pdt -q 2>stderr && scale $sorts --approximate --save sort.model -q 2>>stderr \
  && scale sort.model -n 32 --save again.pdt -q 2>>stderr && "$program" check made.pdt >>stderr 2>&1 && cmp made.pdt again.pdt 2>>stderr
result $? /scale/near/consistent "$(cat stderr)"
bytes_of () { sed -n 's/.*send=\[\([0-9,]*\)\].*/\1/p' "$1" | tr , '\n' | awk '{ sum += $1 } END { print sum }'; }
[ "$(sed -n 's/.*send=//p' made.pdt | sort -u | wc -l)" = 128 ] && awk -v a="$(bytes_of made.pdt)" -v b="$(bytes_of sort.32.pdt)" 'BEGIN { exit !(a > 0.95 * b && a < 1.05 * b) }'
result $? /scale/near/bytes "$(bytes_of made.pdt) $(bytes_of sort.32.pdt)"
has near/model 0 '[scale-approximate]' "$program" run sort.model -n 32 -m mvs1000
if command -v xmllint >/dev/null; then
  scale $sorts --approximate --model --xml near.xml -q 2>stderr && xmllint --noout --relaxng "$root/schemas/report.rng" near.xml 2>>stderr && grep -q 'drawn_bytes="1"' near.xml
  result $? /scale/near/xml "$(cat stderr)"
else
  skip /scale/near/xml 'no xmllint'
fi
scale $sorts --approximate --html near.html --json >near.json 2>stderr && grep -q 'No rule explains' near.html && grep -q '"approximated_calls": 1' near.json
result $? /scale/near/page "$(cat stderr)"
# partners that are drawn: all of them are ranks, and who receives is who was sent to
for n in 4 8 16; do
  awk -v n=$n 'BEGIN { print "predictor-trace 1\nranks " n; for (r = 0; r < n; r++) { print "rank " r " {"; for (i = 0; i < 70; i++) { s = (i * i * 7919 + n * 31) % 1009 % n; print "  sendrecv " (r + s) % n " 8 from=" (r + n - s) % n " from-bytes=8" }; print "}" } }' >"drawn.$n.pdt"
done
has near/partners 0 'partner or root  nearest' scale drawn.4.pdt drawn.8.pdt drawn.16.pdt -n 32 --approximate
# programs whose approximated ranks would wait for each other for ever: a master and workers, and a chain of ranks in
# another order each time
for n in 3 5 9; do
  awk -v n=$n 'BEGIN {
    print "predictor-trace 1\nranks " n
    for (w = 1; w < n; w++) own[w] = "  recv 0 8 tag=any matched=0:1\n  send 0 8 tag=2\n"
    for (w = 1; w < n; w++) given = given "  send " w " 8 tag=1\n"
    for (i = 0; i < 3 * n; i++) { w = 1 + (i * i * 7919 + n * 31) % 1009 % (n - 1); given = given "  recv any 8 tag=2 matched=" w ":2\n  send " w " 8 tag=1\n"; own[w] = own[w] "  recv 0 8 tag=any matched=0:1\n  send 0 8 tag=2\n" }
    for (w = 1; w < n; w++) given = given "  recv any 8 tag=2 matched=" w ":2\n"
    print "rank 0 {\n" given "}"
    for (w = 1; w < n; w++) print "rank " w " {\n" own[w] "}"
  }' >"workers.$n.pdt"
  awk -v n=$n 'BEGIN {
    print "predictor-trace 1\nranks " n
    for (i = 0; i < 9; i++) {
      for (k = 0; k < n; k++) order[k] = k
      for (k = n - 1; k > 0; k--) { j = (i * i * 7919 + k * 104729 + n * 31) % 1009 % (k + 1); kept = order[k]; order[k] = order[j]; order[j] = kept }
      for (k = 0; k < n; k++) calls[order[k]] = calls[order[k]] (k > 0 ? "  recv " order[k - 1] " 8\n" : "") (k < n - 1 ? "  send " order[k + 1] " 8\n" : "")
    }
    for (r = 0; r < n; r++) print "rank " r " {\n" calls[r] "}"
  }' >"chain.$n.pdt"
done
for name in workers chain; do
  has near/mended-$name 0 '[scale-mended]' scale $name.3.pdt $name.5.pdt $name.9.pdt -n 17 --approximate -m mvs1000
  scale $name.3.pdt $name.5.pdt $name.9.pdt -n 17 --approximate -q --save $name.17.pdt 2>stderr && "$program" check $name.17.pdt >stdout 2>>stderr
  result $? /scale/near/fit-$name "$(cat stdout stderr)"
  # no recording depends on buffered messages: neither does the program
  has near/unbuffered-$name 0 '[scale-mended]' scale $name.3.pdt $name.5.pdt $name.9.pdt -n 17 --approximate -m ideal:eager=none
done
# recordings that do: all send before they receive, and no message is lost for that; a saved model knows it, too
for n in 4 8 16; do
  awk -v n=$n 'BEGIN { print "predictor-trace 1\nranks " n; for (r = 0; r < n; r++) { print "rank " r " {"; for (i = 0; i < 20; i++) { s = (i * i * 7919 + n * 31) % 1009 % n; print "  send " (r + s) % n " 8\n  recv " (r + n - s) % n " 8" }; print "}" } }' >"eager.$n.pdt"
done
eagers="eager.4.pdt eager.8.pdt eager.16.pdt"
scale $eagers --approximate -q --save eager.model 2>stderr && scale eager.model -n 32 -q --save eager.32.pdt 2>>stderr && scale $eagers -n 32 -q --approximate --save direct.32.pdt 2>>stderr \
  && cmp eager.32.pdt direct.32.pdt >>stderr 2>&1 && ! grep -q none eager.32.pdt
result $? /scale/near/buffered "$(cat stderr)"
# nothing is approximated where everything is explained
for with in '' --approximate; do scale $rings -n 64 --save exact$with.ti $with 2>stderr | grep -v '^Command\|^Date' >exact$with.txt; done
cmp -s exact.ti exact--approximate.ti && cmp -s exact.txt exact--approximate.txt
result $? /scale/near/exact "$(cat stderr)"
refused near/of-model 2 'expected traces' scale "$PWD/ring.model" -n 64 --approximate

# ---- bad input

"$program" convert ring.8.ti ring.goal 2>stderr
head -n -4 ring.8.ti >cut.ti
refused bad/one 2 'two traces or more' scale_to_file "$PWD/ring.4.ti"
refused bad/sizes 1 'on at least two numbers of ranks' scale_to_file "$PWD/ring.4.ti" "$PWD/ring.4.ti" -n 8
refused bad/cut 1 'ends early' scale_to_file "$PWD/ring.4.ti" "$PWD/cut.ti" -n 64
refused bad/graph 1 'a graph of dependencies' scale_to_file "$PWD/ring.4.ti" "$PWD/ring.goal" -n 64
refused bad/dvm 1 'DVM' scale_to_file "$PWD/ring.4.ti" "$data/heat2d_600.ptr.gz" -n 64
refused bad/absent 1 'nowhere' scale_to_file "$PWD/ring.4.ti" nowhere -n 64
refused bad/units 1 'in time, another one in operations' scale_to_file "$PWD/ring.4.ti" "$data/imbalance.txt" -n 64
refused bad/count 2 'expected 2 ranks or more' scale_to_file "$PWD/ring.4.ti" "$PWD/ring.8.ti" -n 1
refused bad/counts 2 'one number of ranks' scale_to_file "$PWD/ring.4.ti" "$PWD/ring.8.ti" -n 16,32
refused bad/suffix 2 'expected the suffix of a model' scale "$PWD/ring.4.ti" "$PWD/ring.8.ti" -n 16 --save made.csv
refused bad/over-input 2 'ring.4.ti' scale "$PWD/ring.4.ti" "$PWD/ring.8.ti" -n 16 --save "$PWD/ring.4.ti"

tap_done
