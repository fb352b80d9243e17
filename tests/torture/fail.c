/* Preloaded into a program: one call of the system fails. TORTURE_FAIL=NAME:N is the N-th call of
 * NAME in each process; of TORTURE_COUNT=FILE each process adds how many calls of each it made.
 * Files opened for reading are counted apart; "memory" is 32 KiB or more, "library" is any memory
 * that SQLite, zlib, zstd, libxml2 or OTF2 asks for.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define LARGE (32 * 1024) /* bytes of memory that may be missing */

typedef enum
{
  CREATE,
  OPEN,
  READ,
  WRITE,
  SYNC,
  RENAME,
  TRUNCATE,
  MAP,
  MEMORY,
  LIBRARY,
  N_CALLS,
} Call;

static const struct
{
  const char *name;
  int error;
} calls[N_CALLS] = {
  [CREATE] = { "create", ENOSPC },     [OPEN] = { "open", EMFILE }, [READ] = { "read", EIO },
  [WRITE] = { "write", ENOSPC },       [SYNC] = { "sync", EIO },    [RENAME] = { "rename", ENOSPC },
  [TRUNCATE] = { "truncate", ENOSPC }, [MAP] = { "map", ENOMEM },   [MEMORY] = { "memory", ENOMEM },
  [LIBRARY] = { "library", ENOMEM },
};

static atomic_long made[N_CALLS];
static long wanted[N_CALLS]; /* 0: none */

static void note_libraries (void);

__attribute__ ((constructor)) static void
begin (void)
{
  const char *what = getenv ("TORTURE_FAIL");
  const char *colon = what != NULL ? strchr (what, ':') : NULL;

  note_libraries ();
  for (int i = 0; colon != NULL && i < N_CALLS; i++)
    if (strncmp (what, calls[i].name, (size_t) (colon - what)) == 0)
      wanted[i] = atol (colon + 1);
}

__attribute__ ((destructor)) static void
end (void)
{
  const char *path = getenv ("TORTURE_COUNT");
  long n[N_CALLS];

  for (int i = 0; i < N_CALLS; i++)
    n[i] = atomic_load (&made[i]);
  FILE *file = path != NULL ? fopen (path, "a") : NULL;
  for (int i = 0; file != NULL && i < N_CALLS; i++)
    fprintf (file, "%s %ld\n", calls[i].name, n[i]);
  if (file != NULL)
    fclose (file);
}

static int
fails (Call call)
{
  if (atomic_fetch_add (&made[call], 1) + 1 != wanted[call])
    return 0;
  errno = calls[call].error;
  return 1;
}

#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

static mode_t
get_mode (int flags, va_list arguments)
{
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg (arguments, mode_t) : 0;
}

#define OPEN_LIKE(name)                                                                            \
  int name (const char *path, int flags, ...)                                                      \
  {                                                                                                \
    va_list arguments;                                                                             \
    va_start (arguments, flags);                                                                   \
    mode_t mode = get_mode (flags, arguments);                                                     \
    va_end (arguments);                                                                            \
    return fails (flags & O_ACCMODE ? CREATE : OPEN) ? -1 : NEXT (name) (path, flags, mode);       \
  }
OPEN_LIKE (open)
OPEN_LIKE (open64)

#define FOPEN_LIKE(name)                                                                           \
  FILE *name (const char *path, const char *mode)                                                  \
  {                                                                                                \
    return fails (mode[0] == 'r' ? OPEN : CREATE) ? NULL : NEXT (name) (path, mode);               \
  }
FOPEN_LIKE (fopen)
FOPEN_LIKE (fopen64)

/* Of files alone: pipes and sockets have no disk that could be full or broken. */
static int
fails_on (int fd, Call call)
{
  int before = errno;
  struct stat status;
  int is_file = fstat (fd, &status) == 0 && S_ISREG (status.st_mode);

  errno = before;
  return is_file && fails (call);
}

ssize_t
read (int fd, void *data, size_t n)
{
  return fails_on (fd, READ) ? -1 : NEXT (read) (fd, data, n);
}

ssize_t
write (int fd, const void *data, size_t n)
{
  return fails_on (fd, WRITE) ? -1 : NEXT (write) (fd, data, n);
}

ssize_t
writev (int fd, const struct iovec *parts, int n)
{
  return fails_on (fd, WRITE) ? -1 : NEXT (writev) (fd, parts, n);
}

#define AT_LIKE(name, bytes, offset, call)                                                         \
  ssize_t name (int fd, bytes data, size_t n, offset at)                                           \
  {                                                                                                \
    return fails_on (fd, call) ? -1 : NEXT (name) (fd, data, n, at);                               \
  }
AT_LIKE (pread, void *, off_t, READ)
AT_LIKE (pread64, void *, off64_t, READ)
AT_LIKE (pwrite, const void *, off_t, WRITE)
AT_LIKE (pwrite64, const void *, off64_t, WRITE)

#define FD_LIKE(name, call)                                                                        \
  int name (int fd)                                                                                \
  {                                                                                                \
    return fails (call) ? -1 : NEXT (name) (fd);                                                   \
  }
FD_LIKE (fsync, SYNC)
FD_LIKE (fdatasync, SYNC)

int
ftruncate (int fd, off_t size)
{
  return fails (TRUNCATE) ? -1 : NEXT (ftruncate) (fd, size);
}

int
ftruncate64 (int fd, off64_t size)
{
  return fails (TRUNCATE) ? -1 : NEXT (ftruncate64) (fd, size);
}

int
rename (const char *from, const char *to)
{
  return fails (RENAME) ? -1 : NEXT (rename) (from, to);
}

void *
mmap (void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
  return fails (MAP) ? MAP_FAILED : NEXT (mmap) (at, n, protection, flags, fd, offset);
}

void *
mmap64 (void *at, size_t n, int protection, int flags, int fd, off64_t offset)
{
  return fails (MAP) ? MAP_FAILED : NEXT (mmap64) (at, n, protection, flags, fd, offset);
}

/* ---- memory */

#define MAX_SEGMENTS 64

static const char *const libraries[] = { "libsqlite3.", "libz.", "libzstd.", "libxml2.",
                                         "libopen-trace-format2." };
static struct
{
  uintptr_t begin, end;
} segments[MAX_SEGMENTS];
static int n_segments;

/* Notes the code of the libraries whose requests for memory count as "library"; @data: of how many
 * segments. */
static int
note_segments (struct dl_phdr_info *info, size_t size, void *data)
{
  const char *slash = strrchr (info->dlpi_name, '/');
  int is_wanted = 0, *n = data;

  (void) size;
  for (size_t i = 0; slash != NULL && i < sizeof libraries / sizeof *libraries; i++)
    is_wanted |= strncmp (slash + 1, libraries[i], strlen (libraries[i])) == 0;
  for (int i = 0; is_wanted && i < info->dlpi_phnum && *n < MAX_SEGMENTS; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
      {
        segments[*n].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        segments[*n].end = segments[*n].begin + info->dlpi_phdr[i].p_memsz;
        (*n)++;
      }
  return 0;
}

/* Those that have been noted are noted again, at the same places. */
static void
note_libraries (void)
{
  int n = 0;

  dl_iterate_phdr (note_segments, &n);
  n_segments = n;
}

/* Most libraries are loaded when they are needed. */
void *
dlopen (const char *file, int mode)
{
  void *library = NEXT (dlopen) (file, mode);

  note_libraries ();
  return library;
}

/* OTF2 3.0.2 uses the copy of the name of an archive's property without a look whether it got
 * memory for it: the process ends there, whatever the program does. Such a request does not fail.
 */
static int
is_defective (void)
{
  void *frames[8];
  int n = backtrace (frames, sizeof frames / sizeof *frames);
  Dl_info info;

  for (int i = 0; i < n; i++)
    if (dladdr (frames[i], &info) != 0 && info.dli_sname != NULL
        && strcmp (info.dli_sname, "otf2_archive_set_property") == 0)
      return 1;
  return 0;
}

static int
has_no_memory (size_t n, const void *caller)
{
  for (int i = 0; i < n_segments; i++)
    if ((uintptr_t) caller >= segments[i].begin && (uintptr_t) caller < segments[i].end
        && fails (LIBRARY) && !is_defective ())
      return 1;
  return n >= LARGE && fails (MEMORY);
}

#define CALLER __builtin_return_address (0)

/* dlsym() may ask for memory itself. */
void *__libc_malloc (size_t n);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *old, size_t n);

void *
malloc (size_t n)
{
  return has_no_memory (n, CALLER) ? NULL : __libc_malloc (n);
}

void *
calloc (size_t n, size_t size)
{
  return size > 0 && has_no_memory (n > SIZE_MAX / size ? SIZE_MAX : n * size, CALLER)
             ? NULL
             : __libc_calloc (n, size);
}

void *
realloc (void *old, size_t n)
{
  return has_no_memory (n, CALLER) ? NULL : __libc_realloc (old, n);
}
