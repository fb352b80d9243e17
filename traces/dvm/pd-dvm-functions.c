/* The tables of functions and keys, and the hash that finds a name in them.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-functions.h"

#include <string.h>

typedef struct
{
  const char *text;
  guint8 length;
  guint8 tag; /* class of a function, kind of a key */
} Name;

#define X(name, class) [PD_DVM_##name] = { #name, sizeof #name - 1, PD_DVM_CLASS_##class },
static const Name functions[PD_DVM_N_FUNCTIONS] = { [PD_DVM_UNKNOWN] = { "?", 0, PD_DVM_CLASS_REG },
                                                    PD_DVM_FUNCTIONS (X) };
#undef X

#define X(name, kind)       [PD_DVM_KEY_##name] = { #name, sizeof #name - 1, PD_DVM_KIND_##kind },
#define Y(name, text, kind) [PD_DVM_KEY_##name] = { text, sizeof text - 1, PD_DVM_KIND_##kind },
static const Name keys[PD_DVM_N_KEYS] = { [PD_DVM_KEY_UNKNOWN] = { "?", 0, PD_DVM_KIND_DEC },
                                          PD_DVM_KEYS (X) PD_DVM_ODD_KEYS (Y) };
#undef X
#undef Y

static const char *const class_names[PD_DVM_N_CLASSES] = {
  [PD_DVM_CLASS_SYS] = "SYS",   [PD_DVM_CLASS_REG] = "REG",   [PD_DVM_CLASS_OBJ] = "OBJ",
  [PD_DVM_CLASS_INT] = "INT",   [PD_DVM_CLASS_TASK] = "TASK", [PD_DVM_CLASS_DIST] = "DIST",
  [PD_DVM_CLASS_XFER] = "XFER", [PD_DVM_CLASS_LOOP] = "LOOP", [PD_DVM_CLASS_RED] = "RED",
  [PD_DVM_CLASS_SHD] = "SHD",   [PD_DVM_CLASS_REM] = "REM",   [PD_DVM_CLASS_IND] = "IND",
  [PD_DVM_CLASS_CONS] = "CONS", [PD_DVM_CLASS_IO] = "IO",     [PD_DVM_CLASS_MSG] = "MSG",
  [PD_DVM_CLASS_INTL] = "INTL", [PD_DVM_CLASS_DEB] = "DEB",
};

/* Where a function reads a key in its own way. */
typedef enum
{
  IN_CALL,
  IN_RET,
} Part;

static const struct
{
  PdDvmFunction function;
  Part part;
  PdDvmKey key;
  PdDvmKind kind;
} own_kinds[] = {
  { PD_DVM_dvm_fopen, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_HEX },
  { PD_DVM_dvm_freopen, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_HEX },
  { PD_DVM_dvm_tmpfile, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_HEX },
  { PD_DVM_dvm_tmpnam, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_HEX },
  { PD_DVM_dvm_fgets, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_HEX },
  { PD_DVM_dvm_gets, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_HEX },
  { PD_DVM_dvm_open, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_HEX },
  { PD_DVM_dvm_fputc, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_CHAR },
  { PD_DVM_dvm_putc, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_CHAR },
  { PD_DVM_dvm_putchar, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_CHAR },
  { PD_DVM_dvm_puts, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_CHAR },
  { PD_DVM_dvm_fputs, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_CHAR },
  { PD_DVM_dvm_ungetc, IN_RET, PD_DVM_KEY_Res, PD_DVM_KIND_CHAR },
  { PD_DVM_dvm_fopen, IN_CALL, PD_DVM_KEY_Type, PD_DVM_KIND_STRING },
  { PD_DVM_dvm_freopen, IN_CALL, PD_DVM_KEY_Type, PD_DVM_KIND_STRING },
  { PD_DVM_realn_, IN_CALL, PD_DVM_KEY_NewSign, PD_DVM_KIND_HEX },
  { PD_DVM_mrealn_, IN_CALL, PD_DVM_KEY_NewSign, PD_DVM_KIND_HEX },
};

/* ---- hash: open addressing, at most 1/3 full, so nearly every lookup is one
 * probe and one comparison */

#define N_SLOTS 1024
G_STATIC_ASSERT (PD_DVM_N_FUNCTIONS < N_SLOTS / 2 && PD_DVM_N_KEYS < N_SLOTS / 2);

typedef struct
{
  guint16 function[N_SLOTS];
  guint16 key[N_SLOTS];
} Tables;

static guint
hash_name (const char *text, gsize length)
{
  guint64 a = 0, b = 0;

  if (length >= 8)
    {
      memcpy (&a, text, 8);
      memcpy (&b, text + length - 8, 8);
    }
  else if (length >= 4)
    {
      guint32 low, high;
      memcpy (&low, text, 4);
      memcpy (&high, text + length - 4, 4);
      a = low;
      b = high;
    }
  else
    for (gsize i = 0; i < length; i++)
      a = a << 8 | (guint8) text[i];
  a = (a ^ length) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  b = (b + length) * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
  return (guint) ((a ^ (b >> 7) ^ (a >> 23)) >> 40) % N_SLOTS;
}

static void
fill_slots (guint16 *slots, const Name *names, guint n)
{
  for (guint16 i = 1; i < n; i++)
    {
      guint slot = hash_name (names[i].text, names[i].length);
      while (slots[slot] != 0)
        slot = (slot + 1) % N_SLOTS;
      slots[slot] = i;
    }
}

static const Tables *
get_tables (void)
{
  static Tables tables;
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      fill_slots (tables.function, functions, PD_DVM_N_FUNCTIONS);
      fill_slots (tables.key, keys, PD_DVM_N_KEYS);
      g_once_init_leave (&once, 1);
    }
  return &tables;
}

static guint
find (const guint16 *slots, const Name *names, const char *text, gsize length)
{
  if (length == 0)
    return 0;
  for (guint slot = hash_name (text, length);; slot = (slot + 1) % N_SLOTS)
    {
      guint i = slots[slot];
      if (i == 0 || (names[i].length == length && memcmp (names[i].text, text, length) == 0))
        return i;
    }
}

/* Of the classes whose other functions only compute. */
static const gboolean also_communicate[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_mps_Barrier] = TRUE, [PD_DVM_mps_Bcast] = TRUE, [PD_DVM_mapam_] = TRUE,
  [PD_DVM_redis_] = TRUE,      [PD_DVM_mredis_] = TRUE,   [PD_DVM_realn_] = TRUE,
  [PD_DVM_mrealn_] = TRUE,     [PD_DVM_gettar_] = TRUE,   [PD_DVM_across_] = TRUE,
  [PD_DVM_doacr_] = TRUE,      [PD_DVM_strtsh_] = TRUE,   [PD_DVM_waitsh_] = TRUE,
  [PD_DVM_recvsh_] = TRUE,     [PD_DVM_sendsh_] = TRUE,   [PD_DVM_recvla_] = TRUE,
  [PD_DVM_sendsa_] = TRUE,     [PD_DVM_loadrb_] = TRUE,   [PD_DVM_waitrb_] = TRUE,
  [PD_DVM_loadbg_] = TRUE,     [PD_DVM_waitbg_] = TRUE,   [PD_DVM_loadib_] = TRUE,
  [PD_DVM_waitib_] = TRUE,     [PD_DVM_loadig_] = TRUE,   [PD_DVM_waitig_] = TRUE,
  [PD_DVM_strtac_] = TRUE,     [PD_DVM_waitac_] = TRUE,   [PD_DVM_strtcg_] = TRUE,
  [PD_DVM_waitcg_] = TRUE,     [PD_DVM_consda_] = TRUE,
};

/* ---- public */

const char *
pd_dvm_function_get_name (PdDvmFunction function)
{
  g_return_val_if_fail (function < PD_DVM_N_FUNCTIONS, "?");
  return functions[function].text;
}

PdDvmClass
pd_dvm_function_get_class (PdDvmFunction function)
{
  g_return_val_if_fail (function < PD_DVM_N_FUNCTIONS, PD_DVM_CLASS_REG);
  return (PdDvmClass) functions[function].tag;
}

gboolean
pd_dvm_function_communicates (PdDvmFunction function)
{
  g_return_val_if_fail (function < PD_DVM_N_FUNCTIONS, FALSE);
  PdDvmClass class_ = pd_dvm_function_get_class (function);

  return also_communicate[function] || class_ == PD_DVM_CLASS_XFER || class_ == PD_DVM_CLASS_RED
         || class_ == PD_DVM_CLASS_MSG;
}

const char *
pd_dvm_class_get_name (PdDvmClass class_)
{
  g_return_val_if_fail (class_ < PD_DVM_N_CLASSES, "?");
  return class_names[class_];
}

PdDvmFunction
pd_dvm_function_lookup (const char *name, gsize length)
{
  return (PdDvmFunction) find (get_tables ()->function, functions, name, length);
}

const char *
pd_dvm_key_get_name (PdDvmKey key)
{
  g_return_val_if_fail (key < PD_DVM_N_KEYS, "?");
  return keys[key].text;
}

PdDvmKind
pd_dvm_key_get_kind_in (PdDvmKey key, PdDvmFunction function, gboolean is_ret)
{
  g_return_val_if_fail (key < PD_DVM_N_KEYS, PD_DVM_KIND_DEC);
  if (key == PD_DVM_KEY_Res || key == PD_DVM_KEY_Type || key == PD_DVM_KEY_NewSign)
    for (gsize i = 0; i < G_N_ELEMENTS (own_kinds); i++)
      if (own_kinds[i].function == function && own_kinds[i].key == key
          && (own_kinds[i].part == IN_RET) == (is_ret != FALSE))
        return own_kinds[i].kind;
  return (PdDvmKind) keys[key].tag;
}

PdDvmKey
pd_dvm_key_lookup (const char *text, gsize length)
{
  return (PdDvmKey) find (get_tables ()->key, keys, text, length);
}
