# Sourced by tests/test-*.sh: results as TAP. Ends with tap_done.
tap_n=0
tap_failed=0

# result STATUS NAME [DETAIL]: ok if STATUS is 0.
result () {
  tap_n=$((tap_n + 1))
  if [ "$1" = 0 ]; then
    echo "ok $tap_n $2"
  else
    echo "not ok $tap_n $2"
    [ -z "${3:-}" ] || echo "$3" | sed 's/^/# /'
    tap_failed=$((tap_failed + 1))
  fi
}

# skip NAME REASON
skip () {
  tap_n=$((tap_n + 1))
  echo "ok $tap_n $1 # SKIP $2"
}

tap_done () {
  echo "1..$tap_n"
  [ "$tap_failed" = 0 ]
}
