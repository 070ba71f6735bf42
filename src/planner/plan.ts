/** Plans that a model or a program makes at run time: their form, and what makes one usable. */
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import { listed, quote } from "../core/names.js";
import { readPath } from "../kit/sources/source-path.js";
import { readBinding } from "./binding-plan.js";
import type { PlannerTool, PlannerTools } from "./tools.js";

/** A plan: calls of tools, in order. The keys mean the same as in the `binding` of a static plan. */
export interface DynamicPlan {
  readonly steps: readonly DynamicStep[];
  /** Path of the plan's output; the output of the last step if absent. */
  readonly output?: string;
  /** For readers only. */
  readonly reasoning?: string;
}

/** One step of a plan. */
export interface DynamicStep {
  /** Name of the step: letters, digits and `_`. Paths name it as `step_<id>`. */
  readonly id: string;
  /** The tool: `skill/tool`, its name for models, or its own name if no other tool has it. */
  readonly tool: string;
  /** Purpose of the step, for planners and readers. */
  readonly description?: string;
  /** Sources of parameters that the maker of the plan knows. */
  readonly bindings?: { readonly [parameter: string]: JsonValue };
  /** Reaction to a status without data, or to `error`; `stop` if absent. */
  readonly on?: { readonly [status: string]: "stop" | "continue" | "skip" };
}

/** A plan whose tools are known. */
export interface KnownPlan {
  readonly steps: readonly KnownStep[];
  readonly output?: string;
}

export interface KnownStep extends Omit<DynamicStep, "tool"> {
  readonly tool: PlannerTool;
}

/** A reason why a plan can't be used. */
export interface PlanProblem {
  /** Place in the plan, such as `steps[1].tool`; empty for the plan itself. */
  readonly at: string;
  /** Description of the problem, with what to write instead. */
  readonly message: string;
}

/** Maximum number of steps. */
const mostSteps = 1000;
const longestId = 64;

/** Reads a plan, which may contain anything. */
export function readPlan(
  plan: unknown,
  tools: PlannerTools,
): { readonly plan: KnownPlan } | { readonly problems: readonly PlanProblem[] } {
  const problems: PlanProblem[] = [];
  const given = asObject(plan, "", problems);
  const list = given?.["steps"];
  if (given === undefined) return { problems };
  if (!Array.isArray(list) || list.length === 0)
    return { problems: [{ at: "steps", message: "a plan needs a list of steps" }] };
  if (list.length > mostSteps)
    return {
      problems: [{ at: "steps", message: `a plan has at most ${mostSteps} steps` }],
    };
  const ids = new Set<string>();
  const steps = list.flatMap((each: JsonValue, index) => {
    const step = readStep(each, `steps[${index}]`, { tools, ids, problems });
    if (step !== undefined) ids.add(step.id);
    return step === undefined ? [] : [step];
  });
  const output = given["output"];
  if (output !== undefined) checkPath(output, "output", ids, problems);
  if (problems.length > 0) return { problems };
  return { plan: { steps, ...(typeof output === "string" && { output }) } };
}

/** Keys of a static plan's step that would change what a dynamic plan does. */
const onlyStatic: ReadonlySet<string> = new Set([
  "after",
  "for_each",
  "max_items",
  "parallel",
  "suspend",
  "when",
]);

interface Reading {
  readonly tools: PlannerTools;
  /** Ids of the steps above. */
  readonly ids: ReadonlySet<string>;
  readonly problems: PlanProblem[];
}

function readStep(given: JsonValue, at: string, reading: Reading): KnownStep | undefined {
  const { ids, problems, tools } = reading;
  const step = asObject(given, at, problems);
  if (step === undefined) return undefined;
  for (const key of Object.keys(step).filter((each) => onlyStatic.has(each)))
    problems.push({
      at: `${at}.${key}`,
      message: `only a static plan has ${quote(key)}: a dynamic plan makes its steps in order, each once`,
    });
  const { bindings, description, id: name, on, tool: toolName } = step;
  const id = typeof name === "number" ? String(name) : name;
  if (typeof id !== "string" || !/^[A-Za-z0-9_]+$/.test(id) || id.length > longestId)
    problems.push({
      at: `${at}.id`,
      message: `a step needs an id of at most ${longestId} letters, digits and \`_\``,
    });
  else if (Object.hasOwn(Object.prototype, id))
    problems.push({
      at: `${at}.id`,
      message: `${quote(id)} is a name that every JavaScript object has; choose another id`,
    });
  else if (ids.has(id))
    problems.push({ at: `${at}.id`, message: `two steps have the id ${quote(id)}` });
  const tool = typeof toolName === "string" ? tools.find(toolName) : undefined;
  if (tool === undefined) problems.push({ at: `${at}.tool`, message: noTool(toolName, tools) });
  const sources = bindings === undefined ? {} : asObject(bindings, `${at}.bindings`, problems);
  if (tool !== undefined && sources !== undefined)
    checkParameters(sources, tool, `${at}.bindings`, reading);
  const reactions = readReactions(on, `${at}.on`, problems);
  if (typeof id !== "string" || tool === undefined || sources === undefined) return undefined;
  return {
    id,
    tool,
    ...(typeof description === "string" && { description }),
    bindings: sources,
    ...(reactions && { on: reactions }),
  };
}

function noTool(name: JsonValue | undefined, tools: PlannerTools): string {
  if (typeof name !== "string") return "a step needs the name of a tool";
  const some = tools.ids.slice(0, 10).map(quote);
  return `there is no tool ${quote(name)}, or several tools have this name; some ids are ${listed(some)}`;
}

function checkParameters(
  bindings: JsonObject,
  tool: PlannerTool,
  at: string,
  { ids, problems }: Reading,
): void {
  const names = tool.parameters.map(({ name }) => name);
  for (const [name, source] of Object.entries(bindings)) {
    if (!names.includes(name))
      problems.push({
        at: `${at}.${name}`,
        message: `${quote(tool.id)} has no parameter ${quote(name)}; its parameters are ${listed(names.map(quote))}`,
      });
    const problem = bindingProblem(source, `${at}.${name}`);
    if (problem !== undefined) {
      problems.push(problem);
      continue;
    }
    const path = pathOf(source);
    if (path !== undefined) checkPath(path, `${at}.${name}`, ids, problems);
  }
}

function bindingProblem(source: JsonValue, at: string): PlanProblem | undefined {
  try {
    readBinding(source, at);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return { at, message: error.message };
    throw error;
  }
}

/** The path that a binding names; undefined for a literal, and for a value to be generated. */
export function pathOf(binding: JsonValue): string | undefined {
  if (typeof binding === "string") return binding;
  if (!isJsonObject(binding)) return undefined;
  const { source, source_type: type } = binding;
  if (typeof source !== "string" || type === "literal" || type === "generated") return undefined;
  return type === "state" && !/^state\b/.test(source) ? `state.${source}` : source;
}

/** Checks a path, and that the step that it names is above. */
function checkPath(
  path: JsonValue,
  at: string,
  ids: ReadonlySet<string>,
  problems: PlanProblem[],
): void {
  if (typeof path !== "string") {
    problems.push({ at, message: "a source is a path, such as `step_1.output.id`" });
    return;
  }
  const read = readPath(path);
  if ("code" in read) {
    // The fields of the state are known only when the plan runs.
    if (read.code === "plan/no-state") return;
    problems.push({ at, message: `${read.message}; ${read.help}` });
  } else if (read.root.from === "item") {
    problems.push({ at, message: "a dynamic plan has no loops, so there is no `item`" });
  } else if (read.root.from === "output" && !ids.has(read.root.step)) {
    problems.push({
      at,
      message: `${quote(path)} names no step above this one; ${ids.size === 0 ? "this step is the first" : `the steps above are ${listed([...ids].map(quote))}`}`,
    });
  }
}

function readReactions(
  on: JsonValue | undefined,
  at: string,
  problems: PlanProblem[],
): DynamicStep["on"] | undefined {
  if (on === undefined) return undefined;
  const given = asObject(on, at, problems);
  const words = new Set<unknown>(["stop", "continue", "skip"]);
  const wrong = Object.entries(given ?? {}).find(([, word]) => !words.has(word));
  if (wrong !== undefined)
    problems.push({ at: `${at}.${wrong[0]}`, message: "write `stop`, `continue` or `skip`" });
  // Each word was checked.
  return given as DynamicStep["on"];
}

function asObject(value: unknown, at: string, problems: PlanProblem[]): JsonObject | undefined {
  if (isJsonObject(value as JsonValue)) return value as JsonObject;
  const what = at === "" ? "a plan" : quote(at);
  problems.push({ at, message: `${what} must be an object` });
  return undefined;
}
