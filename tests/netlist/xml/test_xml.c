// SPDX-License-Identifier: GPL-3.0-or-later
// The XML reader: the tree with its places, and everything that it refuses.
#include "tests/fixture.h"

#include <fcntl.h>
#include <time.h>

#include "netlist/xml/xml.h"

static sb_xml_document *read_text(const char *text) {
  sb_xml_document *document;
  sb_errors errors = {0};
  if (sb_xml_read_memory("m.xml", text, strlen(text), &document, &errors) != SB_OK) {
    fail_msg("%d:%d: %s", errors.items[0].line, errors.items[0].column, errors.items[0].text);
  }
  assert_int_equal(errors.count, 0);
  return document;
}

static void check_node(const sb_xml_node *node, const char *name, int line, int column) {
  assert_non_null(node);
  assert_string_equal(node->name, name);
  assert_int_equal(node->line, line);
  assert_int_equal(node->column, column);
}

static void check_attribute(const sb_xml_node *node, int index, const char *name, const char *value,
                            const int places[4]) {
  assert_true(index < node->attribute_count);
  const sb_xml_attribute *attribute = &node->attributes[index];
  assert_string_equal(attribute->name, name);
  assert_string_equal(attribute->value, value);
  assert_int_equal(attribute->line, places[0]);
  assert_int_equal(attribute->column, places[1]);
  assert_int_equal(attribute->value_line, places[2]);
  assert_int_equal(attribute->value_column, places[3]);
}

static void reads_the_tree_with_places(void **state) {
  (void)state;
  sb_xml_document *document = read_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                        "<!-- \xc3\xa4 <a> --><root id='r'>\n"
                                        "\t<C id=\"C1\"\n"
                                        "\t   c = \"10 uF\"/><!-- b -->\n"
                                        "  <!-- \xc3\xa4\xc3\xb6 --><D  e='a > b'></D >\n"
                                        "</root>\n<!-- end -->\n");
  sb_xml_node *root = sb_xml_root(document);
  check_node(root, "root", 2, 15);
  check_attribute(root, 0, "id", "r", (int[]){2, 21, 2, 25});
  check_node(root->first_child, "C", 3, 2);
  check_attribute(root->first_child, 0, "id", "C1", (int[]){3, 5, 3, 9});
  check_attribute(root->first_child, 1, "c", "10 uF", (int[]){4, 5, 4, 10});
  const sb_xml_node *last = root->first_child->next;
  check_node(last, "D", 5, 14);
  check_attribute(last, 0, "e", "a > b", (int[]){5, 18, 5, 21});
  assert_ptr_equal(last->parent, root);
  assert_null(last->next);
  assert_null(last->first_child);
  assert_null(root->parent);
  assert_string_equal(sb_xml_file(document), "m.xml");
  assert_int_equal(strncmp(sb_xml_source(document), "<?xml", 5), 0);
  assert_null(sb_xml_attribute_find(root, "x"));
  assert_ptr_equal(sb_xml_attribute_find(root, "id"), root->attributes);
  sb_xml_destroy(document);
  sb_xml_destroy(NULL);
}

static void reads_windows_files(void **state) {
  (void)state;
  sb_xml_document *document = read_text("\xEF\xBB\xBF<r>\r\n  <a b=\"1\r\n2\" c='3'/>\r\n</r>\r\n");
  sb_xml_node *root = sb_xml_root(document);
  check_node(root, "r", 1, 1);
  check_node(root->first_child, "a", 2, 3);
  check_attribute(root->first_child, 0, "b", "1 2", (int[]){2, 6, 2, 9});
  check_attribute(root->first_child, 1, "c", "3", (int[]){3, 4, 3, 7});
  int line, column;
  sb_xml_value_place(&root->first_child->attributes[0], 3, &line, &column);
  assert_int_equal(line, 3);
  assert_int_equal(column, 1);
  sb_xml_destroy(document);
}

static void resolves_references(void **state) {
  (void)state;
  sb_xml_document *document = read_text("<r a='&lt;&amp;&gt;&quot;&apos;' b='&amp;#38;' "
                                        "c='x&#181;&#x26;y&#38;lt;' d='\xc2\xb5&lt;\xc2\xb5z'/>");
  const sb_xml_node *root = sb_xml_root(document);
  check_attribute(root, 0, "a", "<&>\"'", (int[]){1, 4, 1, 7});
  check_attribute(root, 1, "b", "&#38;", (int[]){1, 34, 1, 37});
  check_attribute(root, 2, "c", "x\xc2\xb5&y&lt;", (int[]){1, 48, 1, 51});
  check_attribute(root, 3, "d", "\xc2\xb5<\xc2\xb5z", (int[]){1, 75, 1, 78});
  static const int places[][2] = {{0, 78}, {1, 78}, {2, 79}, {3, 83}, {4, 84}, {5, 85}, {9, 85}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    int line, column;
    sb_xml_value_place(&root->attributes[3], places[i][0], &line, &column);
    assert_int_equal(line, 1);
    assert_int_equal(column, places[i][1]);
  }
  sb_xml_destroy(document);
}

static void check_bytes(const char *bytes, size_t size, sb_status status, int line, int column,
                        const char *text) {
  sb_xml_document *document = (void *)&document;
  sb_errors errors = {0};
  assert_int_equal(sb_xml_read_memory("m.xml", bytes, size, &document, &errors), status);
  assert_null(document);
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, text);
  assert_string_equal(errors.items[0].file, "m.xml");
  assert_int_equal(errors.items[0].status, status);
  assert_int_equal(errors.items[0].line, line);
  assert_int_equal(errors.items[0].column, column);
  sb_errors_finish(&errors);
}

typedef struct refusal {
  const char *source;
  sb_status status;
  int line, column;
  const char *text;
} refusal;

static void check_all(const refusal *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    check_bytes(cases[i].source, strlen(cases[i].source), cases[i].status, cases[i].line,
                cases[i].column, cases[i].text);
  }
}

#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

static void refuses_what_is_not_well_formed(void **state) {
  (void)state;
  static const refusal cases[] = {
      {"", SB_ERR_XML, 1, 1, "the file is empty"},
      {" \n ", SB_ERR_XML, 2, 2, "the file contains no element"},
      {"<r>\n <a>\n </b>\n</r>", SB_ERR_XML, 3, 2,
       "</b> does not match <a>, opened in line 2, column 2"},
      {"<r>\n\t<\xc3\xa4"
       "a></r>",
       SB_ERR_XML, 2, 6,
       "</r> does not match <\xc3\xa4"
       "a>, opened in line 2, column 2"},
      {"<r>\n <a>\n", SB_ERR_XML, 2, 2, "<a> is never closed"},
      {"<r/>\n</r>", SB_ERR_XML, 2, 1, "</r> closes nothing: no element is open"},
      {"<r/>\n<s/>", SB_ERR_XML, 2, 1, "<s> follows the end of the root element"},
      {"<r a=\"1\" b='2' a='3'/>", SB_ERR_XML, 1, 16, "the attribute 'a' is given twice"},
      {"<r>\n<a id=\"x/>\n<b id=\"y\"/></r>", SB_ERR_XML, 2, 7,
       "the value of 'id' has no closing quotation mark"},
      {"<r a='1", SB_ERR_XML, 1, 6, "the value of 'a' has no closing quotation mark"},
      {"<r a=1/>", SB_ERR_XML, 1, 6, "the value of 'a' needs quotation marks"},
      {"<r a/>", SB_ERR_XML, 1, 5, "'=' is expected here, after the attribute 'a'"},
      {"<r a='1'b='2'/>", SB_ERR_XML, 1, 9, "a blank is expected here, inside '<r'"},
      {"<r 5='1'/>", SB_ERR_XML, 1, 4, "the name of an attribute is expected here"},
      {"<r>< a/></r>", SB_ERR_XML, 1, 5, "the name of an element is expected here"},
      {"<r>\n  <a b='1'\n", SB_ERR_XML, 2, 3, "the tag '<a' has no closing '>'"},
      {"<r></r x>", SB_ERR_XML, 1, 8, "'>' is expected here, after '</r'"},
      {"<r>\n <!-- a", SB_ERR_XML, 2, 2, "the comment is not closed"},
      {"<r>\n <!-- a -- b --></r>", SB_ERR_XML, 2, 9, "'--' is not allowed inside a comment"},
      {"<r>\n<a b='x & y'/></r>", SB_ERR_XML, 2, 9, "'&' begins no known reference"},
      {"<r a='&lt'/>", SB_ERR_XML, 1, 7, "'&' begins no known reference"},
      {"<r a='x&#0;'/>", SB_ERR_XML, 1, 8, "'&#0;' is not a character that XML allows"},
      {"<r a='&#xD800;'/>", SB_ERR_XML, 1, 7, "'&#xD800;' is not a character that XML allows"},
      {"<r a='&#99999999999;'/>", SB_ERR_XML, 1, 7,
       "'&#99999999999;' is not a character that XML allows"},
      {"<r a='&#;'/>", SB_ERR_XML, 1, 7, "'&' begins no known reference"},
      {" <?xml version='1.0'?><r/>", SB_ERR_XML, 1, 2,
       "the XML declaration must be the first thing in the file"},
      {"<?xml version='1.0'", SB_ERR_XML, 1, 1, "the XML declaration is not closed"},
      {"<?xml version='1.1'?><r/>", SB_ERR_XML, 1, 16, "a netlist is XML 1.0, not '1.1'"},
  };
  CHECK_ALL(cases);
}

/** Faults that only libxml2 knows; its words differ from version to version. */
static void passes_on_what_libxml2_finds(void **state) {
  (void)state;
  static const refusal cases[] = {
      {"<?xml encoding='UTF-8'?><r/>", SB_ERR_XML, 1, 0, NULL},
      {"<r>\n<!-- \xc3\xa4 --><\xc3\x97/></r>", SB_ERR_XML, 2, 0, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sb_xml_document *document;
    sb_errors errors = {0};
    assert_int_equal(
        sb_xml_read_memory("m.xml", cases[i].source, strlen(cases[i].source), &document, &errors),
        cases[i].status);
    assert_null(document);
    assert_int_equal(errors.count, 1);
    assert_int_equal(strncmp(errors.items[0].text, "not well-formed XML: ", 21), 0);
    assert_int_equal(errors.items[0].line, cases[i].line);
    assert_in_range(errors.items[0].column, 1, 25);
    sb_errors_finish(&errors);
  }
}

static void refuses_what_has_no_place_in_a_netlist(void **state) {
  (void)state;
  static const refusal cases[] = {
      {"<?xml version='1.0'?>\n<!DOCTYPE r [<!ENTITY a \"b\">]><r/>", SB_ERR_FORBIDDEN, 2, 1,
       "a netlist has no DOCTYPE"},
      {"<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r/>", SB_ERR_FORBIDDEN, 1, 1,
       "a netlist has no DOCTYPE"},
      {"<r>\n <!ENTITY a 'b'></r>", SB_ERR_FORBIDDEN, 2, 2, "a netlist has no entities"},
      {"<!ELEMENT r ANY><r/>", SB_ERR_FORBIDDEN, 1, 1, "a netlist has no declarations"},
      {"<r a='1 &lol9;'/>", SB_ERR_FORBIDDEN, 1, 9,
       "unknown entity 'lol9': a netlist has no entities"},
      {"<r>\n<?php 1 ?></r>", SB_ERR_FORBIDDEN, 2, 1, "a netlist has no processing instructions"},
      {"<r>\n <xi:include href='a.xml'/></r>", SB_ERR_FORBIDDEN, 2, 3,
       "'xi:include': a netlist has no namespaces"},
      {"<r xmlns='urn:x'/>", SB_ERR_FORBIDDEN, 1, 4, "'xmlns': a netlist has no namespaces"},
      {"<r a='1'\n xml:lang='de'/>", SB_ERR_FORBIDDEN, 2, 2,
       "'xml:lang': a netlist has no namespaces"},
      {"<r>\n <a/> x</r>", SB_ERR_TEXT, 2, 7, "a netlist has no text: everything is in attributes"},
      {"<r>&#32;</r>", SB_ERR_TEXT, 1, 4, "a netlist has no text: everything is in attributes"},
      {"<r><![CDATA[ ]]></r>", SB_ERR_TEXT, 1, 4,
       "a netlist has no text: everything is in attributes"},
      {"hello", SB_ERR_TEXT, 1, 1, "a netlist has no text: everything is in attributes"},
      {"<r/> x", SB_ERR_TEXT, 1, 6, "a netlist has no text: everything is in attributes"},
  };
  CHECK_ALL(cases);
}

static void refuses_other_encodings(void **state) {
  (void)state;
  static const refusal cases[] = {
      {"<?xml version='1.0' encoding='ISO-8859-1'?><r/>", SB_ERR_XML, 1, 31,
       "a netlist is encoded in UTF-8, not in 'ISO-8859-1'"},
      {"<r>\n <!-- \xc3\xa4\xe4 --></r>", SB_ERR_XML, 2, 8,
       "the byte 0xE4 is not valid UTF-8 here"},
      {"<r a='\xc0\xaf'/>", SB_ERR_XML, 1, 7, "the byte 0xC0 is not valid UTF-8 here"},
      {"<r/>\xe2\x84", SB_ERR_XML, 1, 5, "the byte 0xE2 is not valid UTF-8 here"},
      {"<r a='\x1b[31m'/>", SB_ERR_XML, 1, 7, "XML does not allow the character U+001B"},
      {"<r a='\xef\xbf\xbf'/>", SB_ERR_XML, 1, 7, "XML does not allow the character U+FFFF"},
  };
  CHECK_ALL(cases);
  check_bytes("<r>\0</r>", 8, SB_ERR_XML, 1, 4, "a zero byte");
  check_bytes("\xff\xfe<\0r\0", 6, SB_ERR_XML, 1, 1,
              "a netlist is encoded in UTF-8, not in UTF-16");
  check_bytes("\xfe\xff\0<\0r", 6, SB_ERR_XML, 1, 1,
              "a netlist is encoded in UTF-8, not in UTF-16");
  check_bytes("<\0r\0/\0>\0", 8, SB_ERR_XML, 1, 2, "a zero byte");
}

/** `count` times `piece`, behind `head`. */
static char *repeat(const char *head, const char *piece, size_t count, size_t *size) {
  size_t length = strlen(piece);
  char *text = malloc(strlen(head) + length * count + 1);
  assert_non_null(text);
  strcpy(text, head);
  char *to = text + strlen(head);
  for (size_t i = 0; i < count; i++, to += length) {
    memcpy(to, piece, length);
  }
  *to = '\0';
  *size = (size_t)(to - text);
  return text;
}

static void refuses_beyond_the_limits(void **state) {
  (void)state;
  static const struct {
    const char *head, *piece;
    size_t count;
    int column;
    const char *text;
  } cases[] = {
      {"", "<d>", 100000, 3 * 64 + 1, "elements nested more than 64 deep"},
      {"<r a='", "0123456789", 104858, 4, "the value of 'a' has more than 1048576 bytes"},
      {"<", "longname", 26, 2, "a name of more than 200 bytes"},
      {"<r>", "<e/>", 2000000, 3 + 4 * 1999999 + 1, "more than 2000000 elements"},
      {"<r>", "          ", 1677722, 0, "the file is larger than 16777216 bytes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t size;
    char *text = repeat(cases[i].head, cases[i].piece, cases[i].count, &size);
    if (strcmp(cases[i].head, "<r a='") == 0) {
      text[size - 1] = '\'';
    }
    check_bytes(text, size, SB_ERR_TOO_LARGE, cases[i].column > 0 ? 1 : 0, cases[i].column,
                cases[i].text);
    free(text);
  }
}

static void refuses_many_attributes_at_once(void **state) {
  (void)state;
  char *text = malloc(20000 * 16 + 8), *to = text;
  assert_non_null(text);
  to += sprintf(to, "<r");
  for (int i = 0; i < 20000; i++) {
    to += sprintf(to, "\n a%d='%d'", i, i);
  }
  to += sprintf(to, "/>");
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  check_bytes(text, (size_t)(to - text), SB_ERR_TOO_LARGE, 66, 2,
              "<r> has more than 64 attributes");
  clock_gettime(CLOCK_MONOTONIC, &end);
  assert_true((double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec) <
              0.5);
  free(text);
}

static void reads_up_to_the_limits(void **state) {
  (void)state;
  char text[64 * 32], *to = text;
  for (int i = 0; i < SB_XML_DEPTH_MAX; i++) {
    to += sprintf(to, "<d>");
  }
  for (int i = 0; i < SB_XML_DEPTH_MAX; i++) {
    to += sprintf(to, "</d>");
  }
  sb_xml_destroy(read_text(text));
  to = text + sprintf(text, "<r");
  for (int i = 0; i < SB_XML_ATTRIBUTES_MAX; i++) {
    to += sprintf(to, " a%d='%d'", i, i);
  }
  sprintf(to, "/>");
  sb_xml_document *document = read_text(text);
  assert_int_equal(sb_xml_root(document)->attribute_count, SB_XML_ATTRIBUTES_MAX);
  assert_string_equal(sb_xml_root(document)->attributes[63].value, "63");
  sb_xml_destroy(document);
}

static void check_file(const char *path, sb_status status, const char *text) {
  sb_xml_document *document;
  sb_errors errors = {0};
  assert_int_equal(sb_xml_read_file(path, &document, &errors), status);
  assert_null(document);
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, text);
  assert_string_equal(errors.items[0].file, path);
  assert_int_equal(errors.items[0].line, strcmp(text, "the file is empty") == 0); // it has a start
  sb_errors_finish(&errors);
}

static void reads_only_regular_files(void **state) {
  (void)state;
  char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
  make_folder(folder);
  check_file(folder, SB_ERR_FILE, "cannot read: it is a folder");
  check_file("/dev/zero", SB_ERR_FILE, "cannot read: it is not a regular file");
  snprintf(path, sizeof path, "%s/none.xml", folder);
  check_file(path, SB_ERR_IO, "cannot open: No such file or directory");
  snprintf(path, sizeof path, "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  check_file(path, SB_ERR_FILE, "cannot read: it is not a regular file");
  snprintf(path, sizeof path, "%s/a.xml", folder);
  write_file(folder, "a.xml", "<r>\n  <a/>\n</r>\n");
  sb_xml_document *document;
  sb_errors errors = {0};
  assert_int_equal(sb_xml_read_file(path, &document, &errors), SB_OK);
  check_node(sb_xml_root(document)->first_child, "a", 2, 3);
  assert_string_equal(sb_xml_file(document), path);
  sb_xml_destroy(document);
  if (geteuid() != 0) {
    assert_int_equal(chmod(path, 0), 0);
    check_file(path, SB_ERR_IO, "cannot open: Permission denied");
  }
  write_file(folder, "a.xml", "");
  check_file(path, SB_ERR_XML, "the file is empty");
  assert_int_equal(truncate(path, SB_XML_SIZE_MAX + 1), 0);
  check_file(path, SB_ERR_TOO_LARGE, "the file is larger than 16777216 bytes");
  remove_folder(folder);
}

/** Texts cut anywhere, and with single bytes changed: never more than an error. */
static void survives_damage(void **state) {
  (void)state;
  static const char sample[] =
      "<?xml version=\"1.0\"?>\n<r a='&lt;\xc2\xb5'>\n<!-- c --><b c=\"1 > 2\" "
      "d='&#181;'/>\n<e></e></r>\n";
  static const char bytes[] = "<>&;'\"/=-!?# \n\r\t\0\x80\xc2:x";
  char text[sizeof sample];
  for (size_t i = 0; i < sizeof sample - 1; i++) {
    for (size_t j = 0; j < sizeof bytes; j++) {
      sb_xml_document *document;
      sb_errors errors = {0};
      memcpy(text, sample, sizeof text);
      text[i] = bytes[j];
      size_t size = j == 0 ? i : sizeof sample - 1;
      sb_status status = sb_xml_read_memory("m", text, size, &document, &errors);
      assert_true((status == SB_OK) == (document != NULL));
      assert_int_equal(errors.count, status != SB_OK);
      assert_int_not_equal(status, SB_ERR_INTERNAL);
      sb_xml_destroy(document);
      sb_errors_finish(&errors);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_the_tree_with_places),
      cmocka_unit_test(reads_windows_files),
      cmocka_unit_test(resolves_references),
      cmocka_unit_test(refuses_what_is_not_well_formed),
      cmocka_unit_test(passes_on_what_libxml2_finds),
      cmocka_unit_test(refuses_what_has_no_place_in_a_netlist),
      cmocka_unit_test(refuses_other_encodings),
      cmocka_unit_test(refuses_beyond_the_limits),
      cmocka_unit_test(refuses_many_attributes_at_once),
      cmocka_unit_test(reads_up_to_the_limits),
      cmocka_unit_test(reads_only_regular_files),
      cmocka_unit_test(survives_damage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
