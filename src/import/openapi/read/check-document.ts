/** Validates a description against the JSON Schema of its version, by the OpenAPI Initiative. */
import { createRequire } from "node:module";
import type { ErrorObject, Options, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import Ajv04 from "ajv-draft-04";
import type { JsonObject } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Note } from "../note.js";
import type { ApiDocument } from "./document.js";

const require = createRequire(import.meta.url);

/** Maximum number of reported problems, because every operation may repeat one mistake. */
const maxProblems = 20;

/**
 * Problems of a description by the schema of its version. They never stop an import, because most
 * descriptions in use have some.
 *
 * @param version `2.0`, `3.0`, `3.1` or `3.2`
 */
export function checkDocument(document: ApiDocument, version: string): readonly Note[] {
  const validate = validatorOf(version);
  if (validate(document.value)) return [];
  return causes(validate.errors ?? [])
    .slice(0, maxProblems)
    .map(({ instancePath, message = "is invalid", params }) => ({
      code: "import/invalid-document",
      at: { document, pointer: instancePath },
      message: `the schema of its version says that this ${message}${detail(params)}`,
    }));
}

const validators = new Map<string, ValidateFunction>();

/**
 * Returns the validator of a version. Making it takes longer than reading most documents, so it is
 * cached.
 */
function validatorOf(version: string): ValidateFunction {
  const known = validators.get(version);
  if (known !== undefined) return known;
  const options: Options = {
    allErrors: true,
    strict: false,
    validateFormats: false,
    logger: false,
  };
  const ajv = /^[23]\.0$/.test(version) ? new Ajv04.default(options) : new Ajv2020(options);
  // The package contains a JSON Schema there.
  const schema = require(
    `@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`,
  ) as JsonObject;
  const made = ajv.compile(schema);
  validators.set(version, made);
  return made;
}

/**
 * Finds the causes among the errors of failed alternatives. The best alternative is the one that
 * matched most, so only the deepest places are reported, and no place around them.
 */
function causes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const direct = errors.filter(({ keyword }) => !/^(?:if|oneOf|anyOf|allOf|\$ref)$/.test(keyword));
  const all = direct.length === 0 ? errors : direct;
  const paths = [...new Set(all.map(({ instancePath }) => instancePath))].toSorted();
  const isOuter = (path: string, index: number): boolean =>
    paths.slice(index + 1, index + 2).some((next) => next.startsWith(`${path}/`));
  const deepest = new Set(paths.filter((path, index) => !isOuter(path, index)));
  const first = new Map<string, ErrorObject>();
  for (const each of all) {
    if (!deepest.has(each.instancePath)) continue;
    const known = first.get(each.instancePath);
    // The reference alternative reports a missing `$ref` at every place that has no reference.
    const isAlternative = (error: ErrorObject): boolean =>
      error.params["missingProperty"] === "$ref";
    if (known === undefined || isAlternative(known)) first.set(each.instancePath, each);
  }
  return [...first.values()];
}

function detail(params: Readonly<Record<string, unknown>>): string {
  const { additionalProperty, allowedValues, unevaluatedProperty } = params;
  const name = additionalProperty ?? unevaluatedProperty;
  if (typeof name === "string") return `: \`${shown(name)}\``;
  return Array.isArray(allowedValues) ? `: ${shown(allowedValues.join(", "))}` : "";
}
