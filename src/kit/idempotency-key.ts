import type { TextTemplate } from "./text-template.js";
import { factsOf } from "./coverage.js";
import { isParameter } from "./reference-problems.js";
import { checkScalar, doubtOf, type CheckContext, reportParameter } from "./values/check-value.js";

/**
 * Reports a key that could be the same for two orders, or missing. Such a key does not make a write
 * safe to repeat.
 *
 * @param help help for a key without a parameter
 */
export function checkIdempotencyKey(
  place: CheckContext,
  key: TextTemplate<string>,
  help: string,
): void {
  const parameters = key.parts.filter((part) => part.kind === "parameter");
  const mistaken = key.parts.some(
    (part) => part.kind === "credential" && isParameter(place.tool.parameters, part),
  );
  if (parameters.length === 0 && !mistaken && key.whole) {
    place.report.add({
      code: `${place.kind}/bad-idempotency-key`,
      span: key.span,
      message:
        "this key is the same for every call, so every call after the first would count as a repeat",
      help,
    });
  }
  for (const part of parameters) {
    checkScalar(place, part, "an idempotency key");
    const doubt = doubtOf(factsOf(place.tool, part));
    if (doubt === undefined) continue;
    const message = `is ${doubt}, and without it the call has no key`;
    reportParameter(place, "bad-idempotency-key", part, message, "make it required");
  }
}
