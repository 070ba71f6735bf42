/** Reads the runtime expressions and conditions of Arazzo. A text may be anything. */
import type { JsonValue } from "../../core/json.js";
import { stepsOfPointer } from "../openapi/read/document.js";

/** Steps below a value: names of properties, and indices of lists. */
export type Below = readonly (string | number)[];

/** A value of a running workflow, as an expression names it. */
export type Expression =
  /** `$inputs.pet_id` */
  | { readonly kind: "input"; readonly name: string; readonly below: Below }
  /** `$steps.find-pet.outputs.pet_id` */
  | { readonly kind: "step"; readonly step: string; readonly name: string; readonly below: Below }
  /** `$outputs.order_id`: an output of the workflow that a step calls. */
  | { readonly kind: "output"; readonly name: string; readonly below: Below }
  /** `$response.body#/id`, or `$response.body.id` */
  | { readonly kind: "body"; readonly below: Below }
  | { readonly kind: "status" }
  /** An expression that no path of a plan can express, such as `$response.header.ETag`. */
  | { readonly kind: "other" };

const roots =
  /^\$(?:url|method|statusCode|self|(?:request|response|inputs|outputs|steps|workflows|sourceDescriptions|components|message)\b)/;

/** @returns undefined if the text is no runtime expression */
export function readExpression(text: string): Expression | undefined {
  if (!roots.test(text)) return undefined;
  if (text === "$statusCode") return { kind: "status" };
  const hash = text.indexOf("#");
  const head = hash < 0 ? text : text.slice(0, hash);
  const below = hash < 0 ? [] : readPointer(text.slice(hash + 1));
  if (below === undefined) return { kind: "other" };
  if (head === "$response.body") return { kind: "body", below };
  // Many documents write `$response.body.id`.
  const [, dotted] = /^\$response\.body\.(.+)$/s.exec(head) ?? [];
  if (dotted !== undefined) return { kind: "body", below: [...dotted.split("."), ...below] };
  const [, input] = /^\$inputs\.(.+)$/s.exec(head) ?? [];
  if (input !== undefined) return { kind: "input", name: input, below };
  const [, output] = /^\$outputs\.(.+)$/s.exec(head) ?? [];
  if (output !== undefined) return { kind: "output", name: output, below };
  const [, step, name] = /^\$steps\.([^.]+)\.outputs\.(.+)$/s.exec(head) ?? [];
  return step === undefined || name === undefined
    ? { kind: "other" }
    : { kind: "step", step, name, below };
}

/** Reads a JSON Pointer; undefined if the text is none. */
export function readPointer(pointer: string): Below | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return stepsOfPointer(pointer).map((step) =>
    /^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step,
  );
}

/** Reads a JSONPath that picks one value: `$.pets[0].id`; undefined for any other. */
export function readJsonPath(text: string): Below | undefined {
  const steps: (string | number)[] = [];
  const step = /\.([A-Za-z_][\w-]*)|\[(\d{1,9})\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/y;
  if (!text.startsWith("$")) return undefined;
  step.lastIndex = 1;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null) return undefined;
    const [, dotted, index, single, double] = found;
    steps.push(index === undefined ? (dotted ?? single ?? double ?? "") : Number(index));
  }
  return steps;
}

/** Text around expressions: `Order {$inputs.id}`. */
export interface EmbeddedText {
  /** Texts around the expressions: first, between and last. */
  readonly around: readonly string[];
  readonly expressions: readonly string[];
}

/** @returns undefined if no expression is embedded in the text */
export function readEmbedded(text: string): EmbeddedText | undefined {
  const around: string[] = [];
  const expressions: string[] = [];
  let end = 0;
  for (const found of text.matchAll(/\{(\$[^{}]*)\}/g)) {
    const [whole, expression = ""] = found;
    around.push(text.slice(end, found.index));
    expressions.push(expression);
    end = found.index + whole.length;
  }
  return expressions.length === 0
    ? undefined
    : { around: [...around, text.slice(end)], expressions };
}

/** A comparison of a value with a literal. */
export interface Condition {
  readonly expression: Expression;
  readonly operator: string;
  readonly value: JsonValue;
}

/** Reads a simple condition: `$response.body#/state == 'open'`; undefined for any other. */
export function readCondition(text: string): Condition | undefined {
  const [, left = "", operator = "", right = ""] =
    /^\s*(\$\S+)\s*(==|!=|<=|>=|<|>)\s*(\S.*?)\s*$/s.exec(text) ?? [];
  const expression = readExpression(left);
  const value = readLiteral(right);
  return expression === undefined || value === undefined
    ? undefined
    : { expression, operator, value };
}

function readLiteral(text: string): JsonValue | undefined {
  const [, single] = /^'((?:[^']|'')*)'$/s.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  const [, double] = /^"([^"\\]*)"$/s.exec(text) ?? [];
  if (double !== undefined) return double;
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}
