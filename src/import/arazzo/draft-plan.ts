/**
 * Makes a plan of a workflow: the steps with the sources of their parameters (`value-sources.ts`), the
 * conditions of the steps (`draft-actions.ts`), the plan's parameters (`draft-inputs.ts`) and its output.
 */
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { listed, quote } from "../../core/names.js";
import type { Note } from "../openapi/note.js";
import type { DocumentLocation } from "../openapi/read/document.js";
import { entriesIn } from "../openapi/read/parts.js";
import { longestDescription } from "../skills/print-files.js";
import { cut, oneLine, prose } from "../skills/texts.js";
import type { Parameter, Step } from "./description.js";
import { draftCourse, type StepCondition } from "./draft-actions.js";
import { inputsIn, inputSchema, tellNames } from "./draft-inputs.js";
import type { StepTool } from "./operations.js";
import { readPayload } from "./payload.js";
import {
  type DraftedPlan,
  type NamedWorkflow,
  noSource,
  partKey,
  type PartPath,
  type PlanContext,
  type Repair,
  type Repairs,
  type Told,
  type ValueSource,
} from "./plan-parts.js";
import { sourceOf } from "./value-sources.js";

interface Drafting {
  readonly named: NamedWorkflow;
  readonly context: PlanContext;
  readonly repairs: Repairs;
  readonly told: Told;
  readonly places: Map<string, DocumentLocation>;
  readonly omittable: Set<string>;
}

/** A tool, or a workflow with its plan, that a step calls. */
type Callee =
  | { readonly kind: "tool"; readonly tool: StepTool }
  | { readonly kind: "plan"; readonly called: NamedWorkflow };

export function draftPlan(
  named: NamedWorkflow,
  context: PlanContext,
  repairs: Repairs,
): DraftedPlan {
  const { workflow } = named;
  const notes: Note[] = [];
  const told: Told = (code, at, message, help) =>
    void notes.push({ code, at, message, ...(help !== undefined && { help }) });
  const drafting: Drafting = {
    named,
    context,
    repairs,
    told,
    places: new Map(),
    omittable: new Set(),
  };
  const result = (tool: JsonObject, obstacle?: DraftedPlan["obstacle"]): DraftedPlan => ({
    ...drafting,
    tool,
    notes,
    ...(obstacle && { obstacle }),
  });
  const callees: Callee[] = [];
  for (const step of workflow.steps) {
    const callee = calleeOf(step, context);
    if ("why" in callee)
      return result(
        {},
        { at: step.target.at, why: `the step ${quote(step.id)} has no tool: ${callee.why}` },
      );
    callees.push(callee);
  }
  if (callees.length === 0) return result({}, { at: workflow.at, why: "it has no steps" });
  const course = draftCourse(named, (index) => toolOf(callees[index]), told);
  if (course.obstacle !== undefined) return result({}, course.obstacle);
  tellOthers(drafting, course.never);
  const steps: JsonObject[] = [];
  for (const [index, step] of workflow.steps.entries()) {
    const callee = callees[index];
    if (callee === undefined || course.never.has(index)) continue;
    const at: PartPath = ["binding", "steps", steps.length];
    steps.push(draftStep(step, callee, at, course.when.get(index), course.on.get(index), drafting));
  }
  const parameters = draftParameters(drafting);
  const output = draftOutput(drafting);
  const words = [oneLine(workflow.summary), prose(workflow.description)];
  const description =
    words.filter((each) => each !== "").join("\n\n") ||
    `Runs the workflow ${oneLine(workflow.id)}.`;
  return result({
    description: cut(description, longestDescription),
    parameters,
    binding: { type: "plan", steps, ...(output && { output }) },
  });
}

function toolOf(callee: Callee | undefined): StepTool | undefined {
  return callee?.kind === "tool" ? callee.tool : undefined;
}

function calleeOf(step: Step, context: PlanContext): Callee | { readonly why: string } {
  const { target } = step;
  if (target.kind === "unknown") return { why: target.why };
  if (target.kind !== "workflow") {
    const tool = context.toolOf(step);
    return "why" in tool ? tool : { kind: "tool", tool };
  }
  const reason = context.leftOut.get(target.id);
  const called = context.workflows.find(({ workflow }) => workflow.id === target.id);
  if (called === undefined) return { why: `the document has no workflow ${quote(target.id)}` };
  return reason === undefined
    ? { kind: "plan", called }
    : { why: `the workflow ${quote(target.id)} is left out` };
}

function tellOthers({ named, told }: Drafting, never: ReadonlySet<number>): void {
  const { inputs, steps, workflow } = named;
  tellNames(inputs, workflow.at, told);
  const renamed = [...steps]
    .filter(([id, name]) => id !== name)
    .map(([id, name]) => `${quote(id)} is ${quote(name)}`);
  if (renamed.length > 0)
    told(
      "import/taken-otherwise",
      workflow.at,
      `steps have other ids in the plan: ${listed(renamed.slice(0, 5))}${renamed.length > 5 ? ", and so on" : ""}`,
    );
  for (const { at, name } of workflow.others)
    told("import/part-left-out", at, `a plan has no ${quote(name)} of the whole workflow`);
  for (const [index, step] of workflow.steps.entries()) {
    for (const { at, name } of step.others)
      told("import/part-left-out", at, `a step of a plan has no ${quote(name)}`);
    if (never.has(index))
      told(
        "import/taken-otherwise",
        step.at,
        `the plan has no step ${quote(step.id)}: an action before it always leaves it out`,
      );
  }
}

function draftStep(
  step: Step,
  callee: Callee,
  at: PartPath,
  when: StepCondition | undefined,
  on: JsonObject | undefined,
  drafting: Drafting,
): JsonObject {
  const { named, places, repairs, told } = drafting;
  places.set(partKey(at), step.at);
  const given: Given[] =
    callee.kind === "tool"
      ? [
          ...toolParameters(step, callee.tool, drafting),
          ...bodyParameters(step, callee.tool, drafting),
        ]
      : planParameters(step, callee.called, drafting);
  if (callee.kind === "tool" && callee.tool.guessedMethod !== undefined)
    told(
      "import/taken-otherwise",
      step.target.at,
      `the path names no method, and the plan calls its only one: ${callee.tool.guessedMethod}`,
    );
  const required = requiredOf(callee);
  const bindings: Record<string, JsonValue> = {};
  for (const each of given) {
    const path = [...at, "bindings", each.to];
    places.set(partKey(path), each.at);
    const isInput = each.source.kind === "path" && !each.source.path.startsWith("step_");
    if (isInput && !required.has(each.to)) drafting.omittable.add(partKey(path));
    const source = written(each, path, drafting);
    if (source !== undefined) setOwn(bindings, each.to, source);
  }
  places.set(partKey([...at, "when"]), step.at);
  const whenRepair = repairs.get(partKey([...at, "when"]));
  return {
    id: named.steps.get(step.id) ?? "",
    tool: callee.kind === "tool" ? callee.tool.id : callee.called.name,
    ...(when && {
      when: {
        source:
          whenRepair?.absent === undefined
            ? when.source
            : { source: when.source, fallback: "use_default", default_value: when.otherwise },
        ...when.test,
      },
    }),
    ...(Object.keys(bindings).length > 0 && { bindings }),
    ...(on && { on }),
  };
}

/** A value that a step gives to a parameter. */
interface Given {
  /** Name of the parameter in the tool. */
  readonly to: string;
  readonly source: ValueSource;
  readonly at: DocumentLocation;
}

function requiredOf(callee: Callee): ReadonlySet<string> {
  if (callee.kind === "plan") {
    const { inputs, workflow } = callee.called;
    const { required } = inputsIn(workflow.inputs);
    return new Set([...required].flatMap((each) => inputs.get(each) ?? []));
  }
  const { required } = callee.tool.parameters;
  return new Set(
    Array.isArray(required) ? required.filter((each) => typeof each === "string") : [],
  );
}

function toolParameters(step: Step, tool: StepTool, drafting: Drafting): Given[] {
  const { named, told } = drafting;
  const own = step.parameters.map((each) => ({ each, isOwn: true }));
  const shared = named.workflow.parameters
    .filter(
      (each) => !step.parameters.some((other) => other.name === each.name && other.in === each.in),
    )
    .map((each) => ({ each, isOwn: false }));
  return [...own, ...shared].flatMap(({ each, isOwn }) => {
    const found = nameOf(each, tool);
    if (found === undefined) {
      if (isOwn)
        told(
          "import/part-left-out",
          each.at,
          `${quote(tool.id)} has no parameter ${quote(each.name)}${each.in === undefined ? "" : ` in its ${each.in}`}: the plan does not send it`,
          /^authorization$/i.test(each.name)
            ? "if it is a credential, the tool sends its own: see `auth` of its skill"
            : undefined,
        );
      return [];
    }
    if (found.from !== each.name)
      told(
        "import/taken-otherwise",
        each.at,
        `the operation has no parameter ${quote(each.name)}, so the plan takes ${quote(found.from)}`,
      );
    const source = sourceOf(each.value, { named, step });
    return [{ to: found.to, source, at: each.at }];
  });
}

/** Finds a parameter by its name, or the only one whose name differs in spelling alone. */
function nameOf(
  { in: place, name }: Parameter,
  { names }: StepTool,
): StepTool["names"][number] | undefined {
  // Some documents name fields of the body as parameters.
  const there = names.filter((each) => each.in === (place ?? each.in));
  const exact = there.find(({ from }) => from === name);
  if (exact !== undefined) return exact;
  const alike = there.filter(({ from }) => letters(from) === letters(name));
  return alike.length === 1 ? alike[0] : undefined;
}

function letters(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

function planParameters(step: Step, called: NamedWorkflow, { named, told }: Drafting): Given[] {
  return step.parameters.flatMap((each) => {
    const to = called.inputs.get(each.name);
    if (to !== undefined)
      return [{ to, source: sourceOf(each.value, { named, step }), at: each.at }];
    told(
      "import/part-left-out",
      each.at,
      `the workflow ${quote(called.workflow.id)} has no input ${quote(each.name)}: the plan does not pass it`,
    );
    return [];
  });
}

/** Reason why a plan can't pass a body that it would have to compose. */
const wholeBody =
  "the tool takes the body as one value, and a plan composes no objects. If the API's document calls the body `required: true`, its fields are parameters";

function bodyParameters(step: Step, tool: StepTool, { named, told }: Drafting): Given[] {
  if (step.body === undefined) return [];
  const { at } = step.body;
  const fields = tool.names.filter((each) => each.in === "body");
  const payload = readPayload(step.body, told);
  if (payload === undefined) return [];
  const whole = fields.find(({ from }) => from === "");
  if (whole !== undefined) {
    const source = sourceOf(payload, { named, step });
    const isInside = source.kind === "none" && isJsonObject(payload.value);
    return [{ to: whole.to, at: payload.at, source: isInside ? noSource(wholeBody) : source }];
  }
  if (!isJsonObject(payload.value)) {
    told(
      "import/part-left-out",
      at,
      `${quote(tool.id)} takes the fields of a body, but the payload is not an object: the plan does not send it`,
    );
    return [];
  }
  return entriesIn(payload).flatMap(([name, part]) => {
    const field = fields.find(({ from }) => from === name);
    if (field !== undefined)
      return [{ to: field.to, source: sourceOf(part, { named, step }), at: part.at }];
    told(
      "import/part-left-out",
      part.at,
      `the body of ${quote(tool.id)} has no field ${quote(name)}: the plan does not send it`,
    );
    return [];
  });
}

/** Writes a source as plans do; undefined if it is left out. */
function written(
  { at, source, to }: Given,
  path: PartPath,
  { repairs, told }: Drafting,
): JsonValue | undefined {
  const repair = repairs.get(partKey(path)) ?? {};
  const why = source.kind === "none" ? source.why : repair.dropped;
  if (why !== undefined) {
    told("import/part-left-out", at, `the plan gives no value to ${quote(to)}: ${why}`);
    return undefined;
  }
  return source.kind === "literal"
    ? literal(coerced(source.value, repair))
    : pathSource(source, repair);
}

/** Turns a number or a boolean into text, or the other way round. */
function coerced(value: JsonValue, { isCoerced }: Repair): JsonValue {
  if (isCoerced !== true) return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return value;
  if (value === "true" || value === "false") return value === "true";
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;
}

/** Writes a literal. A text alone would be a path, and an object could be the long form of a source. */
function literal(value: JsonValue): JsonValue {
  return typeof value === "string" || isJsonObject(value)
    ? { source_type: "literal", default_value: value }
    : value;
}

function pathSource(source: ValueSource | undefined, { absent, isText }: Repair): JsonValue {
  if (source?.kind !== "path") return null;
  const { around, path } = source;
  if (around === undefined && isText !== true)
    return absent === undefined ? path : { source: path, fallback: absent };
  const [before, after] = around ?? ["", ""];
  return {
    source: path,
    transform: `${before}{value}${after}`,
    // A text can't be left out.
    ...(absent !== undefined && { fallback: "error" }),
  };
}

function draftParameters({ named, places, repairs, told }: Drafting): JsonObject {
  const { inputs, workflow } = named;
  const { required, schemas } = inputsIn(workflow.inputs);
  const properties: Record<string, JsonValue> = {};
  const needed: string[] = [];
  for (const [input, part] of schemas) {
    const name = inputs.get(input) ?? input;
    const path = ["parameters", "properties", name];
    places.set(partKey(path), part.at);
    const dropped = repairs.get(partKey(path))?.dropped;
    if (dropped !== undefined) {
      told("import/part-left-out", part.at, `the plan has no parameter ${quote(name)}: ${dropped}`);
      continue;
    }
    setOwn(properties, name, inputSchema(part, told));
    if (required.has(input)) needed.push(name);
  }
  return {
    type: "object",
    additionalProperties: false,
    ...(needed.length > 0 && { required: needed }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

/** Keys of the long form of a source, which can't be names of outputs. */
const sourceKeys = new Set(["source", "source_type", "default_value", "fallback", "transform"]);

function draftOutput(drafting: Drafting): JsonObject | undefined {
  const { named, places, told } = drafting;
  const output: Record<string, JsonValue> = {};
  for (const [name, part] of named.workflow.outputs) {
    const path = ["binding", "output", name];
    places.set(partKey(path), part.at);
    const found = sourceKeys.has(name)
      ? noSource("a key of the long form of a source can't be its name")
      : sourceOf(part, { named });
    const source = written({ to: name, source: found, at: part.at }, path, {
      ...drafting,
      told: outputTold(told, name),
    });
    if (source !== undefined) setOwn(output, name, source);
  }
  return Object.keys(output).length === 0 ? undefined : output;
}

function outputTold(told: Told, name: string): Told {
  return (code, at, message, help) =>
    told(
      code,
      at,
      message.replace(
        `the plan gives no value to ${quote(name)}`,
        `the output of the plan has no ${quote(name)}`,
      ),
      help,
    );
}
