/**
 * The root `{caller.tenant}` of texts: the caller of the tool. Only the application sets its
 * values; models neither see nor choose them.
 */
import { callerFields, longestName, origins } from "@skillc/runtime/internal";
import { type Code, code } from "../core/code.js";
import type { JsonObject } from "../core/json.js";
import { shown } from "../core/names.js";
import type { SchemaModel } from "../core/skill-model.js";
import { lookUp, type ValueFacts } from "../schema/look-up.js";
import { fieldProblem } from "./reference-problems.js";
import type { RootReference } from "./roots.js";
import type { TemplateRoot } from "./text-template.js";

/** Any name of a caller. */
const nameSchema: JsonObject = { type: "string", minLength: 1, maxLength: longestName };

const callerSchema: SchemaModel = {
  kind: "schema",
  schema: {
    type: "object",
    additionalProperties: false,
    required: [...callerFields],
    properties: Object.fromEntries(
      callerFields.map((field): [string, JsonObject] => [
        field,
        field === "origin" ? { type: "string", enum: [...origins] } : nameSchema,
      ]),
    ),
  },
  span: { file: "", start: 0, end: 0 },
  places: {},
};

/**
 * The root for kinds whose texts may name the caller. A tool that uses it declares the fields that
 * it needs, and a call without them is denied (`AUTH.CALLER_MISSING`), so that each field has a
 * value.
 */
export const callerRoot: TemplateRoot<"caller"> = {
  name: "caller",
  schema: callerSchema,
  hasOnlyFields: true,
};

/** Code and schema of the caller in a binding, for the `roots` of a `RequestScope`. */
export const callerValue: {
  readonly caller: { readonly code: Code; readonly schema: SchemaModel };
} = { caller: { code: code`caller`, schema: callerSchema } };

/**
 * Facts about a field of the caller; undefined for an unknown field, which is reported elsewhere.
 */
export function factsOfCaller(path: readonly string[]): ValueFacts | undefined {
  const isField =
    path.length > 0 && fieldProblem(callerSchema, path, [callerRoot.name]) === undefined;
  return isField ? lookUp(callerSchema, path, "stated") : undefined;
}

/**
 * Returns the fields of the caller among references, each once, in the order of the caller's
 * fields.
 */
export function callerFieldsIn(
  references: readonly Pick<RootReference, "path" | "root">[],
): readonly string[] {
  const own = references.filter(({ root }) => root === callerRoot.name);
  return callerFields.filter((field) => own.some(({ path }) => path[0] === field));
}

/**
 * Returns the caller's field that a text names without braces: `caller.tenant`, `:caller.tenant`.
 */
export function callerFieldIn(text: string): string | undefined {
  const [, field] = /^[:$@<[%]?caller\.(\w+)[>\]%]?$/.exec(text) ?? [];
  return callerFields.find((each) => each === field);
}

/** Message and help for such a text. */
export function callerAsText(text: string, field: string) {
  return {
    message: `\`${shown(text)}\` is text here, not the caller's ${field}`,
    help: `write \`"{${callerRoot.name}.${field}}"\``,
  };
}
