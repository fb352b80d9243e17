/* mutate SEED [OTHER]: what comes in goes out, changed in one to four places; the same seed changes
 * it in the same way. OTHER is a file that pieces are taken of.
 * SPDX-License-Identifier: MIT */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  GRand *random;
  GByteArray *bytes;
  char *other;
  gsize other_size;
} Mutation;

static guint
below (Mutation *self, gsize n)
{
  return n > 0 ? (guint) (g_rand_int (self->random) % n) : 0;
}

static void
insert (Mutation *self, guint at, const void *data, gsize n)
{
  guint old = self->bytes->len;

  g_byte_array_set_size (self->bytes, old + (guint) n);
  memmove (self->bytes->data + at + n, self->bytes->data + at, old - at);
  memcpy (self->bytes->data + at, data, n);
}

static void
flip_bit (Mutation *self)
{
  self->bytes->data[below (self, self->bytes->len)] ^= (guint8) (1 << below (self, 8));
}

static void
set_byte (Mutation *self)
{
  static const char likely[] = "\0\n\r \t09-:;,.\"'<>&={}[]/\\x\xff\x80";

  self->bytes->data[below (self, self->bytes->len)] =
      (guint8) (below (self, 2) ? likely[below (self, sizeof likely)] : (char) below (self, 256));
}

static void
cut_end (Mutation *self)
{
  g_byte_array_set_size (self->bytes, below (self, self->bytes->len));
}

static void
remove_piece (Mutation *self)
{
  guint at = below (self, self->bytes->len);

  g_byte_array_remove_range (self->bytes, at, 1 + below (self, MIN (self->bytes->len - at, 64)));
}

static void
repeat_piece (Mutation *self)
{
  guint at = below (self, self->bytes->len);
  guint n = 1 + below (self, MIN (self->bytes->len - at, 200));
  g_autofree guint8 *piece = g_malloc (n);

  memcpy (piece, self->bytes->data + at, n);
  for (guint i = below (self, 8) ? 1 : 300; i > 0; i--)
    insert (self, below (self, 2) ? at : below (self, self->bytes->len), piece, n);
}

static void
insert_long (Mutation *self)
{
  guint n = 1u << below (self, 18);
  g_autofree guint8 *piece = g_malloc (n);

  memset (piece, "A0 \n<("[below (self, 6)], n);
  insert (self, below (self, self->bytes->len), piece, n);
}

static void
insert_other (Mutation *self)
{
  if (self->other_size == 0)
    return;
  guint at = below (self, self->other_size);
  gsize n = 1 + below (self, MIN (self->other_size - at, 1000));
  insert (self, below (self, self->bytes->len), self->other + at, n);
}

static void
set_binary (Mutation *self)
{
  static const guint64 likely[] = { 0,          1,           G_MAXINT16,  G_MAXUINT16,
                                    G_MAXINT32, 1u << 31,    G_MAXUINT32, G_MAXINT64,
                                    1ull << 63, G_MAXUINT64, 1ull << 40 };
  guint n = 1u << below (self, 4), at = below (self, self->bytes->len);
  guint64 value = likely[below (self, G_N_ELEMENTS (likely))];

  memcpy (self->bytes->data + at, &value, MIN (n, self->bytes->len - at));
}

/* Of the digits that stand somewhere. */
static void
set_number (Mutation *self)
{
  static const char *const likely[] = { "0",
                                        "-1",
                                        "1",
                                        "2147483647",
                                        "2147483648",
                                        "4294967295",
                                        "4294967296",
                                        "1000000000",
                                        "1e308",
                                        "1e-9",
                                        "-0",
                                        "nan",
                                        "inf",
                                        "0x7fffffff",
                                        "",
                                        "1000000007",
                                        "1e19",
                                        "9223372036854775807",
                                        "18446744073709551616" };
  const char *value = likely[below (self, G_N_ELEMENTS (likely))];
  guint at = below (self, self->bytes->len), end;

  while (at < self->bytes->len && !g_ascii_isdigit (self->bytes->data[at]))
    at++;
  for (end = at; end < self->bytes->len && g_ascii_isdigit (self->bytes->data[end]);)
    end++;
  g_byte_array_remove_range (self->bytes, at, end - at);
  insert (self, at, value, strlen (value));
}

/* Of the line that is there, or the next one. */
static void
find_line (Mutation *self, guint *begin, guint *end)
{
  guint at = below (self, self->bytes->len);

  for (*begin = at; *begin > 0 && self->bytes->data[*begin - 1] != '\n';)
    --*begin;
  for (*end = at; *end < self->bytes->len && self->bytes->data[(*end)++] != '\n';)
    ;
}

static void
move_line (Mutation *self)
{
  guint begin, end;

  find_line (self, &begin, &end);
  guint n = end - begin;
  g_autofree guint8 *line = g_malloc (n + 1);
  memcpy (line, self->bytes->data + begin, n);
  if (below (self, 2))
    g_byte_array_remove_range (self->bytes, begin, n);
  if (below (self, 3) == 0 || self->bytes->len == 0)
    return;
  find_line (self, &begin, &end);
  insert (self, begin, line, n);
}

static void (*const changes[]) (Mutation *) = {
  flip_bit,   set_byte,   cut_end,    remove_piece, repeat_piece, insert_long, insert_other,
  set_binary, set_number, set_number, set_number,   move_line,    move_line,
};

static void
read_all (GByteArray *bytes, FILE *file)
{
  guint8 buffer[65536];
  gsize n;

  while ((n = fread (buffer, 1, sizeof buffer, file)) > 0)
    g_byte_array_append (bytes, buffer, (guint) n);
}

int
main (int argc, char **argv)
{
  guint32 seed = argc > 1 ? (guint32) strtoul (argv[1], NULL, 10) : 1;
  Mutation self = { .random = g_rand_new_with_seed (seed), .bytes = g_byte_array_new () };

  if (argc > 2)
    g_file_get_contents (argv[2], &self.other, &self.other_size, NULL);
  read_all (self.bytes, stdin);
  for (guint i = 1 + below (&self, 4); i > 0 && self.bytes->len > 0; i--)
    changes[below (&self, G_N_ELEMENTS (changes))](&self);
  fwrite (self.bytes->data, 1, self.bytes->len, stdout);
  g_rand_free (self.random);
  g_byte_array_unref (self.bytes);
  g_free (self.other);
  return 0;
}
