import type { JsonValue } from "../../../core/json.js";
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
import type { ResolvedBinding, ResolveInput } from "../../../kit/binding.js";
import type { RootReference } from "../../../kit/roots.js";
import { usualThreshold } from "../../../kit/sources/source-path.js";
import type { OnStatus } from "@skillc/runtime/internal/plan";
import type {
  BindingModel,
  ConditionModel,
  FieldModel,
  OutputFields,
  PathValue,
  PlanConfig,
  StatusAction,
  StepModel,
} from "./model.js";
import {
  isLongForm,
  readFound,
  readNeeded,
  readSource,
  type SourceReading,
} from "./read-source.js";

/**
 * Reads a plan. It counts as a write until the tools of its steps are known (`link.ts`).
 *
 * A value that can't be read is reported and left out, so that the other parts are still checked.
 */
export function resolvePlan({ node, report }: ResolveInput): ResolvedBinding<PlanConfig> {
  reportReserved(node, report);
  const planner = entryOf(node, "planner");
  const asks = planner !== undefined && isTrue(planner.value);
  const threshold = numberOf(valueOf(node, "confidence_threshold")) ?? usualThreshold;
  const reading: SourceReading = { report, ...(asks && { threshold }) };
  const steps = itemsOf(valueOf(node, "steps")).map((each) => readStep(each, reading));
  const output = readOutput(valueOf(node, "output"), reading);
  const concurrency = numberOf(valueOf(node, "concurrency"));
  const config: PlanConfig = {
    steps,
    ...(output && { output }),
    ...(concurrency !== undefined && { concurrency }),
    ...(asks && { planner: planner.key.span }),
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

function pathsAmong(bindings: readonly (BindingModel | FieldModel)[]): readonly PathValue[] {
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
}

function readStep(node: SyntaxNode, reading: SourceReading): StepModel {
  const id = valueOf(node, "id") ?? node;
  const tool = valueOf(node, "tool") ?? node;
  const when = readCondition(valueOf(node, "when"), reading);
  const list = readNeeded(valueOf(node, "for_each"), reading);
  const maxItems = numberOf(valueOf(node, "max_items"));
  return {
    id: scalarText(id),
    span: id.span,
    tool: { name: textOf(tool) ?? "", span: tool.span },
    bindings: readBindings(valueOf(node, "bindings"), reading),
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

function readBindings(
  node: SyntaxNode | undefined,
  reading: SourceReading,
): readonly BindingModel[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap(({ key, value }) => {
    const source = readSource(value, reading);
    return source ? [{ name: key.value, span: key.span, value: source }] : [];
  });
}

/** Reads the output: a source, or a mapping of names to sources. */
function readOutput(
  node: SyntaxNode | undefined,
  reading: SourceReading,
): PathValue | OutputFields | undefined {
  if (node?.kind === "map" && !isLongForm(node)) {
    const fields = node.entries.flatMap(({ key, value }): readonly FieldModel[] => {
      const source = readFound(value, reading);
      return source ? [{ name: key.value, span: key.span, value: source }] : [];
    });
    return { kind: "fields", fields, span: node.span };
  }
  const source = readNeeded(node, reading);
  return source?.kind === "path" ? source : undefined;
}

function readCondition(
  node: SyntaxNode | undefined,
  reading: SourceReading,
): ConditionModel | undefined {
  if (node?.kind !== "map") return undefined;
  const { report } = reading;
  const source = readNeeded(valueOf(node, "source"), reading);
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
