import { at, type Code, code, ident, join, literal } from "../../core/code.js";
import { below } from "../../schema/pointer.js";
import type { View } from "../binding.js";
import { literalText, type TextTemplate } from "../text-template.js";
import { parameterCode, partsCode, type RequestScope, templateCode } from "../values/emit-value.js";
import type { TargetModel } from "./model.js";

/** The entries of a target. */
export function targetCode(target: TargetModel, scope: RequestScope): View {
  const entry = (name: string, value: Code) => ({ name: ident(name), value });
  switch (target.kind) {
    case "kafka":
      return [
        entry("topic", nameCode(target.topic, scope)),
        ...(target.key ? [entry("key", templateCode(scope, target.key))] : []),
      ];
    case "rabbitmq":
      return [
        entry("exchange", target.exchange ? nameCode(target.exchange, scope) : literal("")),
        entry("routing_key", nameCode(target.routingKey, scope)),
      ];
    case "redis":
      return [
        entry("stream", nameCode(target.stream, scope)),
        ...(target.maxLength === undefined ? [] : [entry("maxlen", literal(target.maxLength))]),
      ];
  }
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
