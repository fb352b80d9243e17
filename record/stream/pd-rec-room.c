/* Room on the disk.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-room.h"

#include <sys/statvfs.h>

#define MOST_RESERVED (UINT64_C (1) << 30)

uint64_t
pd_rec_room_of (uint64_t total, uint64_t available, uint64_t own, uint32_t n)
{
  uint64_t reserve = total / 20 < MOST_RESERVED ? total / 20 : MOST_RESERVED;
  uint64_t left = available > reserve ? available - reserve : 0;

  if (own > left / n / 2)
    return 0;
  return (left - 2 * n * own) / 3 / n;
}

uint64_t
pd_rec_room (const char *path, uint64_t own, uint32_t n)
{
  struct statvfs disk;

  if (statvfs (path, &disk) != 0 || disk.f_blocks == 0)
    return UINT64_MAX;
  return pd_rec_room_of (disk.f_blocks * disk.f_frsize, disk.f_bavail * disk.f_frsize, own, n);
}
