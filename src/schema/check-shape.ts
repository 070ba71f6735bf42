import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../core/json.js";
import type { Report } from "../core/report.js";
import { type SyntaxNode, toJson } from "../core/syntax-node.js";
import { shapeFaults } from "./shape-faults.js";
import type { ShapeTerms } from "./shape-terms.js";

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  logger: false,
  validateFormats: false,
  ownProperties: true,
});
const compiled = new WeakMap<JsonObject, ValidateFunction>();

/**
 * Checks a tree of ours (a binding, skillc.yaml, a tool's keys) against a JSON Schema (2020-12) and reports each fault once, at the
 * smallest span that shows it. Nothing is coerced.
 *
 * @returns whether the tree fits
 * @throws Error when `schema` is no JSON Schema: it is ours, or a binding kind's
 */
export function checkShape(
  node: SyntaxNode,
  schema: JsonObject,
  report: Report,
  terms: ShapeTerms,
): boolean {
  const errors = errorsOf(node, schema);
  for (const finding of shapeFaults(node, errors, terms)) report.add(finding);
  return errors.length === 0;
}

/** Whether the tree fits, without a word. */
export function fitsShape(node: SyntaxNode, schema: JsonObject): boolean {
  return errorsOf(node, schema).length === 0;
}

function errorsOf(node: SyntaxNode, schema: JsonObject): readonly ErrorObject[] {
  const validate = validatorOf(schema);
  return validate(toJson(node)) ? [] : (validate.errors ?? []);
}

function validatorOf(schema: JsonObject): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}
