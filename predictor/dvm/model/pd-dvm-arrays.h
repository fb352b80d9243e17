/* Distributed arrays: their versions, their alignment, and which of them lie on a template.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_ARRAYS_H
#define PD_DVM_ARRAYS_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_array_new:
 * @header: its address; 0: unknown
 *
 * Returns: (transfer full): an array; neither handle nor header need exist yet.
 */
PdArray *pd_array_new (gint64 handle, gint64 header);

/**
 * pd_array_move:
 * @layout: (transfer full): where it is now
 *
 * Returns: (transfer full): a copy with another layout: the next version.
 */
PdArray *pd_array_move (const PdArray *old, PdLayout *layout, PdTeam *team);

/**
 * pd_dvm_store_array:
 * @array: (transfer full): a version, which becomes current
 * @is_new: the record creates it: what had its handle is deleted
 */
void pd_dvm_store_array (PdDvm *self, PdArray *array, gboolean is_new);

/**
 * pd_dvm_store_aligned:
 * @array: (transfer full): the next version of an array that was aligned: it is the
 *   last of its template
 */
void pd_dvm_store_aligned (PdDvm *self, PdArray *array);

/**
 * pd_dvm_find_array:
 * Returns: (transfer none) (nullable): the array that two parameters of the record
 *   name.
 */
PdArray *pd_dvm_find_array (PdDvm *self, PdDvmKey handle_key, PdDvmKey header_key);

/**
 * pd_dvm_need_array_named:
 * Returns: (transfer none) (nullable): as pd_dvm_find_array(); %NULL with @error set
 *   if there is none.
 */
PdArray *pd_dvm_need_array_named (PdDvm *self, PdDvmKey handle_key, PdDvmKey header_key,
                                  GError **error);

/**
 * pd_dvm_need_array_object:
 * Returns: (transfer none) (nullable): the array of ArrayHandlePtr or ArrayHeader;
 *   %NULL with @error set if there is none.
 */
PdArray *pd_dvm_need_array_object (PdDvm *self, GError **error);

/**
 * pd_dvm_placed_init:
 * Makes the tables of arrays and the templates they lie on.
 */
void pd_dvm_placed_init (PdDvm *self);

/**
 * pd_dvm_placed_clear:
 * Releases these tables.
 */
void pd_dvm_placed_clear (PdDvm *self);

/**
 * pd_dvm_placed_remove:
 * The array is on no template any more.
 */
void pd_dvm_placed_remove (PdDvm *self, gint64 handle);

/**
 * pd_dvm_placed_list:
 * Returns: (transfer full) (element-type gint64): handles of the arrays that lie on a
 *   template, the last aligned first.
 */
GArray *pd_dvm_placed_list (PdDvm *self, gint64 view);

/**
 * pd_dvm_placed_forget:
 * The reference of the template is used again: no array lies on it.
 */
void pd_dvm_placed_forget (PdDvm *self, gint64 view);

/* The target of an alignment. */
typedef struct
{
  PdLayout *layout; /* (nullable): its distribution is not modelled */
  PdTeam *team;
  gint64 view;       /* the template in the end */
  gboolean is_array; /* not a template */
} PdPattern;

/**
 * pd_dvm_need_pattern:
 * @pattern: (out): the array or template that PatternRef names
 *
 * Returns: %FALSE with @error set if it does not exist.
 */
gboolean pd_dvm_need_pattern (PdDvm *self, PdPattern *pattern, GError **error);

/**
 * pd_dvm_need_alignment:
 * @alignment: (out): on @pattern, as the record says; borrowed from it
 *
 * Returns: %FALSE with @error set if a parameter is missing.
 */
gboolean pd_dvm_need_alignment (PdDvm *self, const PdPattern *pattern, PdAlignment *alignment,
                                GError **error);

/**
 * pd_dvm_read_alignment:
 * @aligned: (out) (transfer full) (nullable): the next version of @old, aligned as the
 *   record says; %NULL if the pattern is not modelled
 *
 * Returns: %FALSE with @error set if the record is wrong.
 */
gboolean pd_dvm_read_alignment (PdDvm *self, const PdArray *old, PdArray **aligned, GError **error);

/**
 * pd_dvm_warn_unmapped:
 * Warns that the current call uses @what, whose distribution is not modelled.
 */
void pd_dvm_warn_unmapped (PdDvm *self, const char *what);

#endif
