# Sourced by tests of help texts.
# SPDX-License-Identifier: MIT

# The options of a help text on stdin with all of their words, one a line.
joined () {
  awk '
    /^  -/ { if (line != "") print line; line = $0; next }
    /^ +[^ ]/ && line != "" { sub (/^ +/, " "); line = line $0; next }
    { if (line != "") print line; line = "" }
    END { if (line != "") print line }'
}
