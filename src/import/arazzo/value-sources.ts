/** Finds the sources of values of a workflow, as paths of the plan. */
import { isJsonObject, type JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Part } from "../openapi/read/document.js";
import { textIn } from "../openapi/read/parts.js";
import type { Step } from "./description.js";
import {
  type Below,
  type Expression,
  readEmbedded,
  readExpression,
  readJsonPath,
  readPointer,
} from "./expressions.js";
import { type NamedWorkflow, noSource, type ValueSource } from "./plan-parts.js";

/** A place where values are read: in a step, or after all of them. */
export interface ValueScope {
  readonly named: NamedWorkflow;
  /** The step to whose answer `$response` refers. */
  readonly step?: Step;
}

/** Maximum number of outputs that refer to one another. More are circular. */
const longestChain = 50;

/** Returns the source of a value as the document writes it: an expression, a text or a literal. */
export function sourceOf(part: Part, scope: ValueScope): ValueSource {
  const { value } = part;
  if (typeof value === "string") return sourceOfText(value, scope);
  if (isJsonObject(value) && "selector" in value) return sourceOfSelector(part, scope);
  return holdsExpression(value)
    ? noSource("an expression is inside a list or an object, and a plan passes only whole values")
    : { kind: "literal", value };
}

/** Iterates, so that a deep value can't overflow the stack. */
function holdsExpression(root: JsonValue): boolean {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") {
      if (readExpression(value) !== undefined || readEmbedded(value) !== undefined) return true;
    } else if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) open.push(each);
    }
  }
  return false;
}

function sourceOfText(text: string, scope: ValueScope): ValueSource {
  const expression = readExpression(text);
  if (expression !== undefined) return resolve(expression, text, scope, 0);
  const embedded = readEmbedded(text);
  if (embedded === undefined) return { kind: "literal", value: text };
  const { around, expressions } = embedded;
  const [first = "", second] = expressions;
  if (second !== undefined)
    return noSource(
      `${quote(text)} has several expressions, and a plan makes a text around one value`,
    );
  const inner = readExpression(first);
  if (inner === undefined) return { kind: "literal", value: text };
  const source = resolve(inner, first, scope, 0);
  const [before = "", after = ""] = around;
  if (before + after === "" || source.kind === "none") return source;
  if (source.kind === "literal")
    return { kind: "literal", value: `${before}${String(source.value)}${after}` };
  if (source.around !== undefined || /[{}]/.test(before + after))
    return noSource(`a plan can't make the text ${quote(text)}`);
  return { ...source, around: [before, after] };
}

/** Returns the source of a single expression. */
export function sourceOfExpression(expression: Expression, scope: ValueScope): ValueSource {
  return resolve(expression, "the expression", scope, 0);
}

/** A selector object of Arazzo 1.1. */
function sourceOfSelector(part: Part, scope: ValueScope): ValueSource {
  const [context, selector, type] = ["context", "selector", "type"].map((key) => textIn(part, key));
  const expression = readExpression(context ?? "");
  const read =
    type === "jsonpath" ? readJsonPath : type === "jsonpointer" ? readPointer : undefined;
  const below = read?.(selector ?? "");
  if (expression === undefined || below === undefined || !("below" in expression))
    return noSource(`a plan has no path for the selector ${quote(selector ?? "")}`);
  const whole = { ...expression, below: [...expression.below, ...below] };
  return resolve(whole, context ?? "", scope, 0);
}

function resolve(
  expression: Expression,
  text: string,
  scope: ValueScope,
  depth: number,
): ValueSource {
  const { named, step } = scope;
  if (depth > longestChain) return noSource(`${quote(text)} refers to itself`);
  switch (expression.kind) {
    case "input":
      return inputSource(expression, text, named);
    case "step":
      return stepSource(expression, text, named, depth);
    case "output":
      return step?.target.kind === "workflow"
        ? outputPath(named, step, [expression.name, ...expression.below], text)
        : noSource(`${quote(text)} needs a step that calls a workflow`);
    case "body":
      return step === undefined || step.target.kind === "workflow"
        ? noSource(`${quote(text)} needs a step that calls an operation`)
        : outputPath(named, step, expression.below, text);
    case "status":
      return noSource("a plan does not pass status codes on: a step's status decides what follows");
    case "other":
      return noSource(`a plan has no path for ${quote(text)}`);
  }
}

function inputSource(
  { below, name }: Extract<Expression, { readonly kind: "input" }>,
  text: string,
  { inputs }: NamedWorkflow,
): ValueSource {
  const found = nameAndRest(name, (each) => inputs.has(each));
  if (found === undefined) return noSource(`the workflow has no input ${quote(name)}`);
  return pathSource([inputs.get(found.name) ?? "", ...found.rest, ...below], text);
}

function stepSource(
  { below, name, step: id }: Extract<Expression, { readonly kind: "step" }>,
  text: string,
  named: NamedWorkflow,
  depth: number,
): ValueSource {
  const step = named.workflow.steps.find((each) => each.id === id);
  if (step === undefined) return noSource(`the workflow has no step ${quote(id)}`);
  const found = nameAndRest(name, (each) => step.outputs.has(each));
  const output = step.outputs.get(found?.name ?? "");
  if (output === undefined) return noSource(`the step ${quote(id)} has no output ${quote(name)}`);
  const more = [...(found?.rest ?? []), ...below];
  const scope = { named, step };
  if (typeof output.value !== "string") {
    const source = sourceOf(output, scope);
    return source.kind === "path" ? belowPath(source, more, text) : source;
  }
  const expression = readExpression(output.value);
  if (expression === undefined) return sourceOfText(output.value, scope);
  const source = resolve(expression, output.value, scope, depth + 1);
  return source.kind === "path" ? belowPath(source, more, text) : source;
}

/** Splits `customer.name` at the dots, if only `customer` is known. */
function nameAndRest(
  text: string,
  isKnown: (name: string) => boolean,
): { readonly name: string; readonly rest: readonly string[] } | undefined {
  if (isKnown(text)) return { name: text, rest: [] };
  const [name = "", ...rest] = text.split(".");
  return isKnown(name) ? { name, rest } : undefined;
}

function outputPath(named: NamedWorkflow, step: Step, below: Below, text: string): ValueSource {
  return pathSource([`step_${named.steps.get(step.id) ?? ""}`, "output", ...below], text);
}

function belowPath(
  source: Extract<ValueSource, { readonly kind: "path" }>,
  below: Below,
  text: string,
): ValueSource {
  if (below.length === 0) return source;
  const path = pathText(below);
  return source.around !== undefined || path === undefined
    ? noSource(`a plan has no path for ${quote(text)}`)
    : { kind: "path", path: `${source.path}${path.startsWith("[") ? "" : "."}${path}` };
}

function pathSource(steps: Below, text: string): ValueSource {
  const path = pathText(steps);
  return path === undefined
    ? noSource(
        `a plan has no path for ${quote(text)}: a name in it has a dot, a bracket or a brace`,
      )
    : { kind: "path", path };
}

/** Writes a path as plans do; undefined if a name can't stand in a path. */
function pathText(steps: Below): string | undefined {
  let path = "";
  for (const step of steps) {
    if (typeof step === "number") path += `[${step}]`;
    else if (!/^[^.[\]{}$\s][^.[\]{}]*$/.test(step)) return undefined;
    else path += path === "" ? step : `.${step}`;
  }
  return path;
}
