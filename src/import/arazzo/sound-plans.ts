/**
 * Makes plans that the compiler accepts. It repairs the parts with errors (a value that may be absent
 * gets a fallback, a number becomes a text), leaves out parts that no repair helps, and leaves out
 * workflows that need such a part.
 */
import { parseTree } from "../../compiler/parse/parse-json.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { groupBy } from "../../core/group-by.js";
import { quote } from "../../core/names.js";
import { collectDiagnostics } from "../../core/report.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import type { Note } from "../openapi/note.js";
import type { SkillFiles } from "../skills/print-files.js";
import type { Description } from "./description.js";
import { draftPlan } from "./draft-plan.js";
import {
  type DraftedPlan,
  type NamedWorkflow,
  partKey,
  type PartPath,
  type PlanContext,
  type Repair,
} from "./plan-parts.js";
import { type AcceptedWarnings, printPlans } from "./print-skill.js";

export interface SoundPlans {
  readonly plans: readonly DraftedPlan[];
  readonly files: SkillFiles;
  /** Reason for each workflow without a plan, by its id. */
  readonly leftOut: ReadonlyMap<string, Note>;
  /** Notes about accepted warnings, by the id of the workflow. */
  readonly accepted: ReadonlyMap<string, readonly Note[]>;
}

export interface Drafted {
  readonly skill: string;
  readonly description: Description;
  readonly workflows: readonly NamedWorkflow[];
  readonly toolOf: PlanContext["toolOf"];
  /** Compiles the skill with the tools that it calls. */
  readonly compile: (files: SkillFiles) => Promise<readonly Diagnostic[]>;
}

interface State {
  readonly drafted: Drafted;
  readonly repairs: Map<NamedWorkflow, Map<string, Repair>>;
  readonly leftOut: Map<string, Note>;
}

export async function soundPlans(drafted: Drafted): Promise<SoundPlans> {
  const { compile, description, skill } = drafted;
  const state: State = { drafted, repairs: new Map(), leftOut: new Map() };
  for (;;) {
    const plans = draftAll(state);
    const files = printPlans(skill, description, plans);
    const found = plans.length === 0 ? [] : await compile(files);
    const errors = found.filter(({ severity }) => severity === "error");
    if (errors.length === 0) return withAccepted(plans, found, state);
    const metadata = files.get(`${skill}/metadata.yaml`) ?? "";
    const isBetter = repairAll(errors, metadata, plans, state);
    const [first] = errors;
    // An error that concerns no plan concerns all.
    if (!isBetter && first !== undefined)
      for (const plan of plans) leaveOut(plan, plan.named.workflow.at, first.message, state);
  }
}

/** Drafts the plans of all workflows, until no further one has an obstacle. */
function draftAll({ drafted, leftOut, repairs }: State): readonly DraftedPlan[] {
  for (;;) {
    const reasons = new Map([...leftOut].map(([id, { message }]) => [id, message]));
    const context = { workflows: drafted.workflows, leftOut: reasons, toolOf: drafted.toolOf };
    const plans = drafted.workflows
      .filter(({ workflow }) => !leftOut.has(workflow.id))
      .map((each) => draftPlan(each, context, repairs.get(each) ?? new Map()));
    const hindered = plans.filter(({ obstacle }) => obstacle !== undefined);
    if (hindered.length === 0) return plans;
    for (const plan of hindered)
      if (plan.obstacle)
        leaveOut(plan, plan.obstacle.at, plan.obstacle.why, { drafted, leftOut, repairs });
  }
}

function leaveOut({ named }: DraftedPlan, at: Note["at"], why: string, { leftOut }: State): void {
  const { id } = named.workflow;
  leftOut.set(id, {
    code: "import/workflow-left-out",
    at,
    message: `the workflow ${quote(id)} does not become a plan: ${why}`,
  });
}

/** @returns false if no error could be assigned to a plan */
function repairAll(
  errors: readonly Diagnostic[],
  metadata: string,
  plans: readonly DraftedPlan[],
  state: State,
): boolean {
  const tree = parseTree({ path: "metadata.yaml", text: metadata }, collectDiagnostics().report);
  const ofTools = groupBy(errors, ({ span, tool }) => tool ?? String(pathAt(tree, span)[1]));
  let isBetter = false;
  for (const plan of plans) {
    const own = ofTools.get(plan.named.name) ?? [];
    for (const each of own) {
      isBetter = true;
      repairOne(each, pathAt(tree, each.span).slice(2), plan, state);
    }
  }
  return isBetter;
}

/** Path of the innermost value, or key, around a span. */
function pathAt(root: SyntaxNode | undefined, { end, start }: Diagnostic["span"]): PartPath {
  const path: (string | number)[] = [];
  const isIn = (span: Diagnostic["span"]): boolean => span.start <= start && end <= span.end;
  for (let node = root; node !== undefined;) {
    if (node.kind === "list") {
      const index = node.items.findIndex(({ span }) => isIn(span));
      node = node.items[index];
      if (node !== undefined) path.push(index);
    } else if (node.kind === "map") {
      const entry = node.entries.find(({ key, value }) => isIn(key.span) || isIn(value.span));
      if (entry !== undefined) path.push(entry.key.value);
      node = entry?.value;
    } else node = undefined;
  }
  return path;
}

function repairOne(error: Diagnostic, path: PartPath, plan: DraftedPlan, state: State): void {
  const repairs = state.repairs.get(plan.named) ?? new Map<string, Repair>();
  state.repairs.set(plan.named, repairs);
  const [area, second] = path;
  const isBinding =
    area === "binding" && second === "steps" && path[3] === "bindings" && path.length > 4;
  const isOutput = area === "binding" && second === "output" && path.length > 2;
  const isParameter = area === "parameters" && second === "properties" && path.length > 2;
  const isWhen = area === "binding" && second === "steps" && path[3] === "when";
  const part = isBinding ? path.slice(0, 5) : isWhen ? path.slice(0, 4) : path.slice(0, 3);
  const key = partKey(part);
  const before = repairs.get(key) ?? {};
  const at = plan.places.get(key) ?? plan.named.workflow.at;
  const isRepairable = isBinding || isOutput || isParameter || isWhen;
  const isOptional = isOutput || plan.omittable.has(key);
  const next = isRepairable ? repairOf(error, before, isOptional) : undefined;
  const isLost =
    next === undefined || before.dropped !== undefined || (isWhen && next.dropped !== undefined);
  if (isLost)
    leaveOut(plan, plan.places.get(partKey(path.slice(0, 3))) ?? at, error.message, state);
  else repairs.set(key, next);
}

/** @param isOptional true if the value may be left out */
function repairOf({ code, message }: Diagnostic, before: Repair, isOptional: boolean): Repair {
  if (code === "plan/maybe-absent" && before.absent === undefined)
    return { ...before, absent: isOptional ? "omit" : "error" };
  if (code === "plan/cannot-omit" && before.absent === "omit")
    return { ...before, absent: "error" };
  if (code === "plan/type-mismatch" && before.isText !== true)
    return { ...before, isText: true, reason: message };
  if (code === "plan/literal-mismatch" && before.isCoerced !== true)
    return { ...before, isCoerced: true, reason: message };
  if (code === "plan/unused-parameter") return { dropped: "no step uses it" };
  return { dropped: before.reason ?? message };
}

function withAccepted(
  plans: readonly DraftedPlan[],
  found: readonly Diagnostic[],
  { drafted, leftOut }: State,
): SoundPlans {
  const { description, skill } = drafted;
  const warnings = groupBy(
    found.filter(({ severity }) => severity === "warning"),
    ({ tool }) => tool ?? "",
  );
  const codes: AcceptedWarnings = new Map(
    [...warnings].map(([tool, all]) => [
      tool,
      [...new Set(all.map(({ code }) => code))].toSorted(),
    ]),
  );
  const accepted = new Map(
    plans.map(({ named }) => {
      // A workflow may have a step that only checks something.
      const messages = (warnings.get(named.name) ?? [])
        .filter(({ code }) => code !== "plan/unused-step")
        .map(({ code, message }) => `the import accepts ${quote(code)}: ${message}`);
      const notes = [...new Set(messages)].map((message): Note => ({
        code: "import/taken-otherwise",
        at: named.workflow.at,
        message,
      }));
      return [named.workflow.id, notes] as const;
    }),
  );
  return { plans, files: printPlans(skill, description, plans, codes), leftOut, accepted };
}
