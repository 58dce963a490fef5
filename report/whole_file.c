// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/whole_file_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *joined(const char *folder, const char *name, const char *suffix) {
  size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
  char *path = malloc(size);
  if (path != NULL) {
    (void)snprintf(path, size, "%s/%s%s", folder, name, suffix);
  }
  return path;
}

/** 0, or the errno of what went wrong. */
static int fill_and_rename(const char *draft, const char *path, sb_filler fill,
                           const void *context) {
  FILE *out = fopen(draft, "w");
  if (out == NULL) {
    return errno;
  }
  fill(context, out);
  // A failed write leaves its bytes in the buffer: flushing fails again, and sets errno.
  errno = 0;
  int failure = fflush(out) != 0 || ferror(out) ? (errno != 0 ? errno : EIO) : 0;
  if (fclose(out) != 0 && failure == 0) {
    failure = errno;
  }
  if (failure == 0 && rename(draft, path) != 0) {
    failure = errno;
  }
  if (failure != 0) {
    (void)remove(draft);
  }
  return failure;
}

sb_status sb_whole_file(const char *folder, const char *name, sb_filler fill, const void *context,
                        sb_error *err) {
  sb_status status = SB_OK;
  char *path = joined(folder, name, "");
  char *draft = joined(folder, name, ".tmp");
  if (path == NULL || draft == NULL) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else {
    int failure = fill_and_rename(draft, path, fill, context);
    if (failure != 0) {
      status = sb_fail(err, SB_ERR_IO, "cannot write %s: %s", path, strerror(failure));
    }
  }
  free(draft);
  free(path);
  return status;
}
