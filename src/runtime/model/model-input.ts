/** Makes a tool's parameters and its call's options from a model's arguments. */
import { type CallOptions, longestKey } from "../call/call-options.js";
import { changedError, isToolError, type SchemaProblem, ToolError } from "../errors.js";
import { pointerStep } from "../json/pointer.js";
import { typeOf } from "../validation/problem-message.js";
import { tellProblems } from "../validation/validation.js";
import type { WayBack } from "./model-schema.js";
import { NamedTwice, type RenamedProperties } from "./renamed-properties.js";

/** Arguments of a tool that are not its parameters. Each field is the name of an argument. */
export interface ModelArguments {
  /** Contains all parameters. If absent, the arguments are the parameters. */
  readonly inputParameter?: WayBack["inputParameter"] | undefined;
  /** Renames the properties that models know by offered names. */
  readonly renamed?: WayBack["renamed"] | undefined;
  /** Name of the next page; may be missing, null or empty. */
  readonly nextParameter?: string | undefined;
  /** Idempotency key; must be present. */
  readonly keyParameter?: string | undefined;
}

/** Parameters of a call, and the options that a model has set. */
export interface ModelInput {
  readonly params: unknown;
  readonly options: Pick<CallOptions, "idempotencyKey" | "next">;
}

/**
 * Takes the options out of the arguments, and the parameters out of their wrapper, and gives
 * properties their own names. The tool validates the parameters.
 *
 * @param tool name that the model used
 * @throws ToolError `SCHEMA.VALIDATION_FAILED` if an option or the wrapper is not valid
 */
export function readModelInput(tool: string, args: unknown, names: ModelArguments): ModelInput {
  const { params, options } = readOptions(tool, args, names);
  return { params: withOwnNames(tool, params, names), options };
}

function withOwnNames(
  tool: string,
  params: unknown,
  { inputParameter, renamed }: ModelArguments,
): unknown {
  if (renamed === undefined) return params;
  try {
    return renamed.toOwn(params);
  } catch (error) {
    if (!(error instanceof NamedTwice)) throw error;
    const { pointer } = error.problem;
    return refuse(tool, { ...error.problem, pointer: wrapperOf(inputParameter) + pointer });
  }
}

function wrapperOf(inputParameter: string | undefined): string {
  return inputParameter === undefined ? "" : pointerStep(inputParameter);
}

function readOptions(tool: string, args: unknown, names: ModelArguments): ModelInput {
  const { inputParameter, keyParameter, nextParameter } = names;
  if (inputParameter === undefined && keyParameter === undefined && nextParameter === undefined)
    return { params: args, options: {} };
  if (typeof args !== "object" || args === null || Array.isArray(args))
    // Without a wrapper or a key, the tool itself rejects the value.
    return inputParameter === undefined && keyParameter === undefined
      ? { params: args, options: {} }
      : refuse(tool, {
          pointer: "",
          keyword: "type",
          message: `must be an object, not ${typeOf(args)}`,
        });
  const left = new Map<string, unknown>(Object.entries(args));
  const next = nextParameter === undefined ? undefined : readNext(tool, nextParameter, left);
  const key = keyParameter === undefined ? undefined : readKey(tool, keyParameter, left);
  const options = {
    ...(next !== undefined && { next }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
  const params =
    inputParameter === undefined ? Object.fromEntries(left) : unwrap(tool, inputParameter, left);
  return { params, options };
}

function readNext(tool: string, name: string, left: Map<string, unknown>): string | undefined {
  const next = left.get(name);
  left.delete(name);
  // Models write these for an argument that they want to omit.
  if (next === null || next === undefined || next === "") return undefined;
  return typeof next === "string" ? next : refuse(tool, notText(name, next));
}

function readKey(tool: string, name: string, left: Map<string, unknown>): string {
  const key = left.get(name);
  left.delete(name);
  if (key === undefined) return refuse(tool, missing(name));
  if (typeof key !== "string") return refuse(tool, notText(name, key));
  const pointer = pointerStep(name);
  if (key === "")
    return refuse(tool, { pointer, keyword: "minLength", message: "must not be empty" });
  if (key.length <= longestKey) return key;
  const message = `must have at most ${longestKey} characters`;
  return refuse(tool, { pointer, keyword: "maxLength", message });
}

function unwrap(tool: string, name: string, left: Map<string, unknown>): unknown {
  if (!left.has(name)) return refuse(tool, missing(name));
  const params = left.get(name);
  left.delete(name);
  const [other] = left.keys();
  if (other === undefined) return params;
  const message = `is not known; the parameters belong into \`${name}\``;
  return refuse(tool, { pointer: pointerStep(other), keyword: "additionalProperties", message });
}

function missing(name: string): SchemaProblem {
  return { pointer: pointerStep(name), keyword: "required", message: "is missing" };
}

function notText(name: string, value: unknown): SchemaProblem {
  return {
    pointer: pointerStep(name),
    keyword: "type",
    message: `must be text, not ${typeOf(value)}`,
  };
}

function refuse(tool: string, problem: SchemaProblem): never {
  throw new ToolError(
    tool,
    { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems: [problem] },
    `parameters of \`${tool}\` don't fit their schema: ${tellProblems([problem])}`,
  );
}

/** Changes the places and names in the error of a call to those that the model knows. */
export function asModelWrote(error: unknown, { inputParameter, renamed }: ModelArguments): unknown {
  if (inputParameter === undefined && renamed === undefined) return error;
  if (!isToolError(error)) return error;
  const { failure, message, step } = error;
  if (failure.code !== "SCHEMA.VALIDATION_FAILED" || failure.subject !== "parameters") return error;
  // The model did not write the parameters of a plan's step.
  if (step !== undefined) return error;
  const { problems } = failure;
  const changed = problems.map((each) => {
    const { pointer, ...others } = withOfferedNames(each, renamed);
    return { ...others, pointer: wrapperOf(inputParameter) + pointer };
  });
  const told = tellProblems(problems);
  const head = message.endsWith(told) ? message.slice(0, -told.length) : undefined;
  return changedError(error, {
    failure: { ...failure, problems: changed },
    ...(head !== undefined && { message: head + tellProblems(changed) }),
  });
}

function withOfferedNames(
  problem: SchemaProblem,
  renamed: RenamedProperties | undefined,
): SchemaProblem {
  if (renamed === undefined) return problem;
  const pointer = renamed.offeredPointer(problem.pointer);
  return { ...problem, pointer, message: renamed.offeredMessage(problem.message) };
}
