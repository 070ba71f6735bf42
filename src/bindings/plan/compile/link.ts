/**
 * Checks a plan against the tools of its steps, and completes it with what its module needs.
 *
 * `read-value.ts` reads the sources, and `kit/sources/fit.ts` compares a value with the parameter
 * that takes it. `step-order.ts` finds the order, and `plan-facts.ts` sums up what the plan may do.
 */
import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { listed, quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import type { ToolAnswers } from "../../../kit/answers.js";
import type { LinkedBinding } from "../../../kit/binding.js";
import { type ProjectTool, type ProjectTools, unknownTool } from "../../../kit/project-tools.js";
import { checkFit, checkLiteral } from "../../../kit/sources/fit.js";
import type { PathOrigin } from "../../../kit/sources/follow-path.js";
import { placeSchema, type SchemaPlace } from "../../../schema/certain-mismatches.js";
import { areDisjoint } from "../../../schema/compare/compare.js";
import { lookUp, propertyNames, statesOthers } from "../../../schema/look-up.js";
import { didYouMean, didYouMeanOrListed } from "../../../schema/suggestion.js";
import { checkParameters } from "./check-parameters.js";
import { checkConfidential, checkShown } from "./confidential.js";
import type { KnownStep, Linking } from "./linking.js";
import type {
  BindingModel,
  ConditionModel,
  LinkedParameter,
  LinkedPlan,
  LinkedStep,
  PathValue,
  PlanConfig,
  StepModel,
} from "./model.js";
import { factsOf, highestRisk, innerSteps, isRepeatable, maySuspend } from "./plan-facts.js";
import { linkOutput } from "./link-output.js";
import { handlesAbsence, originAt, type ReadValue, readValue } from "./read-value.js";
import { cannotOmit } from "./read-source.js";
import { sourceOf, targetOf } from "./targets.js";
import { afterOf, markUsed, orderedAfter } from "./step-order.js";

/** Links a plan; undefined, and reported, if a mistake leaves too little. */
export function linkPlan(
  tool: ToolModel,
  config: PlanConfig,
  tools: ProjectTools,
  report: Report,
): LinkedBinding<PlanConfig> | undefined {
  const before = report.errorCount();
  const linking: Linking = { tool, config, tools, report, steps: new Map() };
  const linked = config.steps.map((step, index) => linkStep(step, index, linking));
  const output = config.output && linkOutput(config.output, linking);
  const steps = linked.filter((each) => each !== undefined);
  const asks = steps.some(asksPlanner);
  checkParameters(tool, asks, report);
  const isWhole = steps.length === linked.length && report.errorCount() === before;
  if (!isWhole) return undefined;
  warnOfUnused(linking);
  if (config.planner !== undefined && !asks) report.add(unusedPlanner(config.planner));
  const known = [...linking.steps.values()];
  const capabilities = known.flatMap(({ found }) => found.capabilities);
  const plan: LinkedPlan = {
    steps,
    ...(output && { output: output.value }),
    outputNeeds: output?.needs ?? [],
    outputFrom: output?.from ?? [],
    outputFields: output?.fields ?? {},
    ...(output?.schema && { outputSchema: output.schema }),
    capabilities: distinct(capabilities, ({ capability }) => capability),
    innerSteps: innerSteps(known),
    facts: factsOf(known, capabilities),
    maySuspend: known.some(maySuspend),
    asks,
    stops: [...new Set(known.flatMap(({ stops }) => stops))],
  };
  const writes = known.some(({ found }) => found.tool.binding.effect === "write");
  return {
    config: { ...config, linked: plan },
    effect: writes ? "write" : "read",
    riskLevel: highestRisk(known.map(({ found }) => found.tool.riskLevel)),
  };
}

function linkStep(step: StepModel, index: number, linking: Linking): LinkedStep | undefined {
  const { config, report, steps, tools } = linking;
  const twice = config.steps.slice(0, index).find(({ id }) => id === step.id);
  if (twice !== undefined) report.add(sameId(step, twice));
  const found = tools.find(step.tool.name);
  if (found === undefined || found.unlinked !== undefined) {
    if (found === undefined) report.add(noTool(step, tools));
    else if (found.unlinked?.why !== "mistakes") report.add(unlinkedTool(step, found));
    return undefined;
  }
  const answers = found.answers;
  const list = step.list && listOf(step.list, step, linking);
  const item = list && itemOf(list);
  const when = step.when && conditionOf(step.when, step, linking);
  const params = step.bindings.map((binding) =>
    parameterOf(binding, step, { found, item, linking }),
  );
  reportMissing(step, found, report);
  const asks = asksPlanner({ params });
  if (asks) showToPlanner(step, linking);
  const sources = [list, when, ...params].filter((each) => each !== undefined);
  const needs = [...new Set(sources.flatMap((each) => each.needs))];
  const { effect } = found.tool.binding;
  const known: KnownStep = {
    step,
    index,
    found,
    answers,
    stops: stopsOf(step, found, answers, report),
    without: outputMayLack(step, needs, linking),
    isUsed: effect === "write",
  };
  for (const name of orderedAfter(step, linking)) markUsed(name, linking);
  const after = afterOf(step, index, { asks, sources }, linking);
  if (twice === undefined) steps.set(step.id, known);
  return {
    id: step.id,
    span: step.span,
    toolId: found.id,
    module: found.module,
    functionName: found.functionName,
    effect,
    after,
    needs,
    reads: readsOf(list, [when, ...params]),
    params: params.map(({ name, span, value }) => ({ name, span, value })),
    ...(when && step.when && { when: { source: when.value, test: step.when.test } }),
    ...(list && { list: list.value }),
    ...(step.maxItems !== undefined && { maxItems: step.maxItems }),
    on: Object.fromEntries(step.on.map(({ action, status }) => [status, action])),
    mayBeAbsent: known.without === "absent",
    isLoop: step.list !== undefined,
    mayStop: known.stops.length > 0 || !answers.isComplete,
    mayHoldNull: step.list !== undefined && step.on.some(({ action }) => action === "continue"),
    isRepeatable: isRepeatable(found.tool),
    suspends: step.suspends,
  };
}

function parameterOf(
  { name, span, value }: BindingModel,
  step: StepModel,
  {
    found,
    item,
    linking,
  }: {
    readonly found: ProjectTool;
    readonly item: PathOrigin | undefined;
    readonly linking: Linking;
  },
): ReadParameter {
  const { report } = linking;
  const names = propertyNames(found.tool.parameters, [], "input");
  const isKnown = names.includes(name);
  // A planner knows only declared parameters.
  const mayBeOther = value.kind !== "generated" && statesOthers(found.tool.parameters, "input");
  if (!isKnown && !mayBeOther) {
    report.add({
      code: "plan/unknown-argument",
      span,
      message: `${quote(found.id)} has no parameter ${quote(name)}`,
      help: didYouMeanOrListed(name, names, "its parameters are") ?? "remove it",
    });
  }
  const wanted: SchemaPlace = { model: found.tool.parameters, at: [name] };
  const target = targetOf(wanted, `${quote(name)} of ${quote(found.id)}`, "value");
  const unread = { needs: [], reads: [], steps: [], places: [] };
  if (value.kind === "generated") return { ...unread, name, span, value };
  if (value.kind === "literal") {
    if (isKnown) checkLiteral(value, target, report);
    return { ...unread, name, span, value };
  }
  const read = readValue(value, { step, item, linking });
  if (isKnown) {
    checkFit(sourceOf(value), read, target, report);
    if (value.fallback) checkLiteral(value.fallback, target, report);
    const { presence, types } = lookUp(found.tool.parameters, [name], "input");
    if (value.whenAbsent === "omit" && presence === "always")
      report.add(cannotOmit(value.span, `${quote(found.id)} requires ${quote(name)}`));
    const from = sourceStep(value, step);
    const source = from === undefined ? undefined : linking.steps.get(from)?.found;
    checkConfidential(value, read.places, { found, name, from: source }, report);
    if (types.includes("null")) return { ...read, name, span, value: keepingNull(read) };
  }
  return { ...read, name, span };
}

/** A parameter with its source. */
interface ReadParameter extends Omit<ReadValue, "value">, LinkedParameter {}

/** A value for a parameter that takes null: the planner is asked only if there is no value at all. */
function keepingNull({ facts, value }: ReadValue): ReadValue["value"] {
  if (value.kind !== "path" || value.whenAbsent?.type !== "infer") return value;
  // There is no text around null.
  if (value.whenAbsent.null !== "missing" || value.around !== undefined) return value;
  const { whenAbsent, ...sure } = value;
  return facts?.mayBeAbsent === true
    ? { ...sure, whenAbsent: { ...whenAbsent, null: "value" } }
    : sure;
}

/** Checks if a planner may have to find a parameter of a step. */
function asksPlanner({ params }: Pick<LinkedStep, "params">): boolean {
  return params.some(
    ({ value }) =>
      value.kind === "generated" || (value.kind === "path" && value.whenAbsent?.type === "infer"),
  );
}

/** A planner sees the plan's parameters, and the outputs of all steps above. */
function showToPlanner(step: StepModel, linking: Linking): void {
  for (const each of linking.steps.values()) each.isUsed = true;
  checkShown(step, linking);
}

/** The step from whose output a value comes. */
function sourceStep({ path: { root } }: PathValue, { list }: StepModel): string | undefined {
  if (root.from === "output") return root.step;
  return root.from === "item" && list?.path.root.from === "output"
    ? list.path.root.step
    : undefined;
}

function reportMissing(step: StepModel, { id, tool }: ProjectTool, report: Report): void {
  const given = new Set(step.bindings.map(({ name }) => name));
  const missing = propertyNames(tool.parameters, [], "input").filter(
    (name) => !given.has(name) && lookUp(tool.parameters, [name], "input").presence === "always",
  );
  if (missing.length === 0) return;
  report.add({
    code: "plan/missing-parameter",
    span: step.tool.span,
    message: `${quote(id)} requires ${listed(missing.map(quote))}, and nothing in step ${quote(step.id)} gives ${missing.length === 1 ? "it" : "them"} a value`,
    help: `add a source under \`bindings\`: \`${missing[0]}: PATH\``,
  });
}

function listOf(list: PathValue, step: StepModel, linking: Linking): ReadValue {
  const read = readValue(list, { step, linking });
  if (read.facts === undefined) return read;
  const { types } = read.facts;
  const isList = types.every(
    (type) => type === "array" || (type === "null" && handlesAbsence(list)),
  );
  const fallback = list.fallback?.value;
  if (isList && types.length > 0 && (fallback === undefined || Array.isArray(fallback)))
    return read;
  linking.report.add({
    code: "plan/not-a-list",
    span: list.span,
    message: `${quote(list.path.text)} is not always a list, so the step can't make a call for each item`,
    help: "name a list; without `for_each`, the step makes one call",
  });
  return { ...read, places: [] };
}

/** Places that a step reads. The items of its list stand for the list, if a source names them. */
function readsOf(
  list: ReadValue | undefined,
  others: readonly (Pick<ReadValue, "reads"> | undefined)[],
): ReadValue["reads"] {
  const reads = others.flatMap((each) => each?.reads ?? []);
  const ofList = list?.reads ?? [];
  const isNamed = (place: readonly (string | number)[]) =>
    reads.some(
      (each) => each.length > place.length && place.every((step, index) => step === each[index]),
    );
  return [...ofList.filter((place) => !isNamed(place)), ...reads];
}

/** Items of a loop. */
function itemOf({ places }: ReadValue): PathOrigin | undefined {
  if (places.length === 0) return undefined;
  return originAt(
    places.map(({ at, isList, model }) => ({ model, at: isList ? at : [...at, 0] })),
    "item",
  );
}

function conditionOf(
  { source, test }: ConditionModel,
  step: StepModel,
  linking: Linking,
): ReadValue {
  const { report } = linking;
  // A condition may ask if there is a value.
  const asksPresence = test.kind === "exists";
  const asked: PathValue = asksPresence
    ? {
        ...source,
        fallback: source.fallback ?? { kind: "literal", value: null, span: source.span },
      }
    : source;
  const read = readValue(asked, { step, linking });
  const never =
    test.kind === "in" ? neverEquals(read.places, test.values) : isAlwaysThere(read, test);
  if (never)
    report.add({
      code: "plan/unreachable-when",
      span: test.span,
      message: asksPresence
        ? `${quote(source.path.text)} always has a value, so step ${quote(step.id)} is never made`
        : `${quote(source.path.text)} never has this value, so step ${quote(step.id)} is never made`,
      help: "correct the condition, or remove the step",
    });
  return read;
}

function neverEquals(places: readonly SchemaPlace[], values: readonly unknown[]): boolean {
  const wanted = { enum: values } as { readonly enum: never };
  return (
    places.length > 0 &&
    places.every((place) =>
      areDisjoint(
        { schema: placeSchema(place), root: place.model.schema },
        { schema: wanted, root: wanted },
      ),
    )
  );
}

function isAlwaysThere({ facts }: ReadValue, test: ConditionModel["test"]): boolean {
  if (test.kind !== "exists" || test.exists || facts === undefined) return false;
  return !facts.mayBeAbsent && !facts.types.includes("null");
}

/** Tells whether a step may leave no output, and what that means for a reader. */
function outputMayLack(
  step: StepModel,
  needs: readonly string[],
  { steps }: Linking,
): KnownStep["without"] {
  const isLoop = step.list !== undefined;
  const actions = isLoop ? [] : step.on.map(({ action }) => action);
  if (step.when !== undefined || actions.includes("continue")) return "absent";
  const isSkipped =
    actions.includes("skip") || needs.some((id) => steps.get(id)?.without !== undefined);
  return isSkipped ? "skipped" : undefined;
}

/** Statuses without data that end the plan. */
function stopsOf(
  step: StepModel,
  { id, tool }: ProjectTool,
  { all, isComplete }: ToolAnswers,
  report: Report,
): readonly string[] {
  const without = all.flatMap(({ data, status }) => (data === undefined ? [status] : []));
  for (const { span, status } of step.on) {
    if (status === "error" || without.includes(status) || !isComplete) continue;
    const carries = all.some((each) => each.status === status);
    report.add({
      code: "plan/unknown-status",
      span,
      message: carries
        ? `${quote(status)} of ${quote(id)} carries data, so the plan always goes on`
        : `${quote(id)} never answers ${quote(status)}`,
      help: carries
        ? "remove it"
        : (didYouMean(status, without) ??
          `write ${listed(["error", ...without].map(quote))}; \`error\` also covers failures without an answer`),
    });
  }
  const handled = new Set(
    step.on.flatMap(({ action, status }) => (action === "stop" ? [] : [status])),
  );
  const stops = without.filter((status) => !handled.has(status));
  const taken = stops.find((status) => status === "suspended" && tool.binding.type !== "plan");
  if (taken !== undefined)
    report.add({
      code: "plan/taken-status",
      span: step.tool.span,
      message: `${quote(id)} may answer ${quote(taken)}, which is an answer of the plan itself`,
      help: `say in \`on\` what happens then: \`on: { ${taken}: continue }\``,
    });
  return stops;
}

function warnOfUnused({ report, steps }: Linking): void {
  for (const { found, isUsed, step } of steps.values()) {
    if (isUsed) continue;
    report.add({
      code: "plan/unused-step",
      span: step.span,
      message: `nothing uses the output of step ${quote(step.id)}, and ${quote(found.id)} only reads`,
      help: `use \`step_${step.id}.output\`, or remove the step; a step that only checks something may be accepted`,
    });
  }
}

function unusedPlanner(span: Span): UnratedDiagnostic {
  return {
    code: "plan/unused-planner",
    span,
    message: "each parameter of the plan has a value, so no planner is ever asked",
    help: "remove `planner`: without it, the plan needs no model",
  };
}

function distinct<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): readonly Value[] {
  return [...new Map(values.map((each) => [keyOf(each), each])).values()];
}

function sameId({ id, span }: StepModel, first: StepModel): UnratedDiagnostic {
  return {
    code: "plan/duplicate-step",
    span,
    message: `two steps have the id ${quote(id)}`,
    help: "give each step its own id",
    related: [{ span: first.span, message: "the first one" }],
  };
}

function noTool({ tool }: StepModel, tools: ProjectTools): UnratedDiagnostic {
  return {
    code: "plan/unknown-tool",
    span: tool.span,
    help: "name a tool of this skill, or `other-skill/tool`",
    ...unknownTool(tool.name, tools),
  };
}

function unlinkedTool({ tool }: StepModel, { id, unlinked }: ProjectTool): UnratedDiagnostic {
  const { span } = tool;
  if (unlinked?.why === "cycle")
    return {
      code: "plan/cycle",
      span,
      message: `this step calls its own plan: ${unlinked.path.join(" → ")}`,
      help: "remove one of these steps",
    };
  return {
    code: "plan/too-deep",
    span,
    message: `${quote(id)} is a plan within more than ${unlinked?.why === "depth" ? unlinked.limit : 0} plans`,
    help: "call its tools from a plan further up",
  };
}
