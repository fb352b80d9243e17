#!/bin/sh
# coverage.sh [FILE]: how often the 90 % range of predictions holds the measured time, over all
# programs whose run times are known: DVM programs (../shared/traces/dvm/2026-11), and the rows of
# FILE, message-passing programs: name, ranks, measured, predicted, low and high seconds of the
# range without its floor, a line each. Prints a line for each, and the necessary floor.
# A program that was recorded at a smaller size, too, is predicted with that trace as one of
# --scaling-traces: its local data may fit a cache on more processors.
#
# The floor is conformal: of each case the least one whose range holds the measured time, and of
# these the ceil (0.9 (n + 1))-th; a case is judged by the floor that the others give.
# SPDX-License-Identifier: MIT
set -u
folder=${PREDICTOR_SHARED:-../shared}/traces/dvm/2026-11
program=${BUILD:-build}/predictor/predictor

# range TRACE N: predicted seconds, and the ends of the range without the floor
range () {
  case $1 in
  *heat2d_2000*) smaller="--scaling-traces $(echo "$1" | sed s/2000/600/)" ;;
  *) smaller= ;;
  esac
  "$program" run "$1" $smaller -m machines/two-cores.xml -n "$2" -q --xml - -o /dev/null 2>/dev/null | awk '
    function number (name,   text) {
      text = $0
      sub(".* " name "=\"", "", text)
      return text + 0
    }
    /<run / { time = number("execution_time") }
    /<execution_range source=/ && !/source="(all|measured)"/ {
      low = time / number("low") - 1; high = number("high") / time - 1
      lows += low * low; highs += high * high
    }
    END { printf "%.9f %.9f %.9f\n", time, time / (1 + sqrt (lows)), time * (1 + sqrt (highs)) }'
}

# median TRACES N: of the three traces whose names begin so, by the predicted time
median () {
  for i in 0 1 2; do
    range "$1_$i.ptr.gz" "$2"
  done | sort -n | sed -n 2p
}

dvm () {
  awk -F'\t' '$3 == "untraced" { print $1, $2, "off", "tracens", $5 }
    $3 == "stat" { print $1, $2, "on", "trace", $5 }' "$folder/measured.tsv" |
    while read -r name n statistics kind measured; do
      echo "dvm $name,_statistics_$statistics $n $measured $(median "$folder/${name}_$kind" "$n")"
    done
}

{
  if [ -f "$folder/measured.tsv" ]; then dvm; else echo "skipped: $folder is absent" >&2; fi
  [ $# = 0 ] || sed 's/^/mpi /' "$1"
} | awk '
  function least (measured, time, low, high,   r, w, x) { # floor that makes the range hold it
    r = measured < time ? time / measured - 1 : measured / time - 1
    w = measured < time ? time / low - 1 : high / time - 1
    x = r * r - w * w
    return x > 0 ? sqrt (x) : 0
  }
  # of all cases of the model but @without
  function learn (model, without,   i, j, n, rank, sorted, x) {
    n = 0
    for (i = 1; i <= NR; i++)
      if (models[i] == model && i != without) {
        for (j = n++; j > 0 && sorted[j - 1] > floors[i]; j--) sorted[j] = sorted[j - 1]
        sorted[j] = floors[i]
      }
    rank = int (0.9 * (n + 1)); if (rank < 0.9 * (n + 1)) rank++
    if (rank > n) rank = n
    return n > 0 ? sorted[rank - 1] : 0
  }
  {
    models[NR] = $1; names[NR] = $2; n_processors[NR] = $3
    measured[NR] = $4; time[NR] = $5; low[NR] = $6; high[NR] = $7
    floors[NR] = least($4, $5, $6, $7)
  }
  END {
    for (i = 1; i <= NR; i++) {
      f = learn(models[i], i)
      l = time[i] / low[i] - 1; h = high[i] / time[i] - 1
      from = time[i] / (1 + sqrt (l * l + f * f)); to = time[i] * (1 + sqrt (h * h + f * f))
      inside = measured[i] >= from && measured[i] <= to
      name = names[i]; gsub(/_statistics_/, " statistics ", name)
      printf "%s\t%s\t%d\t%.4f\t%.4f\t%+.1f\t%.4f\t%.4f\t%s\n", models[i], name, n_processors[i], measured[i],
             time[i], 100 * (time[i] / measured[i] - 1), from, to, inside ? "yes" : "no"
      count[models[i]]++; held[models[i]] += inside
      half = 50 * (to - from) / time[i]
      for (j = halves++; j > 0 && width[j - 1] > half; j--) width[j] = width[j - 1]
      width[j] = half
    }
    for (m in count) { total += count[m]; inside_all += held[m] }
    for (k = 1; k <= 2; k++) {
      m = k == 1 ? "dvm" : "mpi"
      if (count[m] > 0)
        printf "floor\t%s\t%.4f\t%d of %d\n", m, learn(m, 0), held[m], count[m]
    }
    if (total > 0)
      printf "all\t%.1f\t%.1f\t%d of %d\n", 100 * inside_all / total, width[int ((halves - 1) / 2)],
             inside_all, total
  }'
