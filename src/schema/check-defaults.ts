import type { ErrorObject } from "ajv";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import type { UnratedDiagnostic } from "../core/diagnostic.js";
import { collectDiagnostics, type Report } from "../core/report.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import { compiling, createAjv } from "./ajv-instance.js";
import { appliedDefaults } from "./defaults.js";
import { annotations, isExtension } from "./keywords.js";
import { mentions } from "./mentions.js";
import { placeAt, sharedByName } from "./place-at.js";
import { below, stepsOf } from "./pointer.js";
import { everySchema } from "./schema-tree.js";
import { aloneOf } from "./shared-uses.js";
import { someTypes, typeOfValue } from "./type-names.js";
import { usesUnevaluated } from "./evaluated-keywords.js";
import { validatorSchema } from "./validator-schema.js";

interface Default {
  /** Pointer of the schema that has the default. */
  readonly pointer: string;
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

/**
 * Reports defaults that their own schema rejects, and defaults that look as if they were filled in
 * but never are.
 *
 * @param areFilled false for values that no caller passes; a default is then only documentation
 */
export function checkDefaults(model: SchemaModel, report: Report, areFilled: boolean): void {
  if (!mentions(model.schema, "default")) return;
  const defaults = everySchema(model.schema).flatMap(({ schema, pointer }): readonly Default[] =>
    typeof schema === "object" && Object.hasOwn(schema, "default")
      ? [{ pointer, schema, value: schema["default"] ?? null }]
      : [],
  );
  if (defaults.length === 0) return;
  if (areFilled) {
    const { used } = appliedDefaults(model.schema);
    for (const { pointer } of defaults)
      if (!used.has(pointer)) reportIgnored(model, pointer, report);
  }
  const unproved = defaults.filter((each) => !isPlainlyValid(each));
  const own = unproved.filter(({ pointer }) => sharedAt(pointer, model) === undefined);
  if (own.length > 0) checkValues(model, own, report);
  const shared = new Set(unproved.flatMap(({ pointer }) => sharedAt(pointer, model) ?? []));
  for (const each of shared)
    for (const diagnostic of defaultsOfShared(each, model)) report.add(diagnostic);
}

function sharedAt(pointer: string, { shared = [] }: SchemaModel): SharedSchema | undefined {
  const name = /^\/\$defs\/([^/]+)/.exec(pointer)?.[1];
  return name === undefined ? undefined : sharedByName(shared).get(name);
}

const checked = new WeakMap<SharedSchema, readonly UnratedDiagnostic[]>();

/** Problems with the defaults of a shared schema. They are the same in every document. */
function defaultsOfShared(
  shared: SharedSchema,
  { shared: all = [] }: SchemaModel,
): readonly UnratedDiagnostic[] {
  const known = checked.get(shared);
  if (known !== undefined) return known;
  const { diagnostics, report } = collectDiagnostics();
  const model = aloneOf(shared, all);
  const doubtful = everySchema(model.schema).flatMap(({ schema, pointer }): readonly Default[] => {
    if (pointer.startsWith("/$defs/") || typeof schema !== "object") return [];
    if (!Object.hasOwn(schema, "default")) return [];
    const found = { pointer, schema, value: schema["default"] ?? null };
    return isPlainlyValid(found) ? [] : [found];
  });
  if (doubtful.length > 0) checkValues(model, doubtful, report);
  checked.set(shared, diagnostics);
  return diagnostics;
}

/**
 * Checks a default without a validator. Most defaults are a scalar under a type, perhaps with
 * listed values or bounds.
 */
function isPlainlyValid({ schema, value }: Default): boolean {
  if (typeof value === "object") return false;
  return Object.entries(schema).every(([keyword, says]) => {
    if (annotations.has(keyword) || isExtension(keyword)) return true;
    switch (keyword) {
      case "type":
        return says === typeof value || (says === "integer" && Number.isInteger(value));
      case "enum":
        return Array.isArray(says) && says.includes(value);
      case "minimum":
        return typeof value === "number" && typeof says === "number" && value >= says;
      case "maximum":
        return typeof value === "number" && typeof says === "number" && value <= says;
      default:
        return false;
    }
  });
}

function reportIgnored(model: SchemaModel, pointer: string, report: Report): void {
  report.add({
    code: "schema/default-ignored",
    span: placeAt(model, below(pointer, "default")) ?? placeAt(model, pointer) ?? model.span,
    message: "the default is never filled in",
    help: "skillc fills in only defaults of `properties`, without `anyOf`, `oneOf`, `not`, `if`, a pattern or recursion above them",
  });
}

/** One schema with a property for each default, so that Ajv compiles once. */
function checkValues(model: SchemaModel, defaults: readonly Default[], report: Report): void {
  const keepsBook = usesUnevaluated(model.schema);
  const document = validatorSchema(model.schema, "input", keepsBook);
  if (typeof document === "boolean") return;
  const definitions: Record<string, JsonValue> = { ...asMap(document["$defs"]) };
  const properties: Record<string, JsonValue> = {};
  defaults.forEach(({ pointer }, index) => {
    // A dot avoids collisions, because no other definition's name contains one.
    definitions[`default.${index}`] = schemaAt(document, pointer);
    properties[`default${index}`] = { $ref: `document#/$defs/default.${index}` };
  });
  const ajv = createAjv(keepsBook);
  ajv.addSchema({ ...document, $defs: definitions }, "document");
  const validate = compiling(() => ajv.compile({ properties }), model.span);
  const values = Object.fromEntries(defaults.map(({ value }, index) => [`default${index}`, value]));
  if (validate(values)) return;
  defaults.forEach(({ pointer, value }, index) => {
    const at = `/default${index}`;
    const error = validate.errors?.find(
      ({ instancePath: path }) => path === at || path.startsWith(`${at}/`),
    );
    if (error === undefined) return;
    const where = error.instancePath.slice(at.length);
    report.add({
      code: "schema/invalid-default",
      span: placeAt(model, below(pointer, "default")) ?? placeAt(model, pointer) ?? model.span,
      message: `the default ${where === "" ? "" : `at \`${where}\` `}${defaultWords(error, value, where)}`,
      help: helpFor(error, value),
    });
  });
}

function defaultWords(error: ErrorObject, value: JsonValue, where: string): string {
  if (error.keyword !== "type") return error.message ?? `fails \`${error.keyword}\``;
  const found = valueAt(value, stepsOf(where) ?? []);
  return `must be ${someTypes(error.params["type"])}${found === undefined ? "" : `, not ${typeOfValue(found)}`}`;
}

/** Suggests the commonest fix: a number or boolean without quotes. */
function helpFor({ keyword, params }: ErrorObject, value: JsonValue): string | undefined {
  if (keyword !== "type" || typeof value !== "string") return undefined;
  const types: readonly unknown[] = [params["type"]].flat();
  const isQuoted = types.some(
    (type) =>
      (type === "boolean" && /^(?:true|false)$/.test(value)) ||
      (type === "integer" && /^-?\d+$/.test(value)) ||
      (type === "number" && /^-?\d+(?:\.\d+)?$/.test(value)),
  );
  return isQuoted ? `write \`${value}\` without quotes` : undefined;
}

function asMap(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The subschema at a pointer; `true` if `__proto__` in the pointer was rewritten. */
function schemaAt(root: JsonObject, pointer: string): JsonValue {
  return valueAt(root, stepsOf(pointer) ?? []) ?? true;
}

function valueAt(root: JsonValue, steps: readonly string[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isJsonObject(at) ? getOwn(at, step) : undefined;
  }, root);
}
