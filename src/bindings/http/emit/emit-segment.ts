import { type Code, code, join, literal } from "../../../core/code.js";
import { below } from "../../../schema/pointer.js";
import type { ParameterPart } from "../../text-template.js";
import { parameterCode, type RequestScope } from "../../values/emit-value.js";

/** A path segment: `segment("/id", p.id)`, or `segmentOf(["v", ""], ["/id", p.id])` with text around. */
export function segmentCode(
  scope: RequestScope,
  fixed: readonly string[],
  values: readonly ParameterPart[],
): Code {
  const pairs = values.map(
    ({ path, span }) => code`${literal(pointerTo(path))}, ${parameterCode(scope, path, span)}`,
  );
  const [only, ...others] = pairs;
  if (only !== undefined && others.length === 0 && fixed.every((text) => text === "")) {
    return code`${scope.runtime("segment")}(${only})`;
  }
  const boxed = pairs.map((pair) => code`[${pair}]`);
  return code`${scope.runtime("segmentOf")}(${join([literal(fixed), ...boxed], code`, `)})`;
}

function pointerTo(path: readonly string[]): string {
  return below("", ...path);
}
