import { isJsonObject, type JsonValue } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Span } from "../../../core/span.js";
import {
  type PlacedSchema,
  spanOfDefault,
  spanOfKeyword,
  spanOfValue,
} from "../../../schema/schema-spans.js";
import { stepsOf } from "../../../schema/pointer.js";
import { everySchema } from "../../../schema/schema-tree.js";
import type { CheckContext } from "../../../kit/values/check-value.js";
import type { QueueConfig } from "../model.js";
import { namesIn } from "../target.js";

/**
 * Checks that the values in `enum`, `const` and `default` of the parameters' schema can be sent,
 * which means that UTF-8 can encode them.
 */
export function checkNamedValues({ report, tool }: CheckContext, config: QueueConfig): void {
  const passed = new Set(tool.unused.map(({ name }) => name));
  const reported = namesOfTarget(config);
  for (const { pointer, schema } of everySchema(tool.parameters.schema)) {
    const [, parameter = ""] = stepsOf(pointer) ?? [];
    if (typeof schema === "boolean" || passed.has(parameter)) continue;
    const at = { model: tool.parameters, pointer };
    const named = [
      // Listed values that are part of a name are reported with the name.
      ...(reported.has(parameter) ? [] : listedIn(schema["enum"], at)),
      { value: schema["const"], span: () => spanOfKeyword(at, "const") },
      { value: schema["default"], span: () => spanOfDefault(at) },
    ];
    for (const { span, value } of named) {
      if (value === undefined || isWellFormed(value)) continue;
      report.add({
        code: "queue/lone-surrogate",
        span: span(),
        message: `${quote(JSON.stringify(value))} contains half of a surrogate pair, which is not a character and can't be sent`,
        help: "remove the value from the parameter's schema, or write the whole character",
      });
    }
  }
}

function listedIn(
  values: JsonValue | undefined,
  at: PlacedSchema,
): readonly { readonly value: JsonValue; readonly span: () => Span }[] {
  return Array.isArray(values)
    ? values.map((value: JsonValue) => ({ value, span: () => spanOfValue(at, value) }))
    : [];
}

/** Returns whether UTF-8 can encode every text and property name in a value. */
function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, each]) => name.isWellFormed() && isWellFormed(each));
}

function namesOfTarget(config: QueueConfig): ReadonlySet<string> {
  const parts = namesIn(config).flatMap(({ template }) => template.parts);
  return new Set(parts.flatMap((part) => (part.kind === "parameter" ? [part.path[0] ?? ""] : [])));
}
