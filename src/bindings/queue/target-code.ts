import { at, type Code, code, ident, join, literal } from "../../core/code.js";
import { below } from "../../schema/pointer.js";
import type { View } from "../binding.js";
import { literalText, type TextTemplate } from "../text-template.js";
import { parameterCode, partsCode, type RequestScope, templateCode } from "../values/emit-value.js";
import type { TargetField, TargetModel } from "./model.js";

/** The entries of a target. */
export function targetCode(target: TargetModel, scope: RequestScope): View {
  return target.map((each) => ({ name: ident(each.field), value: fieldCode(each, scope) }));
}

function fieldCode(field: TargetField, scope: RequestScope): Code {
  if (field.kind === "fixed") return literal(field.value);
  return field.kind === "name"
    ? nameCode(field.template, scope)
    : templateCode(scope, field.template);
}

/** `"orders"`, or `targetName("orders.", ["/region", p.region])`: each call's values are held to what the broker takes. */
function nameCode(template: TextTemplate, scope: RequestScope): Code {
  const fixed = literalText(template);
  if (fixed !== undefined) return at(template.span, literal(fixed));
  const parts = partsCode(
    scope,
    template,
    ({ path, span }) => code`[${literal(below("", ...path))}, ${parameterCode(scope, path, span)}]`,
  );
  return at(template.span, code`${scope.runtime("targetName")}(${join(parts, code`, `)})`);
}
