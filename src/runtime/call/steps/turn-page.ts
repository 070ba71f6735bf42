import { problemsOf } from "../../validation/validation.js";
import type { Call } from "../call.js";
import { withDefaults } from "../defaults.js";
import type { PageName } from "../page-place.js";
import { openNext, refusedNext, unusable } from "../pages.js";

/** Sets the page of a call that asks for a later page. */
export function turnPage(call: Call): undefined {
  const { next } = call.options;
  const { paging } = call.tool.binding;
  if (paging === undefined) {
    if (next == null) return undefined;
    throw refusedNext(call, "is only for tools whose answers have pages");
  }
  call.pagedArgs = call.args;
  if (next == null) return undefined;
  call.page = openNext(call, next);
  if (paging.parameter !== undefined) nameInParameters(call, paging.parameter, call.page.at);
  return undefined;
}

/** Puts the page's name into its parameter, if the name matches the parameter's schema. */
function nameInParameters(call: Call, parameter: string, at: PageName): void {
  const { defaults, params: validator } = call.tool;
  for (const value of new Set([at, String(at), Number(at)])) {
    const params = { ...(call.params as object), [parameter]: value };
    if (problemsOf(validator, params).length > 0) continue;
    call.params = params;
    call.args = defaults ? withDefaults(params, defaults) : params;
    return;
  }
  throw unusable(call, `its name doesn't fit the parameter \`${parameter}\``);
}
