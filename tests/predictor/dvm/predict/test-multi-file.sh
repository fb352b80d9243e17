#!/bin/sh
# Runs recorded on several processors, from outside: how their files are named,
# which grid is predicted, and what fails.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/several
cd "$scratch" || exit 1

cp -r "$root/tests/data/heat2d_600_np2" np2
chmod -R u+w np2
first=np2/heat2d0_0.ptr.gz
second=np2/heat2d1_1.ptr.gz

# report NAME ARGUMENTS...: predicts into the file NAME, without the command line.
report () {
  name_=$1
  shift
  "$program" run "$@" >full 2>stderr
  status=$?
  grep -v '^Command:' full >"$name_"
  return $status
}

# ---- what was recorded stands beside the prediction for the same grid, and no other

has recorded 0 "Recorded 0.154492 s; on mvs1000 it takes " "$program" run np2 -m mvs1000
has recorded-one 0 "Recorded 0.0178343 s; on ideal it takes 0.96 times as long" "$program" run "$root/tests/data/heat2d.ptr.gz"
lacks recorded-other 0 "Recorded 0." "$program" run np2 -m mvs1000 -n 2x2
lacks recorded-startup 0 "Recorded 0." "$program" run np2 -m mvs1000 --startup keep

# ---- names

report folder np2
result $? /several/names/folder "$(cat stderr)"
for name in np2/ np2/heat2d $first $second; do
  report other "$name" && sed "s|^Input    np2//|Input    np2/|; s|^         np2//|         np2/|" other | cmp -s - folder
  result $? "/several/names/$(basename "$name")" "$(cat stderr; diff other folder)"
done
grep -q "$first" folder && grep -q "$second" folder
result $? /several/inputs "$(cat folder)"
mkdir alone
cp "$root/tests/data/heat2d_600.ptr.gz" alone
report one alone -n 4 && grep -q '^4 processors' one
result $? /several/names/folder-of-one-trace "$(cat stderr one)"

# ---- grids

grep -q '^2 processors (2x1)' folder && grep -q 'recorded-grid' folder
result $? /several/grid/recorded "$(cat folder)"
report same np2 -n 2 && grep -q 'recorded-grid' same && ! grep -q 'other-grid' same
result $? /several/grid/padded "$(cat stderr same)"
report other np2 -n 1,1x2,4x4,all:6 -m example-cluster --check && grep -q 'other-grid' other \
  && ! grep -q 'recorded-grid' other
result $? /several/grid/others "$(cat stderr other)"
report same np2 --set noise/kind=recorded && cmp -s same folder
result $? /several/grid/own-scatter "$(cat stderr; diff same folder)"
report plain alone -n 4 --set noise/kind=recorded \
  && report observed alone -n 4 --set noise/kind=recorded --log log.txt --timeline log.json && cmp -s plain observed \
  && report other alone -n 4 --set noise/kind=recorded --seed 1 && ! cmp -s plain other
result $? /several/grid/scatter-observed "$(cat stderr; diff plain observed)"
report fast np2 -m two-cores -v --check && report slow np2 -m two-cores -v --check --one-step \
  && cmp -s fast slow
result $? /several/one-step "$(cat stderr; diff fast slow)"

# ---- failures: one line that names what is wrong

mkdir missing merged twice
cp $first missing
refused bad/missing-file 1 heat2d0_0.ptr.gz "$program" run missing
refused bad/missing-file-by-name 1 heat2d0_0.ptr.gz "$program" run missing/heat2d0_0.ptr.gz -n 1
cp $first merged/heat.ptr.gz
refused bad/no-number 1 'run on 2 processors' "$program" run merged/heat.ptr.gz
cp np2/* alone/*.gz twice
refused bad/two-runs 1 'more than one trace' "$program" run twice
refused bad/no-such-prefix 1 np2/cold "$program" run np2/cold
"$program" run - -n 2 <$first >stdout 2>stderr
status=$?
[ $status = 1 ] && grep -qF 'run on 2 processors' stderr
result $? /several/bad/standard-input "$(cat stderr)"

# different sequences of calls: both places are named
mkdir differ
gzip -cd $first >differ/h0_0.ptr
gzip -cd $second | awk '/^call_strtsh_/ { n++ } n == 1 { sub ("_strtsh_", "_begbl_ ") } { print }' >differ/h1_1.ptr
line=$(grep -n '^call_begbl_' differ/h1_1.ptr | sed -n '2s/:.*//p')
refused bad/sequence-first 1 'differ/h0_0.ptr:' "$program" run differ
refused bad/sequence-second 1 "differ/h1_1.ptr:$line" "$program" run differ

# ---- a file that ends early

for which in 0 1; do
  rm -rf cut
  mkdir cut
  gzip -cd $first >cut/h0_0.ptr
  gzip -cd $second >cut/h1_1.ptr
  head -n 1500 cut/h${which}_$which.ptr >part && mv part cut/h${which}_$which.ptr
  for n in 2x1 3; do
    report whole cut -n $n --check
    [ $status = 4 ] && grep -q 'trace-incomplete' whole
    result $? "/several/cut/$which/$n" "$(cat stderr whole)"
  done
  refused "bad/cut-$which-strict" 1 'ends early' "$program" run cut -n 2x1 --strict
done

# ---- the recorded run among the others

if [ -d "$shared/traces/dvm/heat2d_600_np2" ]; then
  for n in 2x1 1 1x2 4x4; do
    report out "$shared/traces/dvm/heat2d_600_np2" -n $n -m example-cluster --check
    result $? "/several/shared/$n" "$(cat stderr)"
  done
else
  skip /several/shared "../shared is absent"
fi

tap_done
