/* Messages of the recorder to the user of the recorded program.
 * SPDX-License-Identifier: MIT */
#include "record/stream/pd-rec-report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
pd_rec_fail (PdRecError *error, const char *format, ...)
{
  va_list arguments;

  if (error->text[0] != '\0')
    return -1;
  va_start (arguments, format);
  vsnprintf (error->text, sizeof error->text, format, arguments);
  va_end (arguments);
  return -1;
}

/* In one piece, past the program's own buffers. */
void
pd_rec_say (const char *format, ...)
{
  static const char prefix[] = "predictor record: ";
  char line[1024];
  size_t n = sizeof prefix - 1;
  va_list arguments;

  memcpy (line, prefix, n);
  va_start (arguments, format);
  vsnprintf (line + n, sizeof line - n - 1, format, arguments);
  va_end (arguments);
  n = strlen (line);
  line[n++] = '\n';
  while (n > 0 && write (STDERR_FILENO, line, n) < 0)
    break;
}
