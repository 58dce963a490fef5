// SPDX-License-Identifier: GPL-3.0-or-later
#include "folder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "report/report.h"
#include "report/whole_file.h"

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
    const bool ends = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
    (void)snprintf(path, size, "%s%s%s", folder, ends ? "" : "/", name);
  }
  return path;
}

double folder_room(const char *folder) {
  struct statvfs info;
  char *path = folder_file(folder, ""), *slash;
  bool found = path != NULL && statvfs(path, &info) == 0;
  while (!found && path != NULL && (slash = strrchr(path, '/')) != NULL) { // those above it
    *slash = '\0';
    found = statvfs(*path != '\0' ? path : "/", &info) == 0;
  }
  found = found || statvfs(".", &info) == 0;
  free(path);
  return found ? (double)info.f_bavail * (double)info.f_frsize : HUGE_VAL;
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

typedef sb_status (*file_action)(const char *path, sb_error *err);

static sb_status remove_stale(const char *path, sb_error *err) {
  return unlink(path) == 0 || errno == ENOENT
             ? SB_OK
             : sb_fail(err, SB_ERR_IO, "cannot replace %s: %s", path, strerror(errno));
}

static sb_status act_on(const char *folder, const char *name, file_action act, sb_error *err) {
  char *path = folder_file(folder, name);
  if (path == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_status status = act(path, err);
  free(path);
  return status;
}

sb_status folder_prepare(const char *folder, sb_error *err) {
  char *path = strdup(folder);
  if (path == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  int failure = make_all(path);
  free(path);
  if (failure != 0) {
    return sb_fail(err, SB_ERR_IO, "cannot make the folder %s: %s", folder,
                   failure == EEXIST ? "a symbolic link in its path leads nowhere"
                                     : strerror(failure));
  }
  SB_TRY(act_on(folder, "results.csv", sb_file_replaceable, err));
  for (const sb_report_file *file = sb_report_files; file->name != NULL; file++) {
    SB_TRY(act_on(folder, file->name, sb_file_replaceable, err));
  }
  return SB_OK;
}

sb_status folder_begin(const char *folder, sb_error *err) {
  for (const sb_report_file *file = sb_report_files; file->name != NULL; file++) {
    SB_TRY(act_on(folder, file->name, remove_stale, err));
  }
  return SB_OK;
}
