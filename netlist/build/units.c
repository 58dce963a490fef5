// SPDX-License-Identifier: GPL-3.0-or-later
// Units of rows: as they are written, or as formulas of the units of the domains, such as "@q/e".
#include "netlist/build/units_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/graph/domain.h"
#include "core/graph/graph_data.h"

/** The error of a port without a domain. If it has no bond, the missing bond is the error. */
static sb_status no_domain(const sb_element *element, int port, sb_error *err) {
  const bool several = sb_port_count(element->type->ports, false) != 1;
  if (several && port < element->port_count && element->bonds[port] < 0) {
    (void)sb_fail(err, SB_ERR_PORT, "port '%s' of '%s' is not connected, and so has no domain",
                  element->type->ports[port].name, element->id);
    sb_error_hint(err, "a bond that arrives takes the first port, one that leaves the second");
    return err->status;
  }
  if (several) { // as of a transformer beside another one: neither is of a domain
    (void)sb_fail(err, SB_ERR_DOMAIN,
                  "a unit needs a domain, and that of port '%s' of '%s' is not known",
                  element->type->ports[port].name, element->id);
    sb_error_hint(err, "what is joined there has none either: put a J0 or J1 with a domain between "
                       "them");
    return err->status;
  }
  (void)sb_fail(err, SB_ERR_DOMAIN, "a unit needs a domain, and that of '%s' is not known",
                element->id);
  sb_error_hint(err, "give the network, or the element, a domain: electric, translation, rotation, "
                     "hydraulic or thermal");
  return err->status;
}

/** The unit of one symbol of a formula. */
static sb_status symbol_unit(const sb_port_domains *domains, const sb_element *element, char symbol,
                             int port, const char **unit, sb_error *err) {
  const char *name = port < sb_port_count(element->type->ports, true) && domains->of_port != NULL
                         ? domains->of_port[domains->first_port[element->index] + port]
                         : NULL;
  if (name == NULL) {
    return no_domain(element, port, err);
  }
  const sb_domain *domain = sb_domain_find(name);
  *unit = symbol == 'e'   ? domain->effort
          : symbol == 'f' ? domain->flow
          : symbol == 'q' ? domain->displacement
                          : domain->momentum;
  if (*unit == NULL) {
    (void)sb_fail(err, SB_ERR_DOMAIN, "components of the domain %s have different units", name);
    sb_error_hint(err, "write bare numbers, in SI");
    return err->status;
  }
  return SB_OK;
}

/** A momentum by itself counts the angle of its flow, so that kg.m^2.Hz is none. */
static sb_status count_angle(const sb_port_domains *domains, const sb_element *element, int port,
                             sb_dimension *momentum, sb_error *err) {
  const char *unit;
  sb_dimension flow;
  double scale;
  SB_TRY(symbol_unit(domains, element, 'f', port, &unit, err));
  SB_TRY(sb_unit_parse(unit, strlen(unit), &flow, &scale, err));
  momentum->angle = flow.angle;
  return SB_OK;
}

sb_status sb_formula_dimension(const sb_port_domains *domains, const sb_element *element,
                               const char *formula, sb_dimension *dimension, sb_error *err) {
  int sign = 1;
  *dimension = (sb_dimension){0};
  for (const char *at = formula + 1; *at != '\0';) {
    char symbol = *at++;
    if (symbol == '/') {
      sign = -1;
      continue;
    }
    if (strchr("efqp", symbol) == NULL) {
      continue; // a '1', a '.' or a '*'
    }
    int port = *at >= '1' && *at <= '9' ? *at++ - '1' : 0;
    int power = *at == '^' ? atoi(at + 1) : 1;
    at += *at == '^' ? 1 + strspn(at + 1, "0123456789") : 0;
    const char *unit;
    sb_dimension factor;
    double scale;
    SB_TRY(symbol_unit(domains, element, symbol, port, &unit, err));
    SB_TRY(sb_unit_parse(unit, strlen(unit), &factor, &scale, err));
    if (symbol == 'p' && strchr(formula, '/') == NULL) { // of inertia times flow: kg.m^2.rad/s
      SB_TRY(count_angle(domains, element, port, &factor, err));
    }
    if (!sb_dimension_multiply(dimension, &factor, sign * power, 1)) {
      return sb_fail(err, SB_ERR_DIMENSION, "exponents too large");
    }
    sign = 1;
  }
  return SB_OK;
}

sb_status sb_row_dimension(const sb_build *build, const char *unit, const sb_element *element,
                           sb_dimension *dimension, sb_error *err) {
  *dimension = (sb_dimension){.any = unit != NULL && strcmp(unit, SB_UNIT_ANY) == 0};
  if (unit == NULL || dimension->any) {
    return SB_OK;
  }
  if (unit[0] != '@') {
    double scale;
    return sb_unit_parse(unit, strlen(unit), dimension, &scale, err);
  }
  *dimension = (sb_dimension){.any = true};
  sb_status status =
      element == NULL ? SB_OK : sb_formula_dimension(build->domains, element, unit, dimension, err);
  if (status != SB_OK) {
    *dimension = (sb_dimension){.any = true};
  }
  return status;
}
