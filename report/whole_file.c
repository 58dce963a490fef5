// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sb_status cannot_write(const char *path, int failure, sb_error *err) {
  return sb_fail(err, SB_ERR_IO, "cannot write %s: %s", path, strerror(failure));
}

sb_status sb_file_replaceable(const char *path, sb_error *err) {
  struct stat info;
  if (lstat(path, &info) != 0) {
    return errno == ENOENT ? SB_OK : cannot_write(path, errno, err);
  }
  if (S_ISREG(info.st_mode)) {
    return SB_OK;
  }
  const char *what = S_ISDIR(info.st_mode)    ? "a folder"
                     : S_ISLNK(info.st_mode)  ? "a symbolic link"
                     : S_ISFIFO(info.st_mode) ? "a pipe"
                     : S_ISSOCK(info.st_mode) ? "a socket"
                                              : "a device";
  (void)sb_fail(err, SB_ERR_IO, "cannot write %s: it is %s", path, what);
  sb_error_hint(err, "only regular files are replaced: choose another name");
  return SB_ERR_IO;
}

sb_status sb_draft_open(const char *path, FILE **out, char **draft, sb_error *err) {
  size_t size = strlen(path) + sizeof ".tmp";
  *out = NULL;
  *draft = NULL;
  SB_TRY(sb_file_replaceable(path, err));
  char *name = malloc(size);
  if (name == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  (void)snprintf(name, size, "%s.tmp", path);
  sb_status status = sb_file_replaceable(name, err);
  if (status == SB_OK) {
    (void)unlink(name); // of a program that was killed
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    *out = file >= 0 ? fdopen(file, "w") : NULL;
    status = *out != NULL ? SB_OK : cannot_write(path, errno, err);
  }
  if (status != SB_OK) {
    free(name);
    return status;
  }
  *draft = name;
  return SB_OK;
}

sb_status sb_draft_finish(const char *path, char *draft, bool good, sb_error *err) {
  sb_status status = SB_OK;
  if (good) {
    status = sb_file_replaceable(path, err); // it may have changed meanwhile
    if (status == SB_OK && rename(draft, path) != 0) {
      status = cannot_write(path, errno, err);
    }
  }
  if (!good || status != SB_OK) {
    (void)unlink(draft);
  }
  free(draft);
  return status;
}

/** 0, or the errno of what went wrong. */
static int fill_and_close(FILE *out, sb_filler fill, const void *context) {
  fill(context, out);
  // A failed write leaves its bytes in the buffer: flushing fails again, and sets errno.
  errno = 0;
  int failure = fflush(out) != 0 || ferror(out) ? (errno != 0 ? errno : EIO) : 0;
  if (fclose(out) != 0 && failure == 0) {
    failure = errno;
  }
  return failure;
}

sb_status sb_whole_file(const char *path, sb_filler fill, const void *context, sb_error *err) {
  FILE *out;
  char *draft;
  SB_TRY(sb_draft_open(path, &out, &draft, err));
  int failure = fill_and_close(out, fill, context);
  sb_status status = sb_draft_finish(path, draft, failure == 0, err);
  return failure == 0 ? status : cannot_write(path, failure, err);
}
