// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a netlist imports: in or below the folder of the root file, whatever links there
// are; each is read once, however often it is imported.
#define _XOPEN_SOURCE 700 // realpath

#include "netlist/reader/import_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/submodels_private.h"
#include "netlist/reader/texts.h"

/** Limits of what is imported. Beyond them: SB_ERR_TOO_LARGE. */
enum {
  FILES_MAX = 256,     // files of a netlist
  BYTES_MAX = 64 << 20 // bytes of all of them
};

/** One file. */
typedef struct source {
  const char *real; // without links
  int scope;        // its file in messages
  bool open;        // its imports are being read
  int importer;     // file that imported it first
  sb_xml_document *document;
} source;

typedef struct importing {
  sb_reader *reader;
  const char *folder; // of the root file, without links, with a '/' at its end
  source *files;
  int count, capacity;
  size_t size; // of all files
} importing;

/** The length of the folder of a path, with its '/'. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

static bool is_url(const char *href) {
  size_t length = strspn(href, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
  return length > 0 && href[length] == ':';
}

static sb_status check_href(const char *href, sb_error *err) {
  if (href[0] == '\0') {
    return sb_fail(err, SB_ERR_REFERENCE, "the name of a file is missing");
  }
  if (is_url(href)) {
    (void)sb_fail(err, SB_ERR_FORBIDDEN, "'%.80s' is an address: only files can be imported", href);
  } else if (href[0] == '/' || strchr(href, '\\') != NULL) {
    (void)sb_fail(err, SB_ERR_FORBIDDEN, "'%.80s' is not relative to the folder of this file",
                  href);
  } else {
    return SB_OK;
  }
  sb_error_hint(err, "write a path such as parts/motor.sub.xml");
  return err->status;
}

static sb_status outside(const char *href, sb_error *err) {
  (void)sb_fail(err, SB_ERR_FORBIDDEN, "'%.80s' lies outside the folder of the netlist", href);
  sb_error_hint(err, "files in or below it can be imported");
  return err->status;
}

/** Whether the steps of a path ever lead above where it begins, `depth` folders below the top. */
static bool climbs_out(const char *href, int depth) {
  while (*href != '\0') {
    size_t length = strcspn(href, "/");
    bool up = length == 2 && memcmp(href, "..", 2) == 0;
    bool stay = length == 0 || (length == 1 && href[0] == '.');
    depth += up ? -1 : stay ? 0 : 1;
    if (depth < 0) {
      return true;
    }
    href += length + (href[length] == '/');
  }
  return false;
}

static int folders(const char *path) {
  int count = 0;
  for (; *path != '\0'; path++) {
    count += *path == '/';
  }
  return count;
}

/** A path without links, kept by the reader; NULL: errno tells why. */
static const char *real_path(sb_reader *reader, const char *path) {
  char *real = realpath(path, NULL);
  const char *kept = real == NULL ? NULL : sb_reader_keep(reader, real, strlen(real));
  int number = errno;
  free(real);
  errno = number;
  return kept;
}

/** The file of an import without links. */
static sb_status find_file(const importing *in, int importer, const char *path, const char *href,
                           const char **real, sb_error *err) {
  size_t top = strlen(in->folder);
  if (climbs_out(href, folders(in->files[importer].real + top))) {
    return outside(href, err);
  }
  *real = real_path(in->reader, path);
  if (*real == NULL) {
    int number = errno;
    char reason[128] = "it cannot be read";
    (void)strerror_r(number, reason, sizeof reason);
    return number == ENOENT ? sb_fail(err, SB_ERR_REFERENCE, "there is no file '%.160s'", href)
                            : sb_fail(err, SB_ERR_IO, "cannot open '%.160s': %s", href, reason);
  }
  return strncmp(*real, in->folder, top) == 0 ? SB_OK : outside(href, err);
}

/** Reports the circular reference from file `first` to file `last` and back. */
static sb_status circle(const importing *in, int first, int last, sb_error *err) {
  int chain[FILES_MAX], count = 0;
  char text[SB_ERROR_TEXT / 2] = "";
  size_t used = 0;
  for (int i = last; i != first && i >= 0; i = in->files[i].importer) {
    chain[count++] = i;
  }
  chain[count++] = first;
  for (int i = count - 1; i >= 0 && used < sizeof text; i--) {
    const char *file = in->reader->scopes.list[in->files[chain[i]].scope].file;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s -> ", file + folder_length(file));
  }
  const char *file = in->reader->scopes.list[in->files[first].scope].file;
  return sb_fail(err, SB_ERR_REFERENCE, "circular import of files: %s%s", text,
                 file + folder_length(file));
}

static int add_file(importing *in, const char *real, int scope, int importer) {
  if (scope < 0 || !sb_arena_grow(&in->reader->memory, &in->files, &in->capacity, in->count + 1,
                                  sizeof(source))) {
    sb_report_memory(in->reader);
    return -1;
  }
  in->files[in->count] = (source){.real = real, .scope = scope, .open = true, .importer = importer};
  return in->count++;
}

/** Reads a file for the first time; its own errors are reported at their places. */
static sb_status read_file(importing *in, int file, const char *href, sb_error *err) {
  sb_reader *reader = in->reader;
  char *bytes;
  size_t size;
  sb_error load = {0};
  sb_status status = sb_xml_load(in->files[file].real, &bytes, &size, &load);
  if (status != SB_OK) {
    return sb_fail(err, status, "'%.80s': %.300s", href, load.text);
  }
  in->size += size;
  if (in->size > BYTES_MAX) {
    free(bytes);
    return sb_fail(err, SB_ERR_TOO_LARGE, "the imported files have more than %d bytes", BYTES_MAX);
  }
  sb_xml_document *document;
  status = sb_xml_read_memory(reader->scopes.list[in->files[file].scope].file, bytes, size,
                              &document, reader->errors);
  free(bytes);
  if (status != SB_OK) {
    return SB_OK; // reported
  }
  sb_files *files = &reader->files;
  if (!sb_arena_grow(&reader->memory, &files->imported, &files->imported_capacity,
                     files->imported_count + 1, sizeof(sb_xml_document *))) {
    sb_xml_destroy(document);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  files->imported[files->imported_count++] = document;
  in->files[file].document = document;
  return SB_OK;
}

static void read_imports_of(importing *in, int file, const sb_xml_node *root);

/** An imported file holds one sub-model. */
static void take_file(importing *in, int file) {
  sb_reader *reader = in->reader;
  const sb_xml_node *root = sb_xml_root(in->files[file].document);
  int scope = in->files[file].scope;
  sb_error err;
  if (strcmp(root->name, "submodel") != 0) {
    (void)sb_fail(&err, SB_ERR_ELEMENT, "the root of an imported file is <submodel>, not <%.80s>",
                  root->name);
    sb_report_node(reader, scope, root, &err);
    return;
  }
  if (sb_xml_attribute_find(root, "version") == NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "<submodel> needs the attribute 'version'");
    sb_error_hint(&err, "version: of the language: 1");
    sb_report_node(reader, scope, root, &err);
  }
  (void)sb_define_submodel(reader, root, scope);
  read_imports_of(in, file, root);
}

static sb_status import_file(importing *in, int importer, const char *href, sb_error *err) {
  sb_reader *reader = in->reader;
  const char *above = reader->scopes.list[in->files[importer].scope].file;
  size_t folder = folder_length(above), length = folder + strlen(href) + 1;
  const char *real = NULL;
  SB_TRY(check_href(href, err));
  char *path = sb_arena_take(&reader->memory, length);
  if (path == NULL) {
    sb_report_memory(reader);
    return SB_OK;
  }
  (void)snprintf(path, length, "%.*s%s", (int)folder, above, href);
  sb_status status = find_file(in, importer, path, href, &real, err);
  for (int i = 0; status == SB_OK && i < in->count; i++) {
    if (strcmp(in->files[i].real, real) == 0) {
      return in->files[i].open ? circle(in, i, importer, err) : SB_OK;
    }
  }
  if (status == SB_OK && in->count == FILES_MAX) {
    status = sb_fail(err, SB_ERR_TOO_LARGE, "more than %d files", FILES_MAX);
  }
  SB_TRY(status);
  int scope = sb_add_scope(
      reader, &(sb_scope){.path = "", .file = path, .outer = -1, .use = -1, .submodel = -1});
  int file = add_file(in, real, scope, importer);
  if (file < 0) {
    return SB_OK; // reported
  }
  status = read_file(in, file, href, err);
  if (in->files[file].document != NULL) {
    take_file(in, file);
  }
  in->files[file].open = false;
  return status;
}

static void read_imports_of(importing *in, int file, const sb_xml_node *root) {
  for (const sb_xml_node *node = root->first_child; node != NULL; node = node->next) {
    sb_xml_attribute *href =
        strcmp(node->name, "import") == 0 ? sb_xml_attribute_find(node, "href") : NULL;
    sb_error err = {0};
    if (href == NULL) {
      continue; // what is missing is reported with the other attributes
    }
    sb_status status = in->folder == NULL
                           ? sb_fail(&err, SB_ERR_FORBIDDEN,
                                     "a netlist that is not read from a file has no imports")
                           : import_file(in, file, href->value, &err);
    if (status != SB_OK) {
      in->reader->unfinished = true;
      const sb_setting setting = {
          .value = href->value, .attribute = href, .scope = in->files[file].scope};
      sb_report_value(in->reader, &setting, &err);
    }
  }
}

void sb_read_imports(sb_reader *reader) {
  importing in = {.reader = reader};
  const char *real = reader->files.from_file ? real_path(reader, reader->files.name) : NULL;
  if (real != NULL) {
    in.folder = sb_reader_keep(reader, real, folder_length(real));
  }
  int root = add_file(&in, real != NULL ? real : "", 0, -1);
  if (root >= 0) {
    read_imports_of(&in, root, sb_xml_root(reader->files.root));
  }
}
