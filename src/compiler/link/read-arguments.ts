import { quote, shown } from "../../core/names.js";
import type { JsonSchema, JsonValue } from "../../core/json.js";
import type {
  ArgumentValue,
  LinkedArgument,
  ReadArgument,
  TextArgument,
} from "../../core/rollback-model.js";
import type { SchemaModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { type MapEntry, type MapNode, type SyntaxNode, toJson } from "../../core/syntax-node.js";
import { callerRoot } from "../../kit/caller-root.js";
import { checkRoots } from "../../kit/roots.js";
import {
  literalText,
  parseTemplate,
  type TemplateLanguage,
  type TextNode,
  textNode,
  type TextPart,
  valueName,
} from "../../kit/text-template.js";
import { tokensOf } from "../../kit/template-tokens.js";
import type { UnlinkedTool } from "../../kit/project-tools.js";
import { referenceProblem } from "../../kit/reference-problems.js";
import { checkFit, checkForm, checkLiteral, type Target } from "../../kit/sources/fit.js";
import { followPath, type PathFacts, type PathOrigin } from "../../kit/sources/follow-path.js";
import type { PathStep } from "../../core/value-path.js";
import { stepsOfPath } from "../../kit/sources/path-steps.js";
import { placeSchema, type SchemaPlace } from "../../schema/certain-mismatches.js";
import { propertyNames, statesOthers } from "../../schema/look-up.js";
import { didYouMeanOrListed } from "../../schema/suggestion.js";
import { unquotedPlaceholder } from "../../schema/unquoted-placeholder.js";
import {
  callerOrigin,
  type Compensated,
  parametersOrigin,
  resultOrigin,
  targetOf,
} from "./call-values.js";

/** Reads `parameters` of a compensation. A value with a mistake is reported and left out. */
export function readArguments(
  { entries }: MapNode,
  other: UnlinkedTool,
  own: Compensated,
): readonly LinkedArgument[] {
  return entries.flatMap((entry) => {
    const { parameters } = other.tool;
    const isKnown = checkName(entry, { parameters, at: [], owner: quote(other.id) }, own);
    const target = isKnown ? targetOf(other, entry.key.value) : undefined;
    const value = readArgument(entry.value, target, own);
    return value ? [{ name: entry.key.value, span: entry.key.span, value }] : [];
  });
}

/** An object of the other tool's parameters, or these parameters. */
interface Owner {
  readonly parameters: SchemaModel;
  readonly at: SchemaPlace["at"];
  /** Name of the owner in messages. */
  readonly owner: string;
}

/** Checks that the other tool has the parameter, or that an object in it has the property. */
function checkName(
  { key: { span, value: name } }: MapEntry,
  { at, owner, parameters }: Owner,
  { report }: Compensated,
): boolean {
  const names = propertyNames(parameters, at, "input");
  if (names.includes(name)) return true;
  const isParameter = at.length === 0;
  if (!statesOthers(parameters, "input", at) && (isParameter || names.length > 0))
    report.add({
      code: "rollback/unknown-argument",
      span,
      message: `${owner} has no ${isParameter ? "parameter" : "property"} ${quote(name)}`,
      help:
        didYouMeanOrListed(name, names, `its ${isParameter ? "parameters" : "properties"} are`) ??
        "remove it",
    });
  return false;
}

function readArgument(
  node: SyntaxNode,
  target: Target | undefined,
  own: Compensated,
): ArgumentValue | undefined {
  const text = textNode(node);
  if (text !== undefined) return readText(text, target, own);
  const unquoted = unquotedPlaceholder(node);
  const { span } = node;
  if (unquoted !== undefined) {
    const { help, message } = unquoted;
    own.report.add({ code: "rollback/bad-placeholder", span, message, help });
    return undefined;
  }
  if (isFixed(node)) return literalArgument(fixedValue(node, own), span, target, own);
  return readParts(node, target, own);
}

/** Returns whether a value has no placeholder, and no mistake in place of one. */
function isFixed(node: SyntaxNode): boolean {
  if (node.kind === "list") return node.items.every(isFixed);
  if (node.kind === "map")
    return (
      unquotedPlaceholder(node) === undefined && node.entries.every(({ value }) => isFixed(value))
    );
  const text = textNode(node);
  return (
    text === undefined || [...tokensOf(text.value)].every(({ literal }) => literal !== undefined)
  );
}

/** The value of a node without placeholders. `{{` stands for a brace. */
function fixedValue(node: SyntaxNode, { report }: Compensated): JsonValue {
  return toJson(node, (scalar) => {
    const text = textNode(scalar);
    const template = text && parseTemplate(text, language, report);
    return (template && literalText(template)) ?? scalar.value;
  });
}

/** Reads a list or an object that has a placeholder somewhere. */
function readParts(
  node: SyntaxNode,
  target: Target | undefined,
  own: Compensated,
): ArgumentValue | undefined {
  const { report } = own;
  const { span } = node;
  const hasForm =
    target !== undefined && checkForm(formOf(node, target.wanted), span, target, report);
  const below = (step: string | number) => (hasForm ? targetBelow(target, step) : undefined);
  if (node.kind === "list") {
    const items = node.items.map((item, index) => readArgument(item, below(index), own));
    const found = items.filter((each) => each !== undefined);
    return found.length < items.length ? undefined : { kind: "list", items: found, span };
  }
  if (node.kind !== "map") return undefined;
  const entries = node.entries.map((entry): LinkedArgument | undefined => {
    const { key } = entry;
    const isKnown = checkProperty(entry, target, own);
    const value = readArgument(entry.value, isKnown ? below(key.value) : undefined, own);
    return value && { name: key.value, span: key.span, value };
  });
  const found = entries.filter((each) => each !== undefined);
  return found.length < entries.length ? undefined : { kind: "map", entries: found, span };
}

/** Checks the name of a property. Names are fixed text. */
function checkProperty(entry: MapEntry, target: Target | undefined, own: Compensated): boolean {
  const { span, value: name } = entry.key;
  if (/\{[^{}]*\}/.test(name)) {
    own.report.add({
      code: "rollback/bad-placeholder",
      span,
      message: `${quote(shown(name))} is the name of a property, and names are fixed text`,
      help: "write the name itself; only values can contain placeholders",
    });
    return false;
  }
  if (target === undefined) return false;
  const { at, model: parameters } = target.wanted;
  return checkName(entry, { parameters, at, owner: target.name }, own);
}

function targetBelow({ name, wanted, ...rest }: Target, step: string | number): Target {
  const written = typeof step === "number" ? `item ${step + 1}` : quote(step);
  return {
    ...rest,
    wanted: { ...wanted, at: [...wanted.at, step] },
    name: `${written} of ${name}`,
  };
}

/** Schema of the lists and objects of a value. Each value in them is one that the place takes. */
function formOf(node: SyntaxNode, place: SchemaPlace): JsonSchema {
  const below = (inner: SyntaxNode, step: string | number) =>
    formOf(inner, { ...place, at: [...place.at, step] });
  if (node.kind === "list") {
    const { length } = node.items;
    const items = node.items.map(below);
    return { type: "array", prefixItems: items, items: false, minItems: length, maxItems: length };
  }
  if (node.kind === "map") {
    const entries = node.entries.map(({ key, value }) => [key.value, below(value, key.value)]);
    return {
      type: "object",
      properties: Object.fromEntries(entries),
      required: node.entries.map(({ key }) => key.value),
      additionalProperties: false,
    };
  }
  return placeSchema(place);
}

function literalArgument(
  value: JsonValue,
  span: Span,
  target: Target | undefined,
  { report }: Compensated,
): ArgumentValue {
  const literal = { kind: "literal", value, span } as const;
  if (target) checkLiteral(literal, target, report);
  return literal;
}

/** `parseTemplate` only looks at the name of a root. */
const result = {
  name: "result",
  schema: { kind: "schema", schema: true, span: { file: "", start: 0, end: 0 }, places: {} },
} as const;
const language: TemplateLanguage<"result" | "caller"> = {
  kind: "rollback",
  roots: [result, callerRoot],
};

function readText(
  node: TextNode,
  target: Target | undefined,
  own: Compensated,
): ArgumentValue | undefined {
  const { span } = node;
  const template = parseTemplate(node, language, own.report);
  const { parts, whole } = template;
  if (!whole) return undefined;
  const fixed = literalText(template);
  if (fixed !== undefined) return literalArgument(fixed, span, target, own);
  const read = parts.map((part) =>
    part.kind === "literal"
      ? part.text
      : part.kind === "credential"
        ? noSetting(part, own)
        : readPart(part, own),
  );
  if (read.some((each) => each === undefined)) return undefined;
  const [only] = read;
  if (read.length === 1 && typeof only === "object") {
    if (target)
      checkFit({ text: only.text, span: only.value.span }, only.facts, target, own.report);
    return only.value;
  }
  return textOfParts(
    read.filter((each) => each !== undefined),
    { span, target, own },
  );
}

function noSetting(
  { name, span }: { readonly name: string; readonly span: Span },
  { report }: Compensated,
): undefined {
  report.add({
    code: "rollback/bad-placeholder",
    span,
    message: `the parameters of another tool can't contain the setting \`\${${name}}\``,
    help: "write a fixed value, `{name}` for a parameter of the call, `{result.id}` for a field of its result, or `{caller.tenant}`",
  });
}

type ValuePart = Exclude<
  TextPart<"result" | "caller">,
  { readonly kind: "literal" | "credential" }
>;

/** A value that is read, with what its schemas say. */
interface Read {
  readonly value: ReadArgument;
  readonly text: string;
  readonly facts: PathFacts;
}

function readPart(part: ValuePart, own: Compensated): Read | undefined {
  const { report } = own;
  const { path, span } = part;
  const written = path.join(".");
  const text = valueName(part);
  const from = part.kind === "root" ? part.root : "params";
  const steps = path.length === 0 ? [] : stepsOfPath(written);
  if (steps === undefined) {
    report.add({
      code: "rollback/bad-placeholder",
      span,
      message: `${quote(shown(text))} is not a path`,
      help: "write names with dots between them, such as `{result.order.id}`",
    });
    return undefined;
  }
  const origin = originOf(part, steps, own);
  if (origin === undefined) return undefined;
  const facts = followPath(origin, steps);
  if ("message" in facts) {
    report.add({ code: "rollback/unknown-field", span, ...facts });
    return undefined;
  }
  if (facts.mayBeAbsent || facts.dropsAbsent) {
    report.add(mayBeAbsent(text, span));
    return undefined;
  }
  return { value: { kind: "read", from, steps: facts.steps, span }, text, facts };
}

/** The value from which a placeholder reads; undefined, and reported, if there is none. */
function originOf(
  { kind, path, span, ...part }: ValuePart,
  [first]: readonly PathStep[],
  own: Compensated,
): PathOrigin | undefined {
  const { answers, report, tool } = own;
  const { parameters } = tool;
  if (kind === "parameter") {
    const problem = referenceProblem(tool, [String(first)]);
    if (problem === undefined) return parametersOrigin(tool);
    const help = problem.help ?? "name a parameter of the call, or `{result.FIELD}`";
    report.add({ code: "rollback/unknown-parameter", span, message: problem.message, help });
    return undefined;
  }
  if ("root" in part && part.root === callerRoot.name) {
    const mistakes = report.errorCount();
    const reference = { root: callerRoot.name, path, span };
    checkRoots({ type: "rollback", roots: [callerRoot] }, [reference], parameters, report);
    return report.errorCount() > mistakes ? undefined : callerOrigin;
  }
  // The binding's own mistakes were reported.
  if (answers === undefined) return undefined;
  const origin = resultOrigin(own);
  if (origin === undefined) report.add(noResult(span, own));
  return origin;
}

function noResult(span: Span, { isStream, tool }: Compensated) {
  return {
    code: "rollback/unknown-result",
    span,
    message: isStream
      ? `the result of ${quote(tool.name)} is a stream or one of several pages, which no parameter can take`
      : `nothing says what ${quote(tool.name)} returns`,
    help: isStream
      ? "use parameters of the call: `{name}`"
      : "declare `returns` in the tool, or use parameters of the call: `{name}`",
  } as const;
}

function mayBeAbsent(text: string, span: Span) {
  return {
    code: "rollback/maybe-absent",
    span,
    message: `${quote(text)} may be absent: a part of its path is optional or may be null`,
    help: "list the part under `required` of its schema, and let it not be null; or write another value",
  } as const;
}

function textOfParts(
  read: readonly (string | Read)[],
  {
    own: { report },
    span,
    target,
  }: { readonly span: Span; readonly target: Target | undefined; readonly own: Compensated },
): ArgumentValue | undefined {
  const broad = read.find(
    (each) => typeof each === "object" && !each.facts.types.every(isScalarType),
  );
  if (typeof broad === "object") {
    report.add({
      code: "rollback/bad-placeholder",
      span: broad.value.span,
      message: `${quote(broad.text)} is not a single text, number or boolean, so no text can be made around it`,
      help: "write the placeholder alone, or name a single value",
    });
    return undefined;
  }
  const model: SchemaModel = { kind: "schema", schema: { type: "string" }, span, places: {} };
  const place: SchemaPlace = { model, at: [] };
  if (target) checkFit({ text: "this text", span }, { places: [place] }, target, report);
  return {
    kind: "text",
    parts: joinTexts(read.map((each) => (typeof each === "string" ? each : each.value))),
    span,
  };
}

/** Joins the texts between two values: an escape such as `{{` is a part of its own. */
function joinTexts(parts: readonly (string | ReadArgument)[]): TextArgument["parts"] {
  const joined: (string | ReadArgument)[] = [];
  for (const each of parts) {
    const before = joined.at(-1);
    if (typeof each !== "string" || typeof before !== "string") joined.push(each);
    else joined.splice(-1, 1, before + each);
  }
  return joined;
}

function isScalarType(type: string): boolean {
  return ["string", "number", "integer", "boolean"].includes(type);
}
