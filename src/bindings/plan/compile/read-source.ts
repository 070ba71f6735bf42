/** Reads a source as its author wrote it: a path, a literal, or the long form. */
import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import {
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../../../core/syntax-node.js";
import type { Span } from "../../../core/span.js";
import type { LiteralValue } from "../../../core/value-path.js";
import { checkShape } from "../../../schema/check-shape.js";
import { readPath, type SourcePath } from "../../../kit/sources/source-path.js";
import { textNode, type TextNode } from "../../../kit/text-template.js";
import type { GeneratedValue, PathValue } from "./model.js";
import { parameterBindingSchema } from "./schema.js";

/** Facts about the plan that decide how its sources are read. */
export interface SourceReading {
  readonly report: Report;
  /** Sources below this confidence are not used; absent if the plan asks no planner. */
  readonly threshold?: number;
}

type Source = LiteralValue | PathValue | GeneratedValue;

/** Reads a source that is no parameter and no property, so it can't be left out. */
export function readNeeded(
  node: SyntaxNode | undefined,
  reading: SourceReading,
): LiteralValue | PathValue | undefined {
  const source = readFound(node, reading);
  if (source?.kind !== "path" || source.whenAbsent !== "omit") return source;
  reading.report.add(
    cannotOmit(source.span, "this value is neither a parameter nor a property of `output`"),
  );
  return undefined;
}

/** Reads a source that is no parameter of a step, so no planner finds its value. */
export function readFound(
  node: SyntaxNode | undefined,
  reading: SourceReading,
): LiteralValue | PathValue | undefined {
  const source = readSource(node, reading);
  const isFound =
    source?.kind !== "generated" && (source?.kind !== "path" || source.whenAbsent !== "infer");
  if (isFound) return source;
  reading.report.add({
    code: "plan/cannot-infer",
    span: source.span,
    message: "a planner finds only parameters of steps, and this value is none",
    help: "name a path, and another `fallback` if it may have no value",
  });
  return undefined;
}

/** Reports `fallback: omit` where nothing can be left out. */
export function cannotOmit(span: Span, because: string): UnratedDiagnostic {
  return {
    code: "plan/cannot-omit",
    span,
    message: `${because}, so it can't be left out`,
    help: "write `fallback: error`, which ends the plan, or `fallback: use_default` with `default_value`",
  };
}

/** Keys that show the long form of a source. */
const fullKeys = new Set(["source", "source_type", "default_value", "fallback", "transform"]);

/**
 * Reads a source. A text is a path. A mapping with a key of the long form is that form. Anything
 * else is a literal.
 */
export function readSource(
  node: SyntaxNode | undefined,
  reading: SourceReading,
): Source | undefined {
  if (node === undefined) return undefined;
  const short = textNode(node);
  if (short !== undefined) return pathValue(short, short.value, reading.report);
  return node.kind === "map" && isLongForm(node) ? readFull(node, reading) : literalOf(node);
}

export function isLongForm({ entries }: MapNode): boolean {
  return entries.some(({ key }) => fullKeys.has(key.value));
}

function literalOf(node: SyntaxNode): LiteralValue {
  return { kind: "literal", value: toJson(node), span: node.span };
}

function readFull(node: MapNode, reading: SourceReading): Source | undefined {
  const { report } = reading;
  const fits = checkShape(node, parameterBindingSchema, report, {
    subject: "the source of a parameter",
    at: node.span,
    unknownKey: "binding/unknown-key",
    missingKey: "binding/missing-key",
    wrongType: "binding/wrong-type",
    wrongValue: "binding/wrong-value",
    otherNames: upperCaseNames,
  });
  if (!fits || !mayInfer(node, reading)) return undefined;
  if (isUnsure(node, reading)) return readInstead(node, report);
  const type = textOf(valueOf(node, "source_type"));
  if (type === "generated") return { kind: "generated", span: node.span };
  const value = valueOf(node, "default_value");
  if (type === "literal") return value ? literalOf(value) : missingDefault(node, "literal", report);
  const source = textNode(valueOf(node, "source"));
  if (source === undefined) {
    report.add({
      code: "binding/missing-key",
      span: node.span,
      message: "`source` is missing from the source of a parameter",
      help: "write the path of the value: `source: step_1.output.id`; for a fixed value, `source_type: literal`",
    });
    return undefined;
  }
  const path = pathValue(source, sourceText(source, type), report);
  return path !== undefined && checkType(path, type, report)
    ? withFallback(path, node, report)
    : undefined;
}

function withFallback(path: PathValue, node: MapNode, report: Report): PathValue | undefined {
  const fallback = fallbackOf(node);
  const value = valueOf(node, "default_value");
  const usesDefault = fallback === "use_default";
  if (usesDefault && value === undefined) return missingDefault(node, "use_default", report);
  const transform = readTransform(textNode(valueOf(node, "transform")), report);
  if (fallback === "omit" && transform !== undefined)
    report.add(cannotOmit(transform.span, "a transform makes a text in any case"));
  const whenAbsent = fallback === undefined ? undefined : reactions[fallback];
  return {
    ...path,
    ...(whenAbsent && { whenAbsent }),
    ...(usesDefault && value && { fallback: literalOf(value) }),
    ...(transform && { transform }),
  };
}

type Fallback = "error" | "llm_infer" | "omit" | "use_default";

/** Reactions to an absent value, by the word of the author. */
const reactions: { readonly [Word in Fallback]?: NonNullable<PathValue["whenAbsent"]> } = {
  error: "error",
  llm_infer: "infer",
  omit: "omit",
};

/** The schema allows no other words. */
function fallbackOf(node: MapNode): Fallback | undefined {
  return textOf(valueOf(node, "fallback")) as Fallback | undefined;
}

/** Checks that a source needs no planner, or that the plan has one. */
function mayInfer(node: MapNode, { report, threshold }: SourceReading): boolean {
  if (threshold !== undefined) return true;
  const wanted = [valueOf(node, "source_type"), valueOf(node, "fallback")].find((each) =>
    ["generated", "llm_infer"].includes(textOf(each) ?? ""),
  );
  if (wanted === undefined) return true;
  report.add({
    code: "plan/no-planner",
    span: wanted.span,
    message: `${quote(textOf(wanted) ?? "")} lets a planner ask a model while the plan runs, but the plan has no planner`,
    help: "write `planner: true` beside `steps`, and give the runtime a planner: `createRuntime({ planner })`; or name a source",
  });
  return false;
}

function isUnsure(node: MapNode, { threshold = 0 }: SourceReading): boolean {
  const confidence = valueOf(node, "confidence");
  return (
    confidence?.kind === "scalar" &&
    typeof confidence.value === "number" &&
    confidence.value < threshold
  );
}

/** Reads what replaces a source that is not used, because its confidence is below the threshold. */
function readInstead(node: MapNode, report: Report): Source | undefined {
  const fallback = fallbackOf(node);
  const value = valueOf(node, "default_value");
  if (fallback === "use_default")
    return value ? literalOf(value) : missingDefault(node, fallback, report);
  if (fallback === "omit") return undefined;
  if (fallback !== "error") return { kind: "generated", span: node.span };
  report.add({
    code: "plan/unsure-source",
    span: valueOf(node, "confidence")?.span ?? node.span,
    message:
      "the confidence is below the plan's threshold, so the source is not used, and `fallback: error` ends each call",
    help: "raise `confidence`, or write `fallback: llm_infer`",
  });
  return undefined;
}

/** Spellings of the seed's enumerations. */
const upperCaseNames: ReadonlyMap<string, string> = new Map(
  [
    "user_input",
    "step_output",
    "state",
    "literal",
    "generated",
    "llm_infer",
    "omit",
    "use_default",
    "error",
  ].map((name) => [name, name]),
);

function missingDefault(node: MapNode, word: string, report: Report): undefined {
  report.add({
    code: "binding/missing-key",
    span: node.span,
    message: `${quote(word)} needs a value, but \`default_value\` is missing`,
    help: "write `default_value: …`",
  });
  return undefined;
}

/** With `source_type: state`, `documents` means `state.documents`. */
function sourceText({ value }: TextNode, type: string | undefined): string {
  return type === "state" && !/^state\b/.test(value) ? `state.${value}` : value;
}

function pathValue(node: TextNode, text: string, report: Report): PathValue | undefined {
  const path = readPath(text);
  if (!("code" in path)) return { kind: "path", path, span: node.span };
  report.add({ ...path, span: node.span });
  return undefined;
}

/** Checks that the declared type of a source is that of its path. */
function checkType({ path, span }: PathValue, type: string | undefined, report: Report): boolean {
  const expected = typeOf(path);
  if (type === undefined || type === "state" || type === expected || expected === undefined)
    return true;
  report.add({
    code: "plan/bad-path",
    span,
    message: `${quote(path.text)} is a source of the type ${quote(expected)}, not ${quote(type)}`,
    help: `write \`source_type: ${expected}\`, or remove it: the path shows its type`,
  });
  return false;
}

function typeOf({ root }: SourcePath): "user_input" | "step_output" | undefined {
  if (root.from === "params") return "user_input";
  return root.from === "output" ? "step_output" : undefined;
}

function readTransform(
  node: TextNode | undefined,
  report: Report,
): PathValue["transform"] | undefined {
  if (node === undefined) return undefined;
  const around = node.value.split("{value}");
  if (around.length > 1 && !around.some((text) => /[{}]/.test(text)))
    return { around, span: node.span };
  report.add({
    code: "plan/bad-transform",
    span: node.span,
    message: `${quote(node.value)} is not text with \`{value}\` in it`,
    help: "write text around the value, such as `Order {value}`; a transform runs no code",
  });
  return undefined;
}
