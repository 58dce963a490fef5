// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a regular file as a whole. Opening never waits: a pipe without a writer is refused.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "netlist/xml/xml.h"

static sb_status fail_system(sb_error *err, const char *what, int number) {
  char reason[128];
  if (strerror_r(number, reason, sizeof reason) != 0) {
    (void)snprintf(reason, sizeof reason, "error %d", number);
  }
  return sb_fail(err, SB_ERR_IO, "%s: %s", what, reason);
}

static sb_status check_kind(int file, size_t *size, sb_error *err) {
  struct stat info;
  if (fstat(file, &info) != 0) {
    return fail_system(err, "cannot read", errno);
  }
  if (S_ISDIR(info.st_mode)) {
    return sb_fail(err, SB_ERR_FILE, "cannot read: it is a folder");
  }
  if (!S_ISREG(info.st_mode)) {
    return sb_fail(err, SB_ERR_FILE, "cannot read: it is not a regular file");
  }
  if (info.st_size > SB_XML_SIZE_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "the file is larger than %d bytes", SB_XML_SIZE_MAX);
  }
  *size = (size_t)info.st_size;
  return SB_OK;
}

/** Reads to the end, which may lie elsewhere than the size says. */
static sb_status read_all(int file, size_t expected, char **bytes, size_t *size, sb_error *err) {
  size_t capacity = expected + 2;
  *size = 0;
  *bytes = malloc(capacity);
  while (*bytes != NULL) {
    ssize_t count = read(file, *bytes + *size, capacity - 1 - *size);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return fail_system(err, "cannot read", errno);
    }
    if (count == 0) {
      (*bytes)[*size] = '\0';
      return SB_OK;
    }
    *size += (size_t)count;
    if (*size > SB_XML_SIZE_MAX) {
      return sb_fail(err, SB_ERR_TOO_LARGE, "the file is larger than %d bytes", SB_XML_SIZE_MAX);
    }
    if (*size == capacity - 1) {
      capacity *= 2;
      char *larger = realloc(*bytes, capacity);
      if (larger == NULL) {
        break;
      }
      *bytes = larger;
    }
  }
  return sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

sb_status sb_xml_load(const char *path, char **bytes, size_t *size, sb_error *err) {
  *bytes = NULL;
  *size = 0;
  sb_status status;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) {
    status = fail_system(err, "cannot open", errno);
  } else {
    size_t expected = 0;
    status = check_kind(file, &expected, err);
    if (status == SB_OK) {
      status = read_all(file, expected, bytes, size, err);
    }
    (void)close(file);
  }
  if (status != SB_OK) {
    free(*bytes);
    *bytes = NULL;
    *size = 0;
    if (err != NULL) {
      (void)snprintf(err->file, sizeof err->file, "%s", path);
    }
  }
  return status;
}
