/* Room on the disk. The archive is made of the streams while they are still there, so
 * that both must fit.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_ROOM_H
#define PD_REC_ROOM_H

#include <stdint.h>

/**
 * pd_rec_room_of:
 * @total: bytes of the file system
 * @available: those that are free
 * @own: bytes of one stream
 * @n: how many streams grow on it alike, >= 1
 *
 * Returns: by how many bytes each stream may grow, if the archive, which is not larger
 *   than twice the streams, shall fit beside them, and a twentieth of the file system, at
 *   most 1 GiB, stay free.
 */
uint64_t pd_rec_room_of (uint64_t total, uint64_t available, uint64_t own, uint32_t n);

/**
 * pd_rec_room:
 * Likewise, of the file system that has @path; %UINT64_MAX if that is not known.
 */
uint64_t pd_rec_room (const char *path, uint64_t own, uint32_t n);

#endif
