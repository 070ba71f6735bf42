/**
 * Turns `successCriteria`, `onSuccess` and `onFailure` of the steps into `when` and `on`. A plan runs
 * forward, and ends with the first step that fails.
 */
import type { JsonObject, JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Part } from "../openapi/read/document.js";
import { textIn } from "../openapi/read/parts.js";
import type { Action, Step } from "./description.js";
import { type Condition, readCondition } from "./expressions.js";
import type { StepTool } from "./operations.js";
import type { NamedWorkflow, Told } from "./plan-parts.js";
import { sourceOfExpression } from "./value-sources.js";

/** The course of a plan, as the actions of its steps decide it. */
export interface Course {
  /** Condition of each step, by its index. */
  readonly when: ReadonlyMap<number, StepCondition>;
  /** Reactions of each step, by its index. */
  readonly on: ReadonlyMap<number, JsonObject>;
  /** Indices of the steps that are never made. */
  readonly never: ReadonlySet<number>;
  /** An action that no plan can express. Without it, the plan would make steps that the workflow leaves out. */
  readonly obstacle?: { readonly at: Part["at"]; readonly why: string };
}

/** Condition of a step. */
export interface StepCondition {
  /** Path of the value. */
  readonly source: string;
  readonly test: JsonObject;
  /** Replaces an absent value. */
  readonly otherwise: JsonValue;
}

interface Drafting {
  readonly named: NamedWorkflow;
  readonly told: Told;
  readonly when: Map<number, StepCondition>;
  readonly on: Map<number, JsonObject>;
  readonly never: Set<number>;
  obstacle?: { readonly at: Part["at"]; readonly why: string };
}

/** @param toolAt tool of a step; undefined for a step that calls a workflow */
export function draftCourse(
  named: NamedWorkflow,
  toolAt: (index: number) => StepTool | undefined,
  told: Told,
): Course {
  const drafting: Drafting = { named, told, when: new Map(), on: new Map(), never: new Set() };
  for (const [index, step] of named.workflow.steps.entries()) {
    const tool = toolAt(index);
    takeCriteria(step, index, tool, drafting);
    for (const action of step.onSuccess)
      takeSuccess(withoutUsual(action, tool), step, index, drafting);
    for (const action of step.onFailure) takeFailure(action, index, tool, drafting);
  }
  return drafting;
}

function takeCriteria(
  step: Step,
  index: number,
  tool: StepTool | undefined,
  { on, told }: Drafting,
): void {
  for (const criterion of step.criteria) {
    const condition = conditionIn(criterion);
    // The answer of a workflow has no status code.
    if (condition?.expression.kind === "status" && tool === undefined) continue;
    const accepted = condition && acceptedStatus(condition, tool);
    if (accepted === "usual") continue;
    if (accepted !== undefined) on.set(index, { ...on.get(index), [accepted]: "continue" });
    else
      told(
        "import/part-left-out",
        criterion.at,
        `the plan does not check the success criterion ${quote(textIn(criterion, "condition") ?? "")}: the tool's status decides`,
      );
  }
}

/** Returns `usual` if the tool decides in the same way, or a status after which the plan goes on. */
function acceptedStatus(
  { expression, operator, value }: Condition,
  tool: StepTool | undefined,
): string | undefined {
  if (expression.kind !== "status" || typeof value !== "number") return undefined;
  const isUsual =
    (operator === "==" && value >= 200 && value < 300 && documents(value, tool)) ||
    (operator === ">=" && value === 200) ||
    (operator === "<" && (value === 300 || value === 400)) ||
    (operator === "<=" && value === 299);
  if (isUsual) return "usual";
  return operator === "==" ? tool?.statuses.get(String(value)) : undefined;
}

/** Checks that the API documents no other success, which the workflow would take as a failure. */
function documents(code: number, tool: StepTool | undefined): boolean {
  const others = tool?.documented.filter((each) => /^2\d\d$/.test(each)) ?? [];
  return others.length === 0 || (others.length === 1 && others[0] === String(code));
}

function conditionIn(criterion: Part): Condition | undefined {
  const type = textIn(criterion, "type");
  const text = textIn(criterion, "condition");
  if (text === undefined || (type !== undefined && type !== "simple")) return undefined;
  return readCondition(text);
}

/** Leaves out criteria that hold after every success of the tool. */
function withoutUsual(action: Action, tool: StepTool | undefined): Action {
  const isUsual = (criterion: Part): boolean => {
    const condition = conditionIn(criterion);
    return condition !== undefined && acceptedStatus(condition, tool) === "usual";
  };
  return { ...action, criteria: action.criteria.filter((each) => !isUsual(each)) };
}

function takeSuccess(action: Action, step: Step, index: number, drafting: Drafting): void {
  const { named, never } = drafting;
  const { steps } = named.workflow;
  const target =
    action.type === "end"
      ? steps.length
      : action.type === "goto"
        ? steps.findIndex(({ id }) => id === action.step)
        : -1;
  if (target === index + 1) return;
  if (target <= index) {
    const what =
      action.type === "goto"
        ? `goes to ${quote(action.step ?? "another workflow")}`
        : quote(action.type);
    drafting.obstacle ??= {
      at: action.at,
      why: `after a success, the step ${quote(step.id)} ${what}, and a plan runs only forward`,
    };
    return;
  }
  const between = Array.from({ length: target - index - 1 }, (_, count) => index + 1 + count);
  if (action.criteria.length === 0) {
    for (const each of between) never.add(each);
    return;
  }
  const [criterion, second] = action.criteria;
  const condition = second === undefined && criterion ? conditionIn(criterion) : undefined;
  const negated = condition && negatedWhen(condition, step, drafting);
  const isFree = between.every((each) => !drafting.when.has(each));
  if (negated === undefined || !isFree)
    drafting.obstacle ??= {
      at: action.at,
      why: `\`when\` can't express the condition of the action after ${quote(step.id)}`,
    };
  else for (const each of between) drafting.when.set(each, negated);
}

/** Returns the condition of the steps that an action leaves out; undefined if no `when` can be it. */
function negatedWhen(
  { expression, operator, value }: Condition,
  step: Step,
  { named }: Drafting,
): StepCondition | undefined {
  const source = sourceOfExpression(expression, { named, step });
  if (source.kind !== "path" || source.around !== undefined) return undefined;
  const isEqual = operator === "==";
  if (!isEqual && operator !== "!=") return undefined;
  const path = source.path;
  // `== null` leaves the steps out if there is no value.
  if (value === null) return { source: path, test: { exists: isEqual }, otherwise: null };
  // An absent value is not equal, so the steps are left out.
  if (!isEqual) return { source: path, test: { equals: value }, otherwise: null };
  return typeof value === "boolean"
    ? { source: path, test: { equals: !value }, otherwise: !value }
    : undefined;
}

function takeFailure(
  action: Action,
  index: number,
  tool: StepTool | undefined,
  { named, on, told, when }: Drafting,
): void {
  const { steps } = named.workflow;
  // A plan ends with the first failure.
  if (action.type === "end") return;
  const target = action.type === "goto" ? steps.findIndex(({ id }) => id === action.step) : -1;
  const between = Array.from(
    { length: Math.max(0, target - index - 1) },
    (_, at) => index + 1 + at,
  );
  const statuses = failuresOf(action, tool);
  if (target <= index || statuses === undefined || between.some((each) => when.has(each))) {
    const because =
      action.type === "retry"
        ? "each tool repeats safe calls by its own `retry`"
        : target <= index
          ? "a plan runs only forward"
          : "a plan can't express the condition of the action";
    told(
      "import/part-left-out",
      action.at,
      `after a failure of ${quote(steps[index]?.id ?? "")}, the plan ends: ${because}`,
    );
    return;
  }
  const reactions = Object.fromEntries(statuses.map((each) => [each, "continue"]));
  on.set(index, { ...on.get(index), ...reactions });
  const id = named.steps.get(steps[index]?.id ?? "") ?? "";
  for (const each of between)
    when.set(each, { source: `step_${id}.output`, test: { exists: true }, otherwise: null });
}

/** Returns the statuses that an action concerns: one by its code, or all. */
function failuresOf(
  { criteria }: Action,
  tool: StepTool | undefined,
): readonly string[] | undefined {
  const [criterion, second] = criteria;
  if (criterion === undefined) return [...new Set([...(tool?.statuses.values() ?? []), "error"])];
  const condition = second === undefined ? conditionIn(criterion) : undefined;
  const isStatus = condition?.expression.kind === "status" && condition.operator === "==";
  const status = isStatus ? tool?.statuses.get(String(condition.value)) : undefined;
  return status === undefined ? undefined : [status];
}
