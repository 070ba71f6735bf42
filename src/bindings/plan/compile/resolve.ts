import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import type { JsonValue } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ParameterReference } from "../../../core/skill-model.js";
import {
  entryOf,
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../../../core/syntax-node.js";
import type { Span } from "../../../core/span.js";
import type { LiteralValue } from "../../../core/value-path.js";
import { checkShape } from "../../../schema/check-shape.js";
import type { ResolvedBinding, ResolveInput } from "../../../kit/binding.js";
import type { RootReference } from "../../../kit/roots.js";
import { readPath, type SourcePath } from "../../../kit/sources/source-path.js";
import { textNode, type TextNode } from "../../../kit/text-template.js";
import type { OnStatus } from "@skillc/runtime/internal/plan";
import type {
  BindingModel,
  ConditionModel,
  OutputFields,
  PathValue,
  PlanConfig,
  StatusAction,
  StepModel,
} from "./model.js";
import { parameterBindingSchema } from "./schema.js";

/**
 * Reads a plan. It counts as a write until the tools of its steps are known (`link.ts`).
 *
 * A value that can't be read is reported and left out, so that the other parts are still checked.
 */
export function resolvePlan({ node, report }: ResolveInput): ResolvedBinding<PlanConfig> {
  reportReserved(node, report);
  const steps = itemsOf(valueOf(node, "steps")).map((each) => readStep(each, report));
  const output = readOutput(valueOf(node, "output"), report);
  const concurrency = numberOf(valueOf(node, "concurrency"));
  const config: PlanConfig = {
    steps,
    ...(output && { output }),
    ...(concurrency !== undefined && { concurrency }),
  };
  const paths = pathsIn(config);
  return {
    config,
    effect: "write",
    idempotent: false,
    credentials: [],
    references: paths.flatMap(parameterReference),
    roots: paths.flatMap(callerReference),
  };
}

/** Every path that a plan reads. */
export function pathsIn({ output, steps }: PlanConfig): readonly PathValue[] {
  return [
    ...steps.flatMap(({ bindings, list, when }) => [
      ...(list ? [list] : []),
      ...(when ? [when.source] : []),
      ...pathsAmong(bindings),
    ]),
    ...(output?.kind === "fields" ? pathsAmong(output.fields) : output ? [output] : []),
  ];
}

function pathsAmong(bindings: readonly BindingModel[]): readonly PathValue[] {
  return bindings.flatMap(({ value }) => (value.kind === "path" ? [value] : []));
}

function parameterReference({ path, span }: PathValue): readonly ParameterReference[] {
  const [name] = path.steps;
  return path.root.from === "params" && typeof name === "string" ? [{ path: [name], span }] : [];
}

function callerReference({ path, span }: PathValue): readonly RootReference[] {
  if (path.root.from !== "caller") return [];
  const names = path.steps.map((step) => (typeof step === "object" ? "*" : String(step)));
  return [{ root: "caller", path: names, span }];
}

function reportReserved(node: MapNode, report: Report): void {
  const retry = entryOf(node, "retry");
  if (retry !== undefined)
    report.add({
      code: "plan/retry",
      span: valueOf(retry.value, "max_attempts")?.span ?? retry.key.span,
      message: "a plan is not repeated as a whole, because its writes would be made again",
      help: "remove `retry`: each tool of the steps has its own",
    });
  const planner = entryOf(node, "planner");
  if (planner?.value.kind === "scalar" && planner.value.value === true)
    report.add({ ...noPlanner("`planner: true`"), span: planner.key.span });
}

function noPlanner(what: string): Omit<UnratedDiagnostic, "span"> {
  return {
    code: "plan/no-planner",
    message: `${what} needs a planner that asks a model, and skillc has none yet`,
    help: "name a source for each parameter",
  };
}

function readStep(node: SyntaxNode, report: Report): StepModel {
  const id = valueOf(node, "id") ?? node;
  const tool = valueOf(node, "tool") ?? node;
  const when = readCondition(valueOf(node, "when"), report);
  const list = readNeeded(valueOf(node, "for_each"), report);
  const maxItems = numberOf(valueOf(node, "max_items"));
  return {
    id: scalarText(id),
    span: id.span,
    tool: { name: textOf(tool) ?? "", span: tool.span },
    bindings: readBindings(valueOf(node, "bindings"), report),
    after: itemsOf(valueOf(node, "after")).map((each) => ({
      name: scalarText(each),
      span: each.span,
    })),
    ...(when && { when }),
    ...(list?.kind === "path" && { list }),
    ...(maxItems !== undefined && { maxItems }),
    on: readActions(valueOf(node, "on")),
    parallel: isTrue(valueOf(node, "parallel")),
    suspends: isTrue(valueOf(node, "suspend")),
  };
}

function readBindings(node: SyntaxNode | undefined, report: Report): readonly BindingModel[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap(({ key, value }) => {
    const source = readSource(value, report);
    return source ? [{ name: key.value, span: key.span, value: source }] : [];
  });
}

/** Reads the output: a source, or a mapping of names to sources. */
function readOutput(
  node: SyntaxNode | undefined,
  report: Report,
): PathValue | OutputFields | undefined {
  if (node?.kind === "map" && !isFullForm(node))
    return { kind: "fields", fields: readBindings(node, report), span: node.span };
  const source = readNeeded(node, report);
  return source?.kind === "path" ? source : undefined;
}

/** Reads a source that is no parameter and no property, so it can't be left out. */
function readNeeded(
  node: SyntaxNode | undefined,
  report: Report,
): LiteralValue | PathValue | undefined {
  const source = readSource(node, report);
  if (source?.kind !== "path" || source.whenAbsent !== "omit") return source;
  report.add(
    cannotOmit(source.span, "this value is neither a parameter nor a property of `output`"),
  );
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

/** Keys that show the full form of a source. */
const fullKeys = new Set(["source", "source_type", "default_value", "fallback", "transform"]);

/**
 * Reads a source. A text is a path. A mapping with a key of the full form is that form. Anything
 * else is a literal.
 */
function readSource(
  node: SyntaxNode | undefined,
  report: Report,
): LiteralValue | PathValue | undefined {
  if (node === undefined) return undefined;
  const short = textNode(node);
  if (short !== undefined) return pathValue(short, short.value, report);
  return node.kind === "map" && isFullForm(node) ? readFull(node, report) : literalOf(node);
}

function isFullForm({ entries }: MapNode): boolean {
  return entries.some(({ key }) => fullKeys.has(key.value));
}

function literalOf(node: SyntaxNode): LiteralValue {
  return { kind: "literal", value: toJson(node), span: node.span };
}

function readFull(node: MapNode, report: Report): LiteralValue | PathValue | undefined {
  const fits = checkShape(node, parameterBindingSchema, report, {
    subject: "the source of a parameter",
    at: node.span,
    unknownKey: "binding/unknown-key",
    missingKey: "binding/missing-key",
    wrongType: "binding/wrong-type",
    wrongValue: "binding/wrong-value",
    otherNames: upperCaseNames,
  });
  if (!fits) return undefined;
  const type = textOf(valueOf(node, "source_type"));
  if (type === "generated" || textOf(valueOf(node, "fallback")) === "llm_infer") {
    const key = type === "generated" ? "source_type" : "fallback";
    const { span } = valueOf(node, key) ?? node;
    report.add({ ...noPlanner(quote(type === "generated" ? type : "llm_infer")), span });
    return undefined;
  }
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
  const fallback = textOf(valueOf(node, "fallback"));
  const usesDefault = fallback === "use_default";
  if (usesDefault && value === undefined) return missingDefault(node, "use_default", report);
  const path = pathValue(source, sourceText(source, type), report);
  if (path === undefined || !checkType(path, type, report)) return undefined;
  const transform = readTransform(textNode(valueOf(node, "transform")), report);
  if (fallback === "omit" && transform !== undefined)
    report.add(cannotOmit(transform.span, "a transform makes a text in any case"));
  return {
    ...path,
    ...((fallback === "omit" || fallback === "error") && { whenAbsent: fallback }),
    ...(usesDefault && value && { fallback: literalOf(value) }),
    ...(transform && { transform }),
  };
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

function readCondition(node: SyntaxNode | undefined, report: Report): ConditionModel | undefined {
  if (node?.kind !== "map") return undefined;
  const source = readNeeded(valueOf(node, "source"), report);
  const tests = ["equals", "in", "exists"].flatMap((key) => entryOf(node, key) ?? []);
  const [test, second] = tests;
  if (test === undefined || second !== undefined) {
    report.add({
      code: "plan/bad-condition",
      span: second?.key.span ?? node.span,
      message:
        test === undefined ? "this condition expects nothing" : "this condition has two tests",
      help: "write one of `equals: VALUE`, `in: [VALUE, …]` and `exists: true`",
    });
    return undefined;
  }
  if (source?.kind !== "path") return undefined;
  const { span } = test.value;
  if (test.key.value === "exists")
    return { source, test: { kind: "exists", exists: isTrue(test.value), span }, span: node.span };
  const value = toJson(test.value);
  const values: readonly JsonValue[] =
    test.key.value === "in" && Array.isArray(value) ? value : [value];
  return { source, test: { kind: "in", values, span }, span: node.span };
}

function readActions(node: SyntaxNode | undefined): readonly StatusAction[] {
  if (node?.kind !== "map") return [];
  return node.entries.map(({ key, value }) => ({
    status: key.value,
    // The schema of the binding allows no other words.
    action: (textOf(value) ?? "stop") as OnStatus,
    span: key.span,
  }));
}

function itemsOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  return node?.kind === "list" ? node.items : [];
}

function numberOf(node: SyntaxNode | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

function isTrue(node: SyntaxNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}

/** Ids may be numbers, as they are in YAML without quotes. */
function scalarText(node: SyntaxNode): string {
  return node.kind === "scalar" ? String(node.value) : "";
}
