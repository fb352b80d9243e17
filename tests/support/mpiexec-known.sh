#!/bin/sh
# mpiexec -n N predictor-measure COMMAND OPTION...: instead of measuring, the sheet of a
# machine that is known is written where --csv says, so that what follows from it can be
# shown. Options must be those of the real program, PREDICTOR_MEASURE, where it is there.
# The sheets are in the folder PREDICTOR_KNOWN.
set -eu
[ "$1" = -n ] && [ "$3" = predictor-measure ] || exit 2
command=$4
shift 4
file=
kind=$command
for word in "$@"; do
  case $word in
  --*)
    [ ! -x "$PREDICTOR_MEASURE" ] || "$PREDICTOR_MEASURE" "$command" --help | grep -q -e "$word\\b" || {
      echo "predictor-measure $command has no $word"
      exit 2
    } ;;
  esac
  [ "${before:-}" != --csv ] || file=$word
  [ "${before:-} $word" != "--variant 2" ] || kind=sendrecv
  before=$word
done
cp "$PREDICTOR_KNOWN/measure-$kind.csv" "$file"
