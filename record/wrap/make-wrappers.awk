# Makes the wrappers of MPI functions:
#   awk -v language=c|fortran|names -f make-wrappers.awk NAMES mpi-words.txt mpi-functions.txt
# NAMES: the functions that the installed mpi.h has, one PMPI_... a line.
# SPDX-License-Identifier: MIT

FNR == 1 { file++ }

file == 1 { installed[$1] = 1; next }

/^#/ || NF == 0 { next }

file == 2 {
  rest = $0
  sub(/^[^ ]+ +[^ ]+ +/, "", rest)
  n = split(rest, types, / *\| */)
  sub(/ +$/, "", types[1])
  field[$1] = $2
  type[$1] = types[1]
  wide[$1] = n > 1 && types[2] != "" ? types[2] : types[1]
  is_text[$1] = n > 2 && types[3] == "text"
  next
}

{
  has_large = sub(/^\+/, "", $1)
  words = 0
  for (i = 3; i <= NF; i++) {
    if (!($i in type)) {
      print FILENAME ":" FNR ": unknown word " $i > "/dev/stderr"
      exit failed = 1
    }
    word[++words] = $i
  }
  action = $2
  mode = ""
  if (split($2, parts, "=") == 2) {
    action = parts[1]
    mode = ", PD_REC_" parts[2]
  }
  make($1, type, 0)
  if (has_large)
    make($1 "_c", wide, 1)
}

BEGIN {
  print "/* Made by make-wrappers.awk. */"
  if (language == "c")
    print "#include \"record/wrap/pd-wrap-private.h\""
  if (language == "fortran")
    print "#include \"record/wrap/pd-wrap-fortran-private.h\""
}

function make(name, types, is_wide) {
  if (!(("PMPI_" name) in installed))
    return
  if (language == "names")
    print "PD_FUNCTION (" name ", \"MPI_" (is_wide ? substr(name, 1, length(name) - 2) : name) "\")"
  else if (action != "own" && language == "c")
    make_c(name, types, is_wide)
  else if (action != "own" && language == "fortran" && !is_wide)
    make_fortran(name)
}

function numbers(before,   i, list) {
  for (i = 1; i <= words; i++)
    list = list (i > 1 ? ", " : "") before "a" i
  return list
}

# What the hooks find before and after the call.
function is_before(a) {
  return a ~ /^(wait|waitany|waitall|waitsome|test|testany|testall|testsome|mrecv|imrecv|request_free|free_comm|free_win|file_close)$/
}

function enter() {
  return action == "coll" ? "pd_call_enter_coll" : "pd_call_enter"
}

function has_word(w,   i) {
  for (i = 1; i <= words; i++)
    if (word[i] == w)
      return i
  return 0
}

# ---- C

function make_c(name, types, is_wide,   i, list, declaration) {
  for (i = 1; i <= words; i++) {
    declaration = types[word[i]]
    sub(/@/, "a" i, declaration)
    list = list (i > 1 ? ", " : "") declaration
  }
  print "\nint\nMPI_" name " (" (words ? list : "void") ")\n{"
  if (action == "-")
    print "  PD_REGION (PD_FN_" name ", PMPI_" name " (" numbers("") "));"
  else
    make_c_body(name, is_wide)
  print "}"
}

function make_c_body(name, is_wide,   i) {
  print "  PdWrapCall call;\n  int rc;\n"
  if (has_word("status"))
    print "  MPI_Status own;"
  print "  if (!" enter() " (&call, PD_FN_" name ", 0, " is_wide ", PD_RETURN_ADDRESS, PD_FRAME))"
  print "    return PMPI_" name " (" numbers("") ");"
  if ((i = has_word("status")))
    print "  if (a" i " == MPI_STATUS_IGNORE)\n    a" i " = &own;"
  if ((i = has_word("statuses")))
    print "  if (a" i " == MPI_STATUSES_IGNORE && pd_own_statuses (a1) != NULL)\n    a" i " = pd_own_statuses (a1);"
  for (i = 1; i <= words; i++)
    if (field[word[i]] != "-")
      print "  call." field[word[i]] " = a" i ";"
  if (has_word("filename"))
    print "  call.name_length = SIZE_MAX;"
  make_call("rc = PMPI_" name " (" numbers("") ");")
  print "  return rc;"
}

function make_call(statement) {
  if (is_before(action))
    print "  pd_tables_lock ();\n  pd_before_" action " (&call);\n  pd_tables_unlock ();"
  print "  pd_call_start (&call);\n  " statement "\n  pd_call_stop (&call);"
  print "  pd_tables_lock ();"
  print "  if (rc == MPI_SUCCESS)\n    pd_did_" action " (&call" mode ");"
  print "  pd_tables_unlock ();"
  print "  pd_call_leave (&call);"
}

# ---- Fortran: everything by reference, the error code last, then lengths

function make_fortran(name,   i, lower, list, given, lengths, passed) {
  lower = tolower(name)
  for (i = 1; i <= words; i++) {
    list = list "void *a" i ", "
    given = given "a" i ", "
    if (is_text[word[i]]) {
      lengths = lengths ", size_t l" i
      passed = passed ", l" i
    }
  }
  print "\ntypedef void Fn" name " (" list "MPI_Fint *e" lengths ");"
  print "static inline __attribute__ ((always_inline)) void"
  print "call_" lower " (Fn" name " *pmpi, int layer, void *ra, void *frame, " list "MPI_Fint *e" lengths ")\n{"
  make_fortran_body(name, "pmpi (" given "e" passed ")")
  print "}"
  list = "(" list "MPI_Fint *e" lengths ")"
  passed = ",\n  " given "e" passed ")"
  print "PD_FORTRAN (Fn" name ", " lower ", " toupper(name) ", " list passed
  if (name ~ /^Win_allocate/) # with a pointer of C
    print "PD_FORTRAN_POINTER (Fn" name ", " lower ", " list passed
  if (has_buffer())
    print "PD_FORTRAN_08_BUFFERS (Fn" name ", " lower ", " list passed
}

function has_buffer(   i) {
  for (i = 1; i <= words; i++)
    if (word[i] ~ /buf$/)
      return 1
  return 0
}

function make_fortran_body(name, statement,   i) {
  print "  PdWrapCall call;\n  MPI_Fint own_error, rc;\n\n  (void) layer;"
  print "  if (e == NULL)\n    e = &own_error;"
  if (action == "-") {
    print "  if (!pd_call_enter_region (&call, PD_FN_" name ", ra, frame))\n    {"
    print "      " statement ";\n      return;\n    }"
    print "  " statement ";\n  rc = 0;\n  (void) rc;\n  pd_call_leave_region (&call);"
    return
  }
  print "  if (!" enter() " (&call, PD_FN_" name ", 1, 0, ra, frame))\n    {"
  print "      " statement ";\n      return;\n    }"
  if ((i = has_word("status")))
    print "  PdFortranStatus own;\n  if (pd_fortran_ignores (a" i "))\n    a" i " = &own;"
  if ((i = has_word("statuses")))
    print "  const MPI_Fint *n = a1;\n  if (pd_fortran_ignores_all (a" i ") && pd_own_statuses (*n) != NULL)\n    a" i " = pd_own_statuses (*n);"
  for (i = 1; i <= words; i++)
    if (field[word[i]] != "-")
      print "  call." field[word[i]] " = " from_fortran(word[i], "a" i) ";"
  if ((i = has_word("filename")))
    print "  call.name_length = l" i ";"
  make_call(statement ";\n  rc = *e;")
}

function from_fortran(w, a,   t) {
  t = type[w]
  if (t == "int @")
    return "*(const MPI_Fint *) " a
  if (t == "MPI_Offset @")
    return "*(const MPI_Offset *) " a
  if (w ~ /buf$/)
    return "pd_fortran_buffer (layer, " a ")"
  if (t ~ /^MPI_[A-Z][a-z]+ @$/) {
    sub(/ @/, "", t)
    sub(/Datatype/, "Type", t)
    return "P" t "_f2c (*(const MPI_Fint *) " a ")"
  }
  return a
}
