import type { LinkedArgument } from "../../core/rollback-model.js";
import type { Span } from "../../core/span.js";
import type { UnlinkedTool } from "../../kit/project-tools.js";
import { fitsAlways } from "../../kit/sources/fit.js";
import { followPath } from "../../kit/sources/follow-path.js";
import { propertyNames } from "../../schema/look-up.js";
import { type Compensated, parametersOrigin, resultOrigin, targetOf } from "./call-values.js";

/**
 * Finds values for the other tool's parameters by name: among the parameters of the call, then among
 * the fields of its success. A value counts if it is always there and always fits.
 */
export function fillArguments(
  other: UnlinkedTool,
  own: Compensated,
  span: Span,
): readonly LinkedArgument[] {
  const origins = [
    { from: "params", origin: parametersOrigin(own.tool) },
    { from: "result", origin: resultOrigin(own) },
  ] as const;
  return propertyNames(other.tool.parameters, [], "input").flatMap((name) => {
    const target = targetOf(other, name);
    for (const { from, origin } of origins) {
      const facts = origin && followPath(origin, [name]);
      if (facts === undefined || "message" in facts || facts.mayBeAbsent) continue;
      if (!facts.places.every((place) => fitsAlways(place, target))) continue;
      const value = { kind: "read", from, steps: facts.steps, span } as const;
      return [{ name, span, value }];
    }
    return [];
  });
}
