# Reads the rows of the table of rooms (room, tab, what it may use, tab, words), an empty line, and
# FILE:LINE:#include "PATH" of all sources; prints which includes break the order of rooms.

function room_of (path) {
  while (sub(/\/[^\/]*$/, "", path))
    if (path in order) return path
  return ""
}

function folder_of (room) { sub(/\/.*/, "", room); return room }

function allowed (from, to) {
  if (folder_of(from) == folder_of(to) || uses[from] ~ /everything above/) return order[to] < order[from]
  return index(uses[from], " " folder_of(to) " ") > 0
}

!table_read && $0 == "" { table_read = 1; next }
!table_read {
  split($0, row, "\t")
  order[row[1]] = ++n
  gsub(/[`,]/, " ", row[2])
  uses[row[1]] = " " row[2] " "
  next
}
{
  split($0, text, "\"")
  split($0, place, ":")
  from = room_of(place[1]); to = room_of(text[2])
  if (text[2] ~ /^bench\//) next
  if (text[2] == "comsys/pd-comsys.h" && from != "") print place[1] ":" place[2] ": \"" text[2] "\" is for users: include what is used"
  if (to == "" || from == "" && place[1] !~ /^bench\//) print place[1] ":" place[2] ": no room of ARCHITECTURE.md holds this file or \"" text[2] "\""
  else if (from != to && text[2] ~ /-private\.h$/ && from != "") print place[1] ":" place[2] ": \"" text[2] "\" is private to " to "/"
  else if (from != "" && from != to && !allowed(from, to)) print place[1] ":" place[2] ": " from "/ may not include \"" text[2] "\""
}
