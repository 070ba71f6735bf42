import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonValue } from "../core/json.js";
import { shown } from "../core/names.js";
import type { Report } from "../core/report.js";
import { nodeAt, type SyntaxNode, textOf } from "../core/syntax-node.js";
import { metaschemas } from "./dialect.js";
import { type Dialect, schemaTypes } from "./keywords.js";
import { stepsOf } from "./pointer.js";
import { didYouMean } from "./suggestion.js";
import { typeInOtherWords } from "./type-in-other-words.js";
import { someTypes } from "./type-names.js";

/**
 * Switches off Ajv's optimizer, which would take longer for a schema than the checks of a run's
 * documents.
 */
export const unoptimized = { optimize: false };

const types = schemaTypes.toSorted();
const compiled = new Map<Dialect, ValidateFunction>();

/**
 * Checks a schema against the metaschema of its dialect, and reports mistakes at the wrong keyword.
 */
export function checkMetaschema(node: SyntaxNode, dialect: Dialect, report: Report): boolean {
  const validate = validatorOf(dialect);
  if (validate(withSafeNames(node))) return true;
  for (const [pointer, errors] of deepestFirst(validate.errors ?? [])) {
    reportInvalid(node, (stepsOf(pointer) ?? []).map(authorsName), errors, dialect, report);
  }
  return false;
}

/** Checks if one of skillc's own schemas is valid JSON Schema 2020-12. */
export function isSchema(schema: JsonValue): boolean {
  return validatorOf("2020-12")(schema);
}

/**
 * The schema as data without names of inherited members. Ajv calls `toString` for `uniqueItems`,
 * even if a schema has a property of that name.
 */
function withSafeNames(node: SyntaxNode): JsonValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(withSafeNames);
  return Object.fromEntries(
    node.entries.map(({ key, value }) => [safeName(key.value), withSafeNames(value)]),
  );
}

const mark = "\u0000";

function safeName(name: string): string {
  return name in Object.prototype || name.startsWith(mark) ? `${mark}${name}` : name;
}

function authorsName(name: string): string {
  return name.startsWith(mark) ? name.slice(mark.length) : name;
}

function validatorOf(dialect: Dialect): ValidateFunction {
  const known = compiled.get(dialect);
  if (known !== undefined) return known;
  const options = {
    allErrors: true,
    strict: false,
    logger: false as const,
    validateFormats: false,
    code: unoptimized,
  };
  const ajv =
    dialect === "draft-07"
      ? new Ajv(options)
      : dialect === "2019-09"
        ? new Ajv2019(options)
        : new Ajv2020(options);
  const validate = ajv.getSchema(metaschemas[dialect]);
  if (validate === undefined) throw new Error(`Ajv has no metaschema for ${dialect}`);
  // Metaschemas are not asynchronous, so their functions return a boolean.
  compiled.set(dialect, validate as ValidateFunction);
  return validate as ValidateFunction;
}

/** Errors by place. Leaves out those that only repeat an error at a deeper place. */
function deepestFirst(errors: readonly ErrorObject[]): ReadonlyMap<string, readonly ErrorObject[]> {
  const byPlace = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const place = byPlace.get(error.instancePath);
    if (place === undefined) byPlace.set(error.instancePath, [error]);
    else place.push(error);
  }
  const places = [...byPlace.keys()];
  for (const place of places) {
    if (places.some((other) => other.startsWith(`${place}/`))) byPlace.delete(place);
  }
  return byPlace;
}

function reportInvalid(
  root: SyntaxNode,
  steps: readonly string[],
  errors: readonly ErrorObject[],
  dialect: Dialect,
  report: Report,
): void {
  const at = nodeAt(root, steps) ?? root;
  const name = steps.findLast((step) => !/^\d+$/.test(step));
  const text = textOf(at);
  const isType = name === "type" && text !== undefined;
  report.add({
    code: "schema/invalid",
    span: at.span,
    message: isType
      ? `\`${text}\` is not a JSON Schema type`
      : `${subject(name)} ${expected(errors)}`,
    help: isType ? helpForType(text, steps.at(-1) !== "type") : helpFor(name, at, dialect),
  });
}

/** @param isListed true for one of several types, which can't have keywords of its own */
function helpForType(text: string, isListed: boolean): string {
  const keywords = typeInOtherWords(text);
  const simple = /^type: ("?)(\w+)\1$/.exec(keywords ?? "")?.[2];
  if (simple === "null") return 'did you mean `"null"`, in quotes?';
  if (simple !== undefined) return `did you mean \`${simple}\`?`;
  if (text === "any") return "leave `type` out: then any value fits";
  if (keywords !== undefined && !isListed) return `write \`${keywords}\``;
  return didYouMean(text, types) ?? `the types are ${types.join(", ")}`;
}

function subject(name: string | undefined): string {
  return name === undefined ? "the schema" : `\`${name}\``;
}

/** Ajv's expectations without repeats, joined as in `must be object or must be boolean`. */
function expected(errors: readonly ErrorObject[]): string {
  const plain = errors.filter((each) => each.keyword !== "anyOf" && each.keyword !== "oneOf");
  const messages = (plain.length > 0 ? plain : errors).map((each) =>
    each.keyword === "type"
      ? `must be ${someTypes(each.params["type"])}`
      : (each.message ?? `fails \`${each.keyword}\``),
  );
  return [...new Set(messages)].join(" or ");
}

function helpFor(name: string | undefined, at: SyntaxNode, dialect: Dialect): string | undefined {
  const text = textOf(at);
  if (name === "items" && at.kind === "list" && dialect === "2020-12") {
    return "write `prefixItems` for a tuple: since 2020-12 `items` is one schema";
  }
  if (name === "required" && at.kind === "scalar") {
    return "write `required: [name, …]` on the object, beside `properties`";
  }
  if (name === "enum" && at.kind === "scalar" && at.value !== null) {
    return `write \`enum: [${shown(String(at.value))}]\``;
  }
  if (
    (name === "exclusiveMinimum" || name === "exclusiveMaximum") &&
    at.kind === "scalar" &&
    typeof at.value === "boolean"
  ) {
    return `write the limit itself: \`${name}: 10\``;
  }
  return text === undefined ? undefined : helpForTypeAlone(text);
}

/** Suggests the schema for a type that stands in its place: `id: string`. */
function helpForTypeAlone(text: string): string | undefined {
  const keywords = typeInOtherWords(text) ?? (types.includes(text) ? `type: ${text}` : undefined);
  return keywords === undefined ? undefined : `write \`{ ${keywords} }\``;
}
