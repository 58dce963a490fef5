// SPDX-License-Identifier: GPL-3.0-or-later
#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report.h"

char *folder_default(const char *model) {
  const char *slash = strrchr(model, '/');
  const char *name = slash != NULL ? slash + 1 : model;
  const char *dot = strrchr(name, '.');
  int length = dot != NULL && dot != name ? (int)(dot - name) : (int)strlen(name);
  size_t size = (size_t)length + sizeof ".out";
  char *folder = malloc(size);
  if (folder != NULL) {
    (void)snprintf(folder, size, "%.*s.out", length, name);
  }
  return folder;
}

char *folder_file(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL) {
    (void)snprintf(path, size, "%s/%s", folder, name);
  }
  return path;
}

/** 0, or an errno. */
static int make_one(const char *path) {
  struct stat info;
  if (mkdir(path, 0777) == 0) {
    return 0;
  }
  int failure = errno;
  if (failure == EEXIST && stat(path, &info) == 0) {
    return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
  }
  return failure;
}

static int make_all(char *path) {
  for (char *at = path + 1; *at != '\0'; at++) {
    if (*at == '/') {
      *at = '\0';
      int failure = make_one(path);
      *at = '/';
      if (failure != 0) {
        return failure;
      }
    }
  }
  return make_one(path);
}

/** Takes away a file of an earlier run. */
static sb_status remove_stale(const char *folder, const char *name, sb_error *err) {
  char *file = folder_file(folder, name);
  if (file == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  int failure = unlink(file) == 0 || errno == ENOENT ? 0 : errno;
  free(file);
  return failure == 0
             ? SB_OK
             : sb_fail(err, SB_ERR_IO, "cannot replace %s/%s: %s", folder, name, strerror(failure));
}

sb_status folder_prepare(const char *folder, sb_error *err) {
  char *path = strdup(folder);
  if (path == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  int failure = make_all(path);
  free(path);
  if (failure != 0) {
    return sb_fail(err, SB_ERR_IO, "cannot make the folder %s: %s", folder, strerror(failure));
  }
  SB_TRY(remove_stale(folder, "results.csv", err));
  for (const sb_report_file *file = sb_report_files; file->name != NULL; file++) {
    SB_TRY(remove_stale(folder, file->name, err));
  }
  return SB_OK;
}
