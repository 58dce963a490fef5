// SPDX-License-Identifier: GPL-3.0-or-later
// A strict checker of JSON (RFC 8259), and a look at single values.
#ifndef SB_TESTS_JSON_CHECK_H
#define SB_TESTS_JSON_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline const char *json_skip(const char *at) {
  return at + strspn(at, " \t\r\n");
}

/** All of these return what follows, NULL where it is not JSON. */
static inline const char *json_value(const char *at, int depth);

static inline const char *json_string(const char *at) {
  if (*at++ != '"') {
    return NULL;
  }
  while (*at != '"') {
    if ((unsigned char)*at < 0x20) { // also the end of the text
      return NULL;
    }
    if (*at++ != '\\') {
      continue;
    }
    if (*at == 'u') {
      if (strspn(at + 1, "0123456789abcdefABCDEF") < 4) {
        return NULL;
      }
      at += 5;
    } else if (*at != '\0' && strchr("\"\\/bfnrt", *at) != NULL) {
      at++;
    } else {
      return NULL;
    }
  }
  return at + 1;
}

static inline const char *json_digits(const char *at) {
  size_t count = at != NULL ? strspn(at, "0123456789") : 0;
  return count > 0 ? at + count : NULL;
}

static inline const char *json_number(const char *at) {
  at += *at == '-';
  at = *at == '0' ? at + 1 : json_digits(at);
  if (at != NULL && *at == '.') {
    at = json_digits(at + 1);
  }
  if (at != NULL && (*at == 'e' || *at == 'E')) {
    at++;
    at = json_digits(at + (*at == '+' || *at == '-'));
  }
  return at;
}

static inline const char *json_members(const char *at, char close, int depth) {
  at = json_skip(at + 1);
  if (*at == close) {
    return at + 1;
  }
  for (;;) {
    if (close == '}') {
      at = json_string(at);
      at = at != NULL ? json_skip(at) : NULL;
      if (at == NULL || *at++ != ':') {
        return NULL;
      }
    }
    at = json_value(json_skip(at), depth + 1);
    if (at == NULL) {
      return NULL;
    }
    at = json_skip(at);
    if (*at == close) {
      return at + 1;
    }
    if (*at != ',') {
      return NULL;
    }
    at = json_skip(at + 1);
  }
}

static inline const char *json_value(const char *at, int depth) {
  static const char *const words[] = {"true", "false", "null"};
  if (depth > 100) {
    return NULL;
  }
  if (*at == '{' || *at == '[') {
    return json_members(at, *at == '{' ? '}' : ']', depth);
  }
  if (*at == '"') {
    return json_string(at);
  }
  for (int i = 0; i < 3; i++) {
    if (strncmp(at, words[i], strlen(words[i])) == 0) {
      return at + strlen(words[i]);
    }
  }
  return json_number(at);
}

static inline bool json_valid(const char *text) {
  const char *end = json_value(json_skip(text), 0);
  return end != NULL && *json_skip(end) == '\0';
}

/** What stands behind `"key": `, keys one inside the other separated by '/'; NULL: no such key.
 *  Looks at objects only, and expects valid JSON. */
static inline const char *json_at(const char *text, const char *path) {
  const char *at = json_skip(text);
  while (*path != '\0') {
    size_t length = strcspn(path, "/");
    bool found = false;
    for (at = *at == '{' ? json_skip(at + 1) : NULL; at != NULL && *at == '"' && !found;) {
      const char *key = at + 1, *end = json_string(at);
      at = json_skip(json_skip(end) + 1);
      found = (size_t)(end - 1 - key) == length && strncmp(key, path, length) == 0;
      if (!found) {
        at = json_skip(json_value(at, 0));
        at = *at == ',' ? json_skip(at + 1) : NULL;
      }
    }
    if (!found) {
      return NULL;
    }
    path += length + (path[length] == '/');
  }
  return at;
}

#endif
