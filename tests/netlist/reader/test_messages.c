// SPDX-License-Identifier: GPL-3.0-or-later
// Every fault of a netlist is found at its place, once, and worded with a hint at what was meant.
#include "netlist/language/schema.h"
#include "tests/netlist/reader/parsing.h"

enum { TEXT = 8192 };

static void texts_of_faults(void **state) {
  (void)state;
  check_fault("<netlist/>", NULL, 0, SB_ERR_ELEMENT, 1, 1,
              "the root of a netlist is <screwbond>, not <netlist>", "");
  check_fault(NETLIST("<netwerk/>"), NULL, 0, SB_ERR_ELEMENT, 2, 1,
              "unknown element <netwerk> in <screwbond>", "did you mean 'network'?");
  check_fault(NETLIST("<bond from='a' to='b'/>"), NULL, 0, SB_ERR_ELEMENT, 2, 1,
              "<bond> is not allowed in <screwbond>", "it belongs in <network>");
  check_fault(NETLIST("<network><joint id='a'/></network>"), NULL, 0, SB_ERR_ELEMENT, 2, 10,
              "<joint> is not allowed in <network>", "it belongs in <mechanism>");
  check_fault(NETLIST("<run t-end='1 s' maxstep='1'/>"), NULL, 0, SB_ERR_ATTRIBUTE, 2, 18,
              "<run> has no attribute 'maxstep'", "did you mean 'max-step'?");
  check_fault(NETLIST("<run/>"), NULL, 0, SB_ERR_MISSING, 2, 1, "<run> needs the attribute 't-end'",
              "t-end: end of the run");
  check_fault(NETLIST("<run t-end='1 s'/>\n<run t-end='2 s'/>"), NULL, 0, SB_ERR_DUPLICATE, 3, 1,
              "a second <run>; the first is in line 2", "");
  check_fault(NETLIST("<output of='C1'/>"), NULL, 0, SB_ERR_REFERENCE, 2, 13,
              "'C1' is not a quantity", "write ELEMENT.QUANTITY, for instance C1.e");
  check_fault("<screwbond version='2' id='m'/>", NULL, 0, SB_ERR_VERSION, 1, 21,
              "version '2' of the language is not known", "this program reads version 1");
}

static void texts_of_names(void **state) {
  (void)state;
  check_fault(NETLIST("<parameters><param id='a' value='1'/>\n<param id='a' value='1'/>"
                      "</parameters>"),
              NULL, 0, SB_ERR_DUPLICATE, 3, 12, "'a' is the id of a <param> in line 2 already", "");
  check_fault(NETLIST("<network><J0 id='4a'/></network>"), NULL, 0, SB_ERR_CHOICE, 2, 18,
              "an id begins with a letter or '_', unlike '4a'", "letters, digits, '_' and '-'");
  check_fault(NETLIST("<network><J0 id='a b'/></network>"), NULL, 0, SB_ERR_CHOICE, 2, 19,
              "'a b' cannot be an id", "letters, digits, '_' and '-'");
  check_fault(NETLIST("<parameters><param id='a' value='b'/><param id='b' value='a'/>"
                      "</parameters>"),
              NULL, 0, SB_ERR_REFERENCE, 2, 34,
              "param 'a': circular reference among the parameters: a -> b -> a", "");
  check_fault(NETLIST("<network><R id='R1' r='2'/><J0 id='junction'/>\n"
                      "<bond from='juncton' to='R1'/></network>"),
              NULL, 0, SB_ERR_REFERENCE, 3, 13, "there is no element 'juncton'",
              "did you mean 'junction'?");
  check_fault(NETLIST("<network><R id='R1' r='2'/><TF id='t' ratio='2'/>\n"
                      "<bond from='t.form' to='R1'/></network>"),
              NULL, 0, SB_ERR_PORT, 3, 15, "TF 't' has no port 'form'", "did you mean 'from'?");
  check_fault(NETLIST("<network><R id='R1' class='big' r='2'/></network>"), NULL, 0,
              SB_ERR_REFERENCE, 2, 28, "R 'R1': <defaults> has no class 'big' of <R>", "");
}

/** What one knows outside and not inside of a sub-model, and the other way round. */
static void texts_across_submodels(void **state) {
  (void)state;
#define CELL(r_)                                                                                   \
  "<submodel id='Cell'><parameters><param id='r'/></parameters><port id='in' domain='electric' "   \
  "node='R'/><network domain='electric'>\n<R id='R' r='" r_ "'/></network></submodel>"
#define USE(set_)                                                                                  \
  "<network domain='electric'><Se id='V' effort='1 V'/>\n<use id='s' submodel='Cell'>" set_        \
  "</use><bond from='V' to='s.in'/></network>"
  check_fault(
      NETLIST(CELL("r") USE("<set param='r' value='1 V'/>")), NULL, 0, SB_ERR_DIMENSION, 4, 51,
      "set of use 's': the parameter 'r' does not fit: expected a unit like ohm (its domain "
      "is electric)",
      "r is kg.m^2/(s^3.A), expected is kg.m^2/(s^3.A^2)");
  check_fault(NETLIST("<parameters><param id='Rw' value='1 ohm'/></parameters>" CELL("r*Rw/1[ohm]")
                          USE("<set param='r' value='1 ohm'/>")),
              NULL, 0, SB_ERR_REFERENCE, 3, 16, "R 'R': unknown name 'Rw' (in 's')",
              "'Rw' is a parameter outside of the sub-model, which knows its own alone: declare "
              "<param id=\"Rw\"/> in it, and give it by <set param=\"Rw\" value=\"Rw\"/> where it "
              "is used");
  check_fault(NETLIST(CELL("r") USE("<set param='r' value='1 ohm'/>") "<output of='R.f'/>"), NULL,
              0, SB_ERR_REFERENCE, 4, 113, "there is no element 'R'", "did you mean 's/R'?");
  // what cannot be reached from outside is not suggested
  check_fault(NETLIST("<parameters><param id='w' value='r*2'/></parameters>" CELL("r")
                          USE("<set param='r' value='1 ohm'/>")),
              NULL, 0, SB_ERR_REFERENCE, 2, 34, "param 'w': unknown name 'r'", "");
#undef CELL
#undef USE
}

/** A bond to a joint that failed is no fault of its own. */
static void follow_up_of_a_joint(void **state) {
  (void)state;
  check_fault(NETLIST("<network domain='rotation'><Se id='T' effort='1 N.m'/><bond from='T' "
                      "to='j'/></network><mechanism><body id='a' mass='1 kg' com='0 0 1 m' "
                      "point-mass='yes'/><joint id='j' kind='hinge' axis='0 1 0' parent='world' "
                      "child='a'/></mechanism>"),
              NULL, 0, SB_ERR_CHOICE, 2, 176, "joint 'j': there is no joint 'hinge'",
              "one of: revolute, prismatic, helical, cylindrical, universal, translational, "
              "spherical, planar, free, fixed");
}

static void texts_of_numbers_with_names(void **state) {
  (void)state;
  check_fault(NETLIST("<parameters><param id='pi' value='3'/></parameters>"), NULL, 0,
              SB_ERR_DUPLICATE, 2, 13, "a parameter 'pi' would take the place of the number pi",
              "give it another name; the number pi is known without it");
  check_fault(NETLIST("<network domain='electric'><signal id='pi' value='0.5'/></network>"), NULL,
              0, SB_ERR_DUPLICATE, 2, 28, "a signal 'pi' would take the place of the number pi",
              "give it another name; the number pi is known without it");
  check_fault(NETLIST("<parameters><param id='a-b' value='3'/></parameters>"), NULL, 0,
              SB_ERR_CHOICE, 2, 13,
              "no expression can name a parameter 'a-b': there it is a difference",
              "write the name without '-', as with '_'");
  check_fault(
      NETLIST("<network><signal id='u' value='t'/><Delay id='d' of='u' delay='t'/></network>"),
      NULL, 0, SB_ERR_REFERENCE, 2, 64, "Delay 'd': unknown parameter 't'",
      "t is the time, and this value stays as it is during a run: write a number, as 2[s], "
      "or a parameter");
  check_fault(NETLIST("<network domain='electric'><Se id='V' effort='5[V]*w'/></network>"), NULL, 0,
              SB_ERR_REFERENCE, 2, 52, "Se 'V': unknown name 'w'", "there is only 't'");
}

/** What is written as another program, or a formula, would have it. */
static void texts_of_slips_of_the_pen(void **state) {
  (void)state;
  check_fault(NETLIST("<network><R id='R r='3'/></network>"), NULL, 0, SB_ERR_XML, 2, 22,
              "a blank is expected here, inside '<R'",
              "the value of 'id' is 'R r=': its closing quotation mark seems to be missing");
  check_fault(
      NETLIST(
          "<network domain='electric'><R id='r' flows='1 mA, 2 mA' efforts='1 2 V'/></network>"),
      NULL, 0, SB_ERR_REFERENCE, 2, 47, "R 'r': unknown name 'mA'",
      "the unit of a list comes once, after the last number, and blanks separate the numbers");
  check_fault(
      NETLIST("<network><TransferFunction id='y' of='t/1[s]' num='1' den='s+1'/></network>"), NULL,
      0, SB_ERR_REFERENCE, 2, 60, "TransferFunction 'y': unknown name 's'",
      "den takes numbers: coefficients of the denominator, the highest power of s first; bare "
      "numbers, SI");
  check_fault(NETLIST("<network domain='electric'><R id='r' r='1'/><Se id='s' effort='1 V'/><bond "
                      "from='s' to='r'/><bond from='s' to='r'/></network>"),
              NULL, 0, SB_ERR_PORT, 2, 93, "the bond between 'r' and 's' is stated twice",
              "one bond carries all of the power between two ports");
}

/** The unit of a number may be the name of a parameter, of its own or of one defined later, or of a signal. */
static void units_that_are_names_too(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(
      NETLIST("<parameters><param id='m' value='2 m'/><param id='h' value='2 s'/>"
              "<param id='s' value='3 h'/><param id='k' value='2 m/s'/><param id='V' value='5 V'/>"
              "<param id='A' value='7*V'/></parameters>"
              "<network domain='electric'><signal id='mV' value='3 mV'/>"
              "<Se id='a' effort='V'/><Se id='b' effort='V*s/h'/><Se id='c' effort='A'/>"
              "<Se id='d' effort='V*m/k/1[s]'/><Se id='f' effort='9 mV'/></network>"
              "<run t-end='1 s'/>"),
      NULL, 0);
  assert_near(number_of(n, "a", "effort", 0), 5, 0);
  assert_near(number_of(n, "b", "effort", 0), 5.0 * 3 * 3600 / 2, 1e-9);
  assert_near(number_of(n, "c", "effort", 0), 35, 0);
  assert_near(number_of(n, "d", "effort", 0), 5, 0);
  assert_near(number_of(n, "f", "effort", 0), 9e-3, 1e-18);
  sb_netlist_destroy(n);
  check_fault(NETLIST("<parameters><param id='m' value='2 m' unit='kg'/></parameters>"), NULL, 0,
              SB_ERR_DIMENSION, 2, 36, "the unit 'm' does not fit: expected a unit like kg",
              "m is m, expected is kg"); // 2*m would be m by itself
}

static void hints_at_parameters_named_as_units(void **state) {
  (void)state;
  static const char end[] = "<screwbond version='1' id='m'><parameters><param id='A' value='%s'/>"
                            "</parameters><network/>\n<run t-end='5 A'/></screwbond>";
  for (int fits = 0; fits < 2; fits++) {
    char text[300];
    (void)snprintf(text, sizeof text, end, fits ? "2 s" : "3 m");
    check_fault(text, NULL, 0, SB_ERR_DIMENSION, 2, 15,
                "the unit 'A' does not fit: expected a unit like s",
                fits ? "for the parameter of the same name write *A" : "A is A, expected is s");
  }
  static const char form[] =
      NETLIST("<parameters><param id='L' value='0.3 m'/><param id='m' value='0.5 kg'/></parameters>"
              "<mechanism>\n<body id='b' mass='m' point-mass='yes' position='%s'/></mechanism>");
  static const struct {
    const char *position;
    int column;
    const char *message, *hint;
  } rows[] = {
      {"0 0 L/2", 56, "body 'b': a unit cannot contain a number other than 1",
       "for the parameter of the same name write +L"},
      {"0 0 m", 50, "body 'b': position takes 3 numbers, got 2",
       "for the parameter of the same name write +m"},
      {"0 0 L/2 m", 58, "body 'b': the parameter 'm' does not fit: expected a unit like m",
       "after an expression, which has a unit of its own, 'm' is the parameter of this name, not "
       "the unit"},
  };
  char text[600];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    (void)snprintf(text, sizeof text, form, rows[i].position);
    check_fault(text, NULL, 0, i == 0 ? SB_ERR_UNIT : SB_ERR_DIMENSION, 3, rows[i].column,
                rows[i].message, rows[i].hint);
  }
}

static void hints_at_other_names_of_attributes(void **state) {
  (void)state;
  check_fault(NETLIST("<network domain='translation'><I id='m' mas='2 kg'/></network>"), NULL, 0,
              SB_ERR_ATTRIBUTE, 2, 41, "<I> has no attribute 'mas'", "did you mean 'mass'?");
}

static void hints_at_what_other_programs_write(void **state) {
  (void)state;
  check_fault(NETLIST("<network domain='electric'><L id='L1' l='2 H'/></network>"), NULL, 0,
              SB_ERR_ELEMENT, 2, 28, "unknown element <L> in <network>",
              "an inductor is <I l=\"...\">");
  check_fault(NETLIST("<network domain='electric'><Se id='V' value='2 V'/></network>"), NULL, 0,
              SB_ERR_ATTRIBUTE, 2, 39, "<Se> has no attribute 'value'",
              "the effort of an Se is 'effort'");
  check_fault(NETLIST("<network domain='electric'><Se id='V' effort='2[V]*sin(2*pi*50*t)'/>"
                      "</network>"),
              NULL, 0, SB_ERR_DIMENSION, 2, 56,
              "Se 'V': sin takes a pure number, but '2*pi*50*t' is in s",
              "a frequency has its unit, too: sin(2*pi*50[Hz]*t)");
}

static void hints_at_operators_that_are_not_there(void **state) {
  (void)state;
  static const struct {
    const char *value, *message, *hint;
    int column;
  } rows[] = {
      {"if(t &lt; 1[s] &amp;&amp; t > 0[s], 1[V], 2[V])",
       "Se 'V': ')' or an operator is missing before '&'",
       "both of two conditions: (a < b)*(c < d)", 62},
      {"if(t > 1[s] or t > 0[s], 1[V], 2[V])", "Se 'V': ')' or an operator is missing before 'o'",
       "one of two conditions: max(a < b, c < d)", 59},
      {"2**3*1[V]", "Se 'V': a number or name is missing before '*'",
       "a power is written ^, as in 2^3", 49},
      {"if(t &lt; 0.1 s, 1[V], 2[V])", "Se 'V': ')' or an operator is missing before 's'",
       "in an expression units stand in brackets: 50[ms]", 61},
      {"if(!(t > 1[s]), 1[V], 2[V])", "Se 'V': a number or name is missing before '!'",
       "where a condition does not hold: (a < b) == 0", 50},
      {"$U", "Se 'V': '$U' is not a number", "a parameter is written by its name alone", 47},
      {"2*$U", "Se 'V': a number or name is missing before '$'",
       "a parameter or signal is written by its name alone", 49},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[300];
    (void)snprintf(text, sizeof text,
                   NETLIST("<network domain='electric'><Se id='V' effort='%s'/></network>"),
                   rows[i].value);
    check_fault(text, NULL, 0, SB_ERR_NUMBER, 2, rows[i].column, rows[i].message, rows[i].hint);
  }
}

/** What a unit is expected to be like is spelled as its domain does. */
static void units_of_domains(void **state) {
  (void)state;
  static const char *const rows[][3] = {
      {"electric", "C id='z' c", "F"},         {"electric", "I id='z' l", "H"},
      {"electric", "R id='z' r", "ohm"},       {"translation", "C id='z' c", "m/N"},
      {"translation", "I id='z' l", "kg"},     {"translation", "R id='z' r", "N.s/m"},
      {"rotation", "C id='z' c", "rad/(N.m)"}, {"rotation", "I id='z' l", "kg.m^2"},
      {"rotation", "Se id='z' effort", "N.m"}, {"hydraulic", "C id='z' c", "m^3/Pa"},
      {"hydraulic", "I id='z' l", "kg/m^4"},   {"hydraulic", "R id='z' r", "Pa.s/m^3"},
      {"thermal", "C id='z' c", "J/K^2"},      {"thermal", "R id='z' r", "K^2/W"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[300], message[200];
    (void)snprintf(text, sizeof text, NETLIST("<network domain='%s'><%s='3 m^7'/></network>"),
                   rows[i][0], rows[i][1]);
    (void)snprintf(
        message, sizeof message,
        "%.*s 'z': the unit 'm^7' does not fit: expected a unit like %s (its domain is %s)",
        (int)strcspn(rows[i][1], " "), rows[i][1], rows[i][2], rows[i][0]);
    const int column = (int)(strstr(text, "m^7") - strchr(text, '\n'));
    check_fault(text, NULL, 0, SB_ERR_DIMENSION, 2, column, message, NULL);
  }
}

/** A short id is no guess: what begins alike and is one letter off is listed, unless the name itself stands inside a use. */
static void short_names(void **state) {
  (void)state;
  static const char *const rows[][3] = {{"c1", "c2", "did you mean 'c1'?"},
                                        {"c", "c2", "did you mean 'c'?"},
                                        {"C1", "c1", "did you mean 'C1'?"},
                                        {"c1", "c", "did you mean 'c1'?"},
                                        {"m2", "c2", ""},
                                        {"c1'/><J1 id='c3", "c2", "did you mean one of c1, c3?"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[300];
    (void)snprintf(text, sizeof text,
                   NETLIST("<network domain='electric'><J1 id='%s'/><J1 id='j'/>\n<bond from='j' "
                           "to='%s'/></network>"),
                   rows[i][0], rows[i][1]);
    char message[60];
    (void)snprintf(message, sizeof message, "there is no element '%s'", rows[i][1]);
    check_fault(text, NULL, 0, SB_ERR_REFERENCE, 3, 20, message, rows[i][2]);
  }
}

static void texts_of_domains(void **state) {
  (void)state;
  check_fault(NETLIST("<network><R id='R1' r='2 ohm'/></network>"), NULL, 0, SB_ERR_DOMAIN, 2, 24,
              "a unit needs a domain, and that of 'R1' is not known",
              "give the network, or the element, a domain: electric, translation, rotation, "
              "hydraulic or thermal");
  check_fault(NETLIST("<network domain='electric'><Se id='u' effort='10 V'/><TF id='a' "
                      "ratio='0.5'/>\n<MTF id='b' ratio='2*tanh(s/1[V])'/><R id='r' r='1 ohm'/>"
                      "<signal id='s' value='1[V]'/><bond from='u' to='a'/><bond from='a' to='b'/>"
                      "<bond from='b' to='r'/></network>"),
              NULL, 0, SB_ERR_DOMAIN, 3, 20,
              "a unit needs a domain, and that of port 'from' of 'b' is not known",
              "what is joined there has none either: put a J0 or J1 with a domain between them");
  check_fault(
      NETLIST("<network domain='electric'><C id='C1' c='1e-6 m/N'/></network>"), NULL, 0,
      SB_ERR_DIMENSION, 2, 47,
      "C 'C1': the unit 'm/N' does not fit: expected a unit like F (its domain is electric)", NULL);
  check_fault(NETLIST("<network domain='electrical'><R id='R1' r='2 ohm'/></network>"), NULL, 0,
              SB_ERR_CHOICE, 2, 18, "there is no domain 'electrical'", "did you mean 'electric'?");
  check_fault(NETLIST("<network domain='electric'><R id='R1' r='2' domain='rotation'/>"
                      "<J0 id='j'/><C id='C1' c='2'/><bond from='j' to='C1'/>"
                      "\n<bond from='j' to='R1'/></network>"),
              NULL, 0, SB_ERR_DOMAIN, 3, 1, "bond j -> R1 joins the domains electric and rotation",
              "a transducer TF or GY leads from one domain to another");
  check_fault(NETLIST("<network><C id='C1' domain='screw' dim='6' c='1 m/N'/></network>"), NULL, 0,
              SB_ERR_DOMAIN, 2, 47, "C 'C1': components of the domain screw have different units",
              "write bare numbers, in SI");
}

#define SHAPED(shapes, contacts)                                                                   \
  NETLIST("<materials><material id='m' stiffness='1 1 2 kN/m' spin-stiffness='1 N.m/rad'/>"        \
          "</materials><mechanism><body id='b' mass='1 kg' material='m' position='0 0 1 m'\n"      \
          "inertia='1 1 1 kg.m^2'>\n" shapes "</body><ground id='g'>"                              \
          "<shape kind='plane' normal='0 0 1'/></ground>\n" contacts "</mechanism>")
#define LEGS                                                                                       \
  "<shape id='leg1' kind='sphere' radius='2 cm' at='10 0 -10 cm'/>"                                \
  "<shape id='leg2' kind='point' at='-10 0 -10 cm'/>"

static void shapes_of_a_body(void **state) {
  (void)state;
  check_fault(SHAPED("<shape kind='box' size='1 1 1 m'/>", "<contacts among='b g'/>"), NULL, 0,
              SB_ERR_MISSING, 4, 1,
              "a box without an edge-radius has sharp edges, and can be in no contact",
              "give it an edge-radius, or leave it out of contacts");
  check_fault(SHAPED("<shape kind='box' size='1 -1 1 m' edge-radius='1 cm'/>", ""), NULL, 0,
              SB_ERR_RANGE, 4, 25, "shape of body 'b': size must be positive", "");
  check_fault(SHAPED("<shape kind='box' size='1 1 1 m' edge-radius='1 m'/>", ""), NULL, 0,
              SB_ERR_RANGE, 4, 1,
              "the edge-radius of this box must be from 0.00018660254 to 0.5 m, not 1 m", "");
  check_fault(SHAPED("<shape kind='torus' radius='1 m' tube-radius='2 m'/>", ""), NULL, 0,
              SB_ERR_RANGE, 4, 1,
              "the tube-radius of a torus must be less than its radius, not 2 against 1 m", "");
  check_fault(SHAPED("<shape kind='ellipsoid' semi-axes='1 0 1 m'/>", ""), NULL, 0, SB_ERR_RANGE, 4,
              36, "shape of body 'b': semi-axes must be positive", "");
  check_fault(SHAPED("<shape kind='tube' radius='1 m'/>", "<contacts among='b g'/>"), NULL, 0,
              SB_ERR_CONTACT, 5, 1, "a contact between the shapes tube and plane is not supported",
              "");
  check_fault(SHAPED(LEGS, "<contact id='c' a='b' b='g'/>"), NULL, 0, SB_ERR_CONTACT, 5, 1,
              "the contact 'c' is of 2 pairs of shapes",
              "name one shape of each body, or leave out the id");
  check_fault(SHAPED(LEGS, "<contact a='leg1' b='leg2'/>"), NULL, 0, SB_ERR_CONTACT, 5, 22,
              "a contact of 'b' with itself", "");
  check_fault(SHAPED(LEGS, "<contact a='leg1' b='g'/>\n<contacts among='g b'/>"), NULL, 0,
              SB_ERR_DUPLICATE, 6, 1, "'g' and 'leg1' have a contact in line 5 already", "");
  check_fault(SHAPED(LEGS, "<contact a='leg3' b='g'/>"), NULL, 0, SB_ERR_REFERENCE, 5, 13,
              "there is no body, ground or shape 'leg3'", "did you mean 'leg1'?");
  check_fault(NETLIST("<mechanism><body id='b' mass='1 kg'><shape kind='point'/></body>"
                      "</mechanism>"),
              NULL, 0, SB_ERR_MISSING, 2, 12, "body 'b' needs the attribute 'inertia'",
              "its shape bounds no solid");
}

static void texts_of_mechanisms(void **state) {
  (void)state;
  check_fault(NETLIST("<mechanism><body id='b' mass='1 kg'/></mechanism>"), NULL, 0, SB_ERR_MISSING,
              2, 12, "body 'b' needs the attribute 'inertia'",
              "with a shape that bounds a solid it would be that of the uniform solid");
  check_fault(NETLIST("<mechanism><body id='b' mass='1 kg' inertia='1 1'/></mechanism>"), NULL, 0,
              SB_ERR_DIMENSION, 2, 46, "body 'b': inertia takes 3 or 6 numbers, got 2",
              "xx yy zz, or xx yy zz xy xz yz, about the centre of mass");
  check_fault(NETLIST("<mechanism><ground id='g'><shape kind='plane' normal='0 0 1'/>"
                      "</ground>\n<contact a='g' b='h'/></mechanism>"),
              NULL, 0, SB_ERR_REFERENCE, 3, 19, "there is no body, ground or shape 'h'", "");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction='bristle'/></laws>"),
              NULL, 0, SB_ERR_CHOICE, 2, 108, "contact-law 'l': there is no friction 'bristle'",
              "one of: none, coulomb, viscous, stribeck, bristle-dwell");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction='coulomb' mu='0.5' "
                      "mu-static='0.4'/></laws>"),
              NULL, 0, SB_ERR_RANGE, 2, 137,
              "contact-law 'l': the mu-static of the friction 'coulomb' must not be below mu: 0.4 "
              "is below 0.5",
              "");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction='coulomb'/></laws>"),
              NULL, 0, SB_ERR_MISSING, 2, 62, "mu is missing: friction=\"coulomb\" needs it", "");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction-radius='1 cm'/></laws>"),
              NULL, 0, SB_ERR_ATTRIBUTE, 2, 115,
              "contact-law 'l': friction-radius is without effect with friction=\"none\"", "");
}

/** A ball and a floor with materials and a law, the mechanism in the lines 3 and 4. */
#define BALL(material, law)                                                                        \
  NETLIST("<materials><material id='m' " material "/></materials><laws><contact-law id='l' " law   \
          "/></laws>\n<mechanism><body id='b' mass='1 kg' material='m'><shape kind='sphere' "      \
          "radius='1 cm'/></body><ground id='g'><shape kind='plane' normal='0 0 1'/></ground>\n"   \
          "<contact a='g' b='b' law='l'/></mechanism>")

/** Beyond what a pair can compute with a stiffness is refused by its size, with axes of its own or without. */
static void texts_of_huge_stiffnesses(void **state) {
  (void)state;
  static const struct {
    const char *attribute, *others, *message;
  } rows[] = {
      {"stiffness='1 1 1e200 N/m'", "",
       "stiffness must be zero or from 1e-100 to 1e+100 in SI units, not 1e+200"},
      {"stiffness='1 1 1e308 N/m'", "",
       "stiffness must be zero or from 1e-100 to 1e+100 in SI units, not 1e+308"},
      {"stiffness='1e140 2e140 1e140 N/m'", " axes='body'",
       "stiffness must be zero or from 1e-100 to 1e+100 in SI units, not 1e+140"},
      {"damping='0 0 1e-200 N.s/m'", " stiffness='1 1 1 N/m'",
       "damping must be zero or from 1e-100 to 1e+100 in SI units, not 1e-200"},
      {"youngs-modulus='1e101 Pa'", " poisson-ratio='0.3'",
       "youngs-modulus must be from 1e-100 to 1e+100 in SI units, not 1e+101"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char material[200], text[900], want[300];
    (void)snprintf(material, sizeof material, "%s%s", rows[i].attribute, rows[i].others);
    (void)snprintf(text, sizeof text, BALL("%s", "normal='linear'"), material);
    (void)snprintf(want, sizeof want, "material 'm': %s", rows[i].message);
    const int value = 30 + (int)strcspn(rows[i].attribute, "'");
    check_fault(text, NULL, 0, SB_ERR_RANGE, 2, value, want, "");
  }
  sb_netlist_destroy(
      read_netlist(BALL("axes='body' stiffness='1e99 2e99 1e99 N/m'", "normal='linear'"), NULL, 0));
}

static void texts_of_moduli(void **state) {
  (void)state;
  const char *const good = BALL("youngs-modulus='70 GPa' poisson-ratio='0.33'", "normal='hertz'");
  sb_netlist_destroy(read_netlist(good, NULL, 0));
  check_fault(BALL("youngs-modulus='70 GPa'", "normal='hertz'"), NULL, 0, SB_ERR_MISSING, 2, 12,
              "youngs-modulus and poisson-ratio go together", "");
  check_fault(BALL("stiffness='1 1 1' poisson-ratio='0.3'", "normal='linear'"), NULL, 0,
              SB_ERR_MISSING, 2, 12, "youngs-modulus and poisson-ratio go together", "");
  check_fault(BALL("spin-stiffness='1'", "normal='linear'"), NULL, 0, SB_ERR_MISSING, 2, 12,
              "a material needs a stiffness, or youngs-modulus and poisson-ratio",
              "or kind=\"steel\": screwbond list materials");
  check_fault(BALL("youngs-modulus='70 GPa' poisson-ratio='0.51'", "normal='hertz'"), NULL, 0,
              SB_ERR_RANGE, 2, 12, "a poisson-ratio is above -1 and at most 0.5, not 0.51", "");
  check_fault(BALL("stiffness='1 2 1'", "normal='linear'"), NULL, 0, SB_ERR_RANGE, 2, 12,
              "a material with directions needs axes that turn with the body",
              "axes=\"body\": the numbers are then along x, y and z of the body");
  check_fault(BALL("stiffness='1 1 1' damping-coupling='0 1 0'", "normal='linear'"), NULL, 0,
              SB_ERR_RANGE, 2, 12, "a material with directions needs axes that turn with the body",
              NULL);
  check_fault(BALL("axes='body' stiffness='1 2 3' stiffness-coupling='0 2 0'", "normal='linear'"),
              NULL, 0, SB_ERR_RANGE, 2, 12,
              "a stiffness in the axes of the body must be a positive definite tensor",
              "each number is positive, and those of the coupling are small beside them: xy^2 < xx "
              "yy, and the determinant above 1e-12 of the cube of xx + yy + zz");
  check_fault(BALL("axes='body' stiffness='1 2 0'", "normal='linear'"), NULL, 0, SB_ERR_RANGE, 2,
              12, "a stiffness in the axes of the body must be a positive definite tensor",
              "each number is positive, and those of the coupling are small beside them: xy^2 < xx "
              "yy, and the determinant above 1e-12 of the cube of xx + yy + zz");
  check_fault(BALL("axes='body' stiffness='1 2 3' damping='1 0 0'", "normal='linear'"), NULL, 0,
              SB_ERR_RANGE, 2, 12,
              "a damping in the axes of the body must be a positive definite tensor, or zero",
              "each number is positive, and those of the coupling are small beside them: xy^2 < xx "
              "yy, and the determinant above 1e-12 of the cube of xx + yy + zz");
  check_fault(BALL("axes='x' stiffness='1 2 3'", "normal='linear'"), NULL, 0, SB_ERR_CHOICE, 2, 35,
              "material 'm': axes cannot be 'x'", "one of: contact, body");
  check_fault(BALL("stiffness='1 1 1'", "normal='hertz'"), NULL, 0, SB_ERR_MISSING, 4, 1,
              "the law 'hertz' needs a Young's modulus, and the material of 'b' has none",
              "give the material youngs-modulus and poisson-ratio");
  check_fault(BALL("youngs-modulus='7' poisson-ratio='0.3'", "normal='hertz' stiffness='3'"), NULL,
              0, SB_ERR_RANGE, 4, 1,
              "the law 'hertz' takes its stiffness from the materials: leave out the law's own",
              "");
  check_fault(
      BALL("youngs-modulus='7' poisson-ratio='0.3'", "normal='linear'"), NULL, 0, SB_ERR_RANGE, 4,
      1,
      "the normal stiffness of the pair is zero: the law 'linear' needs one, and the material of "
      "'b' has only moduli",
      "law=\"hertz\" uses the moduli; or give the material a stiffness=\"0 0 1e4 N/m\"");
  check_fault(BALL("youngs-modulus='7' poisson-ratio='0.3'", "normal='hertz' stiffness-at='end'"),
              NULL, 0, SB_ERR_CHOICE, 2, 136,
              "contact-law 'l': the stiffness-at of the law 'hertz' cannot be 'end'",
              "one of: point, touch");
}

static void text_of_mindlin(void **state) {
  (void)state;
  check_fault(
      BALL("stiffness='1 1 1'", "normal='linear' tangential='mindlin'"), NULL, 0, SB_ERR_RANGE, 4,
      1, "tangential=\"mindlin\" needs the law hertz, and materials without axes of the body", "");
}

/** A rounded box is flat here and round there: Hertz's stiffness would jump. */
static void text_of_a_curvature_that_jumps(void **state) {
  (void)state;
  check_fault(NETLIST("<materials><material id='m' youngs-modulus='7 GPa' poisson-ratio='0.3'/>"
                      "</materials><laws><contact-law id='l' normal='hertz'/></laws><mechanism>"
                      "<body id='b' mass='1 kg' material='m'><shape kind='box' size='1 1 1 m' "
                      "edge-radius='1 cm'/></body><ground id='g'><shape kind='sphere' "
                      "radius='1 m'/></ground>\n<contact a='b' b='g' law='l'/></mechanism>"),
              NULL, 0, SB_ERR_CONTACT, 3, 1,
              "the law 'hertz' needs smooth curvatures, and that of a box jumps or is infinite",
              "");
}

/** Nor has that of a superellipsoid a finite derivative between the exponents 2 and 3, where Hertz's stiffness is that of the present point. */
static void text_of_a_curvature_without_derivative(void **state) {
  (void)state;
#define SUPERELLIPSOID(exponent, more)                                                             \
  NETLIST("<materials><material id='m' youngs-modulus='7 GPa' poisson-ratio='0.3'/>"               \
          "</materials><laws><contact-law id='l' " more "/></laws><mechanism>"                     \
          "<body id='b' mass='1 kg' material='m'><shape kind='superellipsoid' "                    \
          "semi-axes='1 1 1 m' exponent='" exponent "'/></body><ground id='g'><shape "             \
          "kind='sphere' radius='1 m' at='0 0 3 m'/></ground>\n<contact a='b' b='g' "              \
          "law='l'/></mechanism>")
  static const char *const taken[] = {
      SUPERELLIPSOID("2", "normal='hertz'"), SUPERELLIPSOID("3", "normal='hertz'"),
      SUPERELLIPSOID("2.5", "normal='hertz' stiffness-at='touch'"),
      SUPERELLIPSOID("2.5", "normal='hunt-crossley' stiffness='1e6'")};
  static const char hint[] =
      "stiffness-at=\"touch\" keeps the stiffness as it was where the bodies "
      "touched; or the exponent 2, an ellipsoid";
  check_fault(SUPERELLIPSOID("2.5", "normal='hertz'"), NULL, 0, SB_ERR_CONTACT, 3, 1,
              "the law 'hertz' needs curvatures with a finite derivative, and that of a "
              "superellipsoid with "
              "the exponent 2.5 has none where x, y or z of the shape is zero",
              hint);
  check_fault(
      SUPERELLIPSOID("2.9", "normal='azad-featherstone' stiffness-from='curvature'"), NULL, 0,
      SB_ERR_CONTACT, 3, 1,
      "the law 'azad-featherstone' needs curvatures with a finite derivative, and that of a "
      "superellipsoid with the exponent 2.9 has none where x, y or z of the shape is zero",
      hint);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    sb_errors errors = {0};
    sb_netlist *netlist = parse_with(taken[i], NULL, 0, &errors);
    show_errors(&errors);
    assert_non_null(netlist);
    sb_netlist_destroy(netlist);
    sb_errors_finish(&errors);
  }
}

/** An integral in a circle has a dimension, whoever is read first; one of the wrong one is found. */
static void circles_through_integrals(void **state) {
  (void)state;
  char text[TEXT];
  const char *const filters[] = {
      "<signal id='y' rate='(u - y)/2.385[s]'/>",
      "<signal id='d' value='(u - y)/2.385[s]'/><signal id='y' rate='d'/>",
      "<signal id='y' rate='d' start='3 V'/><signal id='d' value='(u - y)/2.385[s]'/>"};
  for (int i = 0; i < 4; i++) {
    const char *end = "<Se id='src' effort='y'/>" LOOP "<signal id='u' of='C1.e'/></network>";
    (void)snprintf(text, sizeof text,
                   NETLIST("<network domain='electric'>%s<R id='R1' r='2 ohm'/>"
                           "<C id='C1' c='3 F'/>%s"),
                   i < 3 ? filters[i] : "<signal id='y' rate='u - y'/>", end);
    if (i < 3) {
      sb_netlist_destroy(read_netlist(text, NULL, 0));
    } else {
      check_fault(text, NULL, 0, SB_ERR_DIMENSION, 2, 51, "'u' is in V, but 'y' is in Wb", "");
    }
  }
}

/** A failed element, parameter or class is reported once, however much refers to it. */
static void no_follow_up_errors(void **state) {
  (void)state;
  check_fault(NETLIST("<network domain='electric'><Sx id='src' effort='1 V'/>"
                      "<R id='R1' r='2 ohm'/><C id='C1' c='1 F'/>" LOOP "</network><audit>"
                      "<group id='g' "
                      "members='src'/></audit>"),
              NULL, 0, SB_ERR_ELEMENT, 2, 28, "unknown element <Sx> in <network>", NULL);
  check_fault(NETLIST("<defaults><R r='2 uhm'/></defaults><network domain='electric'>"
                      "<R id='R1'/><R id='R2'/><R id='R3'/></network>"),
              NULL, 0, SB_ERR_UNIT, 2, 19, "unknown unit 'uhm'", "did you mean 'ohm'?");
}

/** What the second item of an id would have been is meant where the first does not fit. */
static void no_follow_up_errors_of_an_id_used_twice(void **state) {
  static const struct {
    const char *first, *second, *rest;
  } rows[] = {
      {"<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<laws><contact-law id='s' normal='linear'/></laws>",
       "<mechanism><body id='g' mass='1' material='s'><shape kind='sphere' radius='0.1'/></body>"
       "<ground id='w' material='s'><shape kind='plane' normal='0 0 1'/></ground>"
       "<contact a='w' b='g' law='s'/></mechanism>"},
      {"<laws><contact-law id='s' normal='linear'/></laws>",
       "<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<mechanism><body id='g' mass='1' material='s'><shape kind='sphere' radius='0.1'/></body>"
       "<ground id='w' material='s'><shape kind='plane' normal='0 0 1'/></ground>"
       "<contact a='w' b='g' law='s'/></mechanism>"},
      {"<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<network domain='electric'><C id='s' c='1'/></network>",
       "<network domain='electric'><R id='r' r='1'/><J0 id='j'/><bond from='j' to='s'/>"
       "<bond from='j' to='r'/><signal id='u' of='s.e'/></network><output of='s.e'/>"},
      {"<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<mechanism><body id='s' mass='1' inertia='1 1 1'/>",
       "<body id='g' mass='1' inertia='1 1 1'/><Line id='l' from='g' to='s'/><joint "
       "id='j' kind='revolute' axis='0 0 1' parent='world' child='s'/></mechanism>"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1500];
    sb_errors errors = {0};
    (void)snprintf(text, sizeof text, "<screwbond version='1' id='m'>\n%s\n%s\n%s</screwbond>",
                   rows[i].first, rows[i].second, rows[i].rest);
    assert_null(parse_with(text, NULL, 0, &errors));
    if (errors.count != 1) {
      show_errors(&errors);
    }
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].status, SB_ERR_DUPLICATE);
    assert_int_equal(errors.items[0].line, 3);
    sb_errors_finish(&errors);
  }
}

/** Kinds that others make are neither written nor hinted at. */
static void components_are_not_written(void **state) {
  (void)state;
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    const sb_element_type *type;
    const bool made = strstr((*kind)->help, "(made by ") != NULL;
    assert_int_equal(sb_schema_find((*kind)->name, &type) == NULL, made);
  }
  check_fault(NETLIST("<network><bushing-elastic id='x'/></network>"), NULL, 0, SB_ERR_ELEMENT, 2,
              10, "unknown element <bushing-elastic> in <network>",
              "<network> takes: signal, Hysteresis, SampleHold, TransferFunction, Delay, bond, "
              "use, repeat, Se, Sf, C, I, R, CField, IField, ICField, RField, HeatR, Friction, TF, "
              "GY, MTF, MGY, J0, J1, Switch, Clutch, Diode, Stop");
  check_fault(NETLIST("<network domain='electric'><Cc id='x' c='1 F'/></network>"), NULL, 0,
              SB_ERR_ELEMENT, 2, 28, "unknown element <Cc> in <network>", "did you mean 'C'?");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follow_up_of_a_joint),
      cmocka_unit_test(texts_of_faults),
      cmocka_unit_test(texts_of_names),
      cmocka_unit_test(texts_across_submodels),
      cmocka_unit_test(texts_of_numbers_with_names),
      cmocka_unit_test(texts_of_slips_of_the_pen),
      cmocka_unit_test(units_that_are_names_too),
      cmocka_unit_test(hints_at_parameters_named_as_units),
      cmocka_unit_test(hints_at_other_names_of_attributes),
      cmocka_unit_test(hints_at_what_other_programs_write),
      cmocka_unit_test(hints_at_operators_that_are_not_there),
      cmocka_unit_test(texts_of_domains),
      cmocka_unit_test(units_of_domains),
      cmocka_unit_test(short_names),
      cmocka_unit_test(texts_of_mechanisms),
      cmocka_unit_test(shapes_of_a_body),
      cmocka_unit_test(texts_of_moduli),
      cmocka_unit_test(texts_of_huge_stiffnesses),
      cmocka_unit_test(text_of_mindlin),
      cmocka_unit_test(text_of_a_curvature_that_jumps),
      cmocka_unit_test(text_of_a_curvature_without_derivative),
      cmocka_unit_test(no_follow_up_errors),
      cmocka_unit_test(no_follow_up_errors_of_an_id_used_twice),
      cmocka_unit_test(components_are_not_written),
      cmocka_unit_test(circles_through_integrals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
