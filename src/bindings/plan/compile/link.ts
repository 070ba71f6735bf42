/**
 * Checks a plan against the tools of its steps, and completes it with what its module needs: the
 * order of the steps, and code paths for every value. Every rule about plans that needs another
 * tool is here or in a file that this one calls: `source-facts.ts` follows a path through schemas,
 * `fit.ts` compares a value with the parameter that takes it.
 */
import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { listed, quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type RiskLevel, riskLevels, type ToolModel } from "../../../core/skill-model.js";
import { areDisjoint } from "../../../schema/compare/compare.js";
import { type SchemaPlace, placeSchema } from "../../../schema/certain-mismatches.js";
import { lookUp, propertyNames, statesOthers } from "../../../schema/look-up.js";
import { didYouMean, didYouMeanOrListed } from "../../../schema/suggestion.js";
import { answersOf, type ToolAnswers } from "../../../kit/answers.js";
import type { LinkedBinding } from "../../../kit/binding.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { capabilitiesByKind } from "../../../kit/capability-form.js";
import { type ProjectTool, type ProjectTools, unknownTool } from "../../../kit/project-tools.js";
import { stepDefaults } from "@skillc/runtime/internal/plan";
import { checkParameters } from "./check-parameters.js";
import { checkConfidential } from "./confidential.js";
import { checkFit, checkLiteral, literalFits } from "./fit.js";
import type {
  BindingModel,
  ConditionModel,
  LinkedPlan,
  LinkedStep,
  LinkedValue,
  PathValue,
  PlanConfig,
  StepModel,
} from "./model.js";
import { followPath, type PathFacts, type PathOrigin } from "./source-facts.js";

/** Links a plan; undefined, and reported, if a mistake leaves too little. */
export function linkPlan(
  tool: ToolModel,
  config: PlanConfig,
  tools: ProjectTools,
  report: Report,
): LinkedBinding<PlanConfig> | undefined {
  const before = report.errorCount();
  checkParameters(tool, report);
  const linking: Linking = { tool, config, tools, report, steps: new Map() };
  const linked = config.steps.map((step, index) => linkStep(step, index, linking));
  const output = config.output && outputOf(config.output, linking);
  const steps = linked.filter((each) => each !== undefined);
  const isWhole = steps.length === linked.length && report.errorCount() === before;
  if (!isWhole) return undefined;
  warnOfUnused(linking);
  const known = [...linking.steps.values()];
  const capabilities = known.flatMap(({ found }) =>
    capabilitiesByKind(found.kind, found.tool, found.id),
  );
  const plan: LinkedPlan = {
    steps,
    ...(output && { output: output.value }),
    outputNeeds: output?.needs ?? [],
    outputFrom: output?.reads[0] ?? [],
    ...(output?.schema && { outputSchema: output.schema }),
    capabilities: distinct(capabilities, ({ capability }) => capability),
    facts: factsOf(known, capabilities),
    maySuspend: known.some(maySuspend),
    stops: [...new Set(known.flatMap(({ stops }) => stops))],
  };
  const writes = known.some(({ found }) => found.tool.binding.effect === "write");
  return {
    config: { ...config, linked: plan },
    effect: writes ? "write" : "read",
    riskLevel: highestRisk(known.map(({ found }) => found.tool.riskLevel)),
  };
}

interface Linking {
  readonly tool: ToolModel;
  readonly config: PlanConfig;
  readonly tools: ProjectTools;
  readonly report: Report;
  /** Steps with known tools so far, by id. */
  readonly steps: Map<string, KnownStep>;
}

/** A step whose tool is known. */
interface KnownStep {
  readonly step: StepModel;
  readonly index: number;
  readonly found: ProjectTool;
  readonly answers: ToolAnswers;
  /** Statuses without data after which the plan ends. */
  readonly stops: readonly string[];
  /**
   * `absent`: a reader needs a fallback, because the step may leave no output. `skipped`: a reader
   * without a fallback is skipped together with the step.
   */
  readonly without: "absent" | "skipped" | undefined;
  isUsed: boolean;
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
  const answers = answersOf(found.kind, found.tool);
  const list = step.list && listOf(step.list, step, linking);
  const item = list && itemOf(list);
  const when = step.when && conditionOf(step.when, step, linking);
  const params = step.bindings.map((binding) =>
    parameterOf(binding, step, { found, item, linking }),
  );
  reportMissing(step, found, report);
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
  const after = afterOf(step, index, sources, linking);
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
    reads: sources.flatMap((each) => each.reads),
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

/** A value that a step or the output reads, with what follows from it. */
interface ReadValue {
  readonly value: LinkedValue;
  /** Steps that the reader can't do without. */
  readonly needs: readonly string[];
  /** Places in outputs of steps, as the engine takes them. */
  readonly reads: readonly (readonly (string | number)[])[];
  /** Steps whose outputs are read, also with a fallback. */
  readonly steps: readonly string[];
  /** Places in schemas that describe the value; none if a mistake was reported. */
  readonly places: readonly SchemaPlace[];
  readonly facts?: PathFacts;
}

interface Reader {
  /** The step that reads; absent for the output of the plan. */
  readonly step?: StepModel;
  readonly item?: PathOrigin | undefined;
  readonly linking: Linking;
}

/** Reads a path. After a mistake, the value is as its author wrote it, and has no places. */
function readValue(source: PathValue, reader: Reader): ReadValue {
  const { report } = reader.linking;
  const { fallback, path, span, transform } = source;
  const origin = originOf(source, reader);
  const found = origin && followPath(origin, path.steps);
  if (found !== undefined && "message" in found)
    report.add({ code: "plan/unknown-field", span, ...found });
  const facts = found === undefined || "message" in found ? undefined : found;
  if (facts?.mayBeAbsent && fallback === undefined) report.add(mayBeAbsent(source, reader));
  const isText = transform === undefined || facts === undefined || facts.types.every(isScalarType);
  if (!isText)
    report.add({
      code: "plan/bad-transform",
      span: transform.span,
      message: `${quote(path.text)} is not a single text, number or boolean, so no text can be made around it`,
      help: "name a single value, or remove `transform`",
    });
  const steps = path.root.from === "output" ? [path.root.step] : [];
  return {
    value: {
      kind: "path",
      root: path.root,
      optional: origin?.mayBeAbsent === true && fallback !== undefined,
      steps: facts?.steps ?? path.steps.map((step) => ({ step, optional: false })),
      dropsAbsent: facts?.dropsAbsent === true,
      span,
      ...(fallback && { fallback }),
      ...(transform && { around: transform.around }),
    },
    needs: fallback === undefined ? steps : [],
    steps,
    reads: readsOf(source, reader),
    places: facts === undefined || !isText ? [] : transform ? [textPlace(span)] : facts.places,
    ...(facts && { facts }),
  };
}

function isScalarType(type: string): boolean {
  return ["string", "number", "integer", "boolean"].includes(type);
}

function textPlace(span: PathValue["span"]): SchemaPlace {
  return { model: { kind: "schema", schema: { type: "string" }, span, places: {} }, at: [] };
}

/** Places of a source in outputs of steps. An item of a loop is a place below the loop's list. */
function readsOf({ path }: PathValue, { step }: Reader): ReadValue["reads"] {
  const below = path.steps.map((each) => (typeof each === "object" ? "*" : each));
  if (path.root.from === "output") return [[path.root.step, ...below]];
  if (path.root.from !== "item" || step?.list === undefined) return [];
  const { path: list } = step.list;
  if (list.root.from !== "output") return [];
  const above = list.steps.map((each) => (typeof each === "object" ? "*" : each));
  const whole = list.steps.some((each) => typeof each === "object") ? above : [...above, "*"];
  return [[list.root.step, ...whole, ...below]];
}

/** The value from which a path begins; undefined, and reported, if there is none. */
function originOf(source: PathValue, reader: Reader): PathOrigin | undefined {
  const { path, span } = source;
  const { linking, step: reading } = reader;
  const { report, tool } = linking;
  switch (path.root.from) {
    case "params":
      // `check-parameters.ts` reports names of no parameter.
      return propertyNames(tool.parameters, []).includes(String(path.steps[0]))
        ? originAt([{ model: tool.parameters, at: [] }], "the parameters", { form: "filled" })
        : undefined;
    case "caller":
      // The compiler reports fields that no caller has.
      return originAt([{ model: callerRoot.schema, at: [] }], "caller");
    case "item":
      if (reader.item !== undefined) return reader.item;
      if (reading?.list !== undefined) return undefined;
      report.add({
        code: "plan/no-item",
        span,
        message: "`item` is an item of the step's own loop, and there is none here",
        help: "write `for_each: PATH` in this step, or name the path of a value",
      });
      return undefined;
    case "output":
      return outputOrigin(path.root.step, source, reader);
  }
}

function originAt(
  places: readonly SchemaPlace[],
  name: string,
  {
    form = "stated",
    mayBeAbsent: absent = false,
  }: Partial<Pick<PathOrigin, "form" | "mayBeAbsent">> = {},
): PathOrigin {
  return { places, name, form, mayBeAbsent: absent };
}

function outputOrigin(id: string, source: PathValue, reader: Reader): PathOrigin | undefined {
  const { span } = source;
  const { config, report, steps } = reader.linking;
  const known = steps.get(id);
  if (known === undefined) {
    const isBelow = config.steps.some((each) => each.id === id);
    const isBroken = isBelow && isAbove(id, reader);
    // Its own mistake was reported.
    if (!isBroken) report.add(isBelow ? forward(id, span) : noStep(id, span, config));
    return undefined;
  }
  known.isUsed = true;
  const name = `step_${id}.output`;
  const data = known.answers.all.flatMap((each) => each.data ?? []);
  const { config: inner } = known.found.tool.binding;
  const { kind, tool } = known.found;
  const isListOfLists =
    known.step.list !== undefined &&
    data.some((each) => typeof each === "object" && each.isList === true);
  const isStream =
    data.includes("bytes") ||
    kind.streams?.(inner) !== undefined ||
    kind.pages?.(inner, tool.parameters) !== undefined;
  if (isStream) {
    report.add({
      code: "plan/stream-output",
      span,
      message: `the answer of ${quote(known.found.id)} is a stream, pages or bytes, which no step can use`,
      help: "name the output of a tool that answers with one JSON value",
    });
    return undefined;
  }
  const places = data.filter((each) => typeof each === "object");
  if (places.length < data.length || places.length === 0 || isListOfLists) {
    report.add({
      code: "plan/unknown-output",
      span,
      message: `nothing says what ${quote(known.found.id)} answers`,
      help: `declare \`returns\` in ${quote(known.found.id)}`,
    });
    return undefined;
  }
  // A step without a fallback is skipped together with the step that it reads.
  const isReaderSkipped = reader.step !== undefined && source.fallback === undefined;
  const absent = known.without === "absent" || (known.without === "skipped" && !isReaderSkipped);
  const holdsNull =
    known.step.list !== undefined && known.step.on.some(({ action }) => action === "continue");
  return {
    ...originAt(places, name, { mayBeAbsent: absent }),
    ...(holdsNull && { holdsNull }),
    ...((known.step.list ?? places.some(({ isList }) => isList)) && { isLoop: true as const }),
  };
}

/** Checks if a step stands above the reader. */
function isAbove(id: string, { linking, step }: Reader): boolean {
  const { steps } = linking.config;
  const own = step === undefined ? steps.length : steps.indexOf(step);
  return steps.findIndex((each) => each.id === id) < own;
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
): ReadValue & { readonly name: string; readonly span: BindingModel["span"] } {
  const { report } = linking;
  const names = propertyNames(found.tool.parameters, [], "input");
  const isKnown = names.includes(name);
  if (!isKnown && !statesOthers(found.tool.parameters, "input")) {
    report.add({
      code: "plan/unknown-argument",
      span,
      message: `${quote(found.id)} has no parameter ${quote(name)}`,
      help: didYouMeanOrListed(name, names, "its parameters are") ?? "remove it",
    });
  }
  const wanted: SchemaPlace = { model: found.tool.parameters, at: [name] };
  const target = { wanted, name: `${quote(name)} of ${quote(found.id)}` };
  if (value.kind === "literal") {
    if (isKnown) checkLiteral(value, target, report);
    return { name, span, value, needs: [], reads: [], steps: [], places: [] };
  }
  const read = readValue(value, { step, item, linking });
  if (isKnown) {
    checkFit(value, read, target, report);
    if (value.fallback) checkLiteral(value.fallback, target, report);
    const from = sourceStep(value, step);
    const source = from === undefined ? undefined : linking.steps.get(from)?.found;
    checkConfidential(value, read.places, { found, name, from: source }, report);
  }
  return { ...read, name, span };
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
    (type) => type === "array" || (type === "null" && list.fallback !== undefined),
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

/** What a reader of the step's output has to expect. */
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
  { id, kind }: ProjectTool,
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
  const taken = stops.find((status) => status === "suspended" && kind.type !== "plan");
  if (taken !== undefined)
    report.add({
      code: "plan/taken-status",
      span: step.tool.span,
      message: `${quote(id)} may answer ${quote(taken)}, which is an answer of the plan itself`,
      help: `say in \`on\` what happens then: \`on: { ${taken}: continue }\``,
    });
  return stops;
}

/** Steps that `after` names, without those that are reported. */
function orderedAfter(step: StepModel, linking: Linking): readonly string[] {
  const { config, report, steps } = linking;
  return step.after.flatMap(({ name, span }) => {
    if (steps.has(name)) return [name];
    const isThere = config.steps.some(({ id }) => id === name);
    if (!isThere) report.add(noStep(name, span, config));
    else if (!isAbove(name, { step, linking })) report.add(forward(name, span));
    return [];
  });
}

function markUsed(id: string, { steps }: Linking): void {
  const known = steps.get(id);
  if (known !== undefined) known.isUsed = true;
}

/**
 * Steps that must have ended: those whose outputs are read, those in `after`, and writes above. A
 * write is a barrier: it waits for every step above, and every step below waits for it.
 */
function afterOf(
  step: StepModel,
  index: number,
  sources: readonly ReadValue[],
  linking: Linking,
): readonly string[] {
  const above = [...linking.steps.values()].filter((each) => each.index < index);
  const barrier = above.findLast(isBarrier);
  const own = linking.tools.find(step.tool.name);
  const isOwnBarrier = own?.tool.binding.effect === "write" && !step.parallel;
  const waits = isOwnBarrier
    ? above.filter((each) => barrier === undefined || each.index >= barrier.index)
    : above.filter((each) => each === barrier);
  const named = [...sources.flatMap((each) => each.steps), ...step.after.map(({ name }) => name)];
  const direct = above.filter((each) => named.includes(each.step.id));
  return [...new Set([...waits, ...direct])]
    .toSorted((one, other) => one.index - other.index)
    .map((each) => each.step.id);
}

function isBarrier({ found, step }: KnownStep): boolean {
  return found.tool.binding.effect === "write" && !step.parallel;
}

function outputOf(
  output: PathValue,
  linking: Linking,
): ReadValue & { readonly schema?: LinkedPlan["outputSchema"] } {
  const { report, tool } = linking;
  const read = readValue(output, { linking });
  if (tool.returns !== undefined) {
    const target = { wanted: { model: tool.returns, at: [] }, name: "`returns`", isReturns: true };
    checkFit(output, read, target, report);
    if (output.fallback) checkLiteral(output.fallback, target, report);
  }
  const [only, second] = read.places;
  const isDescribed =
    only !== undefined &&
    second === undefined &&
    read.facts?.holdsNull !== true &&
    literalFits(output.fallback, only);
  return { ...read, ...(isDescribed && { schema: only }) };
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

/** Checks if a write with an unknown outcome may be made again with the same key. */
function isRepeatable({ binding, governance }: ToolModel): boolean {
  return (
    binding.effect === "read" || binding.idempotent || governance?.idempotency?.value === "keyed"
  );
}

function factsOf(
  known: readonly KnownStep[],
  capabilities: LinkedPlan["capabilities"],
): LinkedPlan["facts"] {
  const inner = known.flatMap(({ found }) => {
    // A plan's kind is this one.
    const { linked } = found.tool.binding.config as PlanConfig;
    return found.kind.type === "plan" && linked ? [linked.facts] : [];
  });
  const scopes = known.flatMap(
    ({ found }) => found.tool.governance?.scopes.map(({ value }) => value) ?? [],
  );
  return {
    capabilities: sorted(capabilities.map(({ capability }) => capability)),
    credentials: sorted(capabilities.flatMap(({ credentials }) => credentials ?? [])),
    scopes: sorted([...scopes, ...inner.flatMap((each) => each.scopes)]),
    approvals: known.flatMap(({ found, step }) => approvalsOf(found.tool, step.id)),
    maxWrites: known.reduce((sum, each) => sum + writesOf(each), 0),
  };
}

function maySuspend({ found, step }: KnownStep): boolean {
  const { binding, governance, requiresConfirmation } = found.tool;
  // Only plans have this key.
  const { linked } = binding.config as PlanConfig;
  const isInner = found.kind.type === "plan" && linked?.maySuspend === true;
  return step.suspends || requiresConfirmation || governance?.approval !== undefined || isInner;
}

function approvalsOf(tool: ToolModel, id: string): readonly string[] {
  const { approval } = tool.governance ?? {};
  const isAlways =
    tool.requiresConfirmation || (approval !== undefined && approval.when === undefined);
  // Only plans have this key.
  const { linked } = tool.binding.config as PlanConfig;
  const inner = tool.binding.type === "plan" ? (linked?.facts.approvals ?? []) : [];
  return [...(isAlways ? [id] : []), ...inner.map((each) => `${id}.${each}`)];
}

function writesOf({ found, step }: KnownStep): number {
  if (found.tool.binding.effect === "read") return 0;
  const { linked } = found.tool.binding.config as PlanConfig;
  const each = found.kind.type === "plan" ? (linked?.facts.maxWrites ?? 1) : 1;
  return each * (step.list === undefined ? 1 : (step.maxItems ?? stepDefaults.maxItems));
}

function highestRisk(risks: readonly RiskLevel[]): RiskLevel {
  return riskLevels.findLast((level) => risks.includes(level)) ?? "low";
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
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

function noStep(id: string, span: PathValue["span"], { steps }: PlanConfig): UnratedDiagnostic {
  const ids = steps.map((each) => each.id);
  const near = didYouMean(id, ids);
  return {
    code: "plan/unknown-step",
    span,
    message: `the plan has no step ${quote(id)}`,
    help: near ?? `its steps are ${listed(ids.map(quote))}`,
  };
}

function forward(id: string, span: PathValue["span"]): UnratedDiagnostic {
  return {
    code: "plan/forward-reference",
    span,
    message: `step ${quote(id)} does not end before this one begins: a step uses only steps above it`,
    help: "move this step below it",
  };
}

function mayBeAbsent({ path, span }: PathValue, { linking, step }: Reader): UnratedDiagnostic {
  const { root } = path;
  const source = root.from === "output" ? linking.steps.get(root.step) : undefined;
  const because =
    source?.without === undefined || (source.without === "skipped" && step !== undefined)
      ? "a value on the way is optional or may be null"
      : `step ${quote(source.step.id)} may end without an output`;
  return {
    code: "plan/maybe-absent",
    span,
    message: `there may be no ${quote(path.text)}: ${because}`,
    help: `say what to use instead: \`{ source: ${path.text}, fallback: use_default, default_value: … }\``,
  };
}
