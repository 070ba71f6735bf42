import type { CallOptions } from "../call/call-options.js";
import { calledByModel, type Caller, currentCaller } from "../caller.js";
import { copyParameters } from "../call/copy-parameters.js";
import { ToolError, type ToolFailure } from "../errors.js";
import { parseJson, UnheldNumber } from "../json/json.js";
import { jsonProblemInWords } from "../json/json-problem.js";
import type { CatalogSkill } from "./catalog.js";
import { type Collected, collected, type CollectOptions, requireLimits } from "./collect.js";
import { convertedTool } from "./converted-tool.js";
import { asModelWrote, type ModelArguments, readModelInput } from "./model-input.js";
import type { WayBack } from "./model-schema.js";
import type { OfferedEntry } from "./offered-entry.js";
import { notNamed, notOffered } from "./not-offered.js";
import { typeOf } from "../validation/problem-message.js";
import { RefusedValue, refusedParameter } from "../call/refused-value.js";
import type { AnyResult } from "../result.js";
import { defaultRuntime } from "../runtime.js";

/**
 * Tools by the names that models are offered, each loaded at its first call: `tools` of
 * generated/tools.ts.
 */
export interface ToolMap {
  /** Loads a tool by the name that the model uses. */
  readonly [name: string]: () => Promise<AnyTool>;
}

interface AnyTool {
  (params: never, options?: CallOptions): Promise<AnyResult>;
  /** Set for a tool with pages. */
  readonly nextParameter?: string;
  /** Set for a tool whose parameters models pass in one property. */
  readonly inputParameter?: string;
  /** Catalog of the tool's skill; set for a tool with properties that models know by other names. */
  readonly catalogSkill?: CatalogSkill;
}

/** Options of a model's call. */
export interface DispatchOptions extends CallOptions {
  /**
   * Tools that the model was offered. Other names are rejected. All tools of the map by default.
   */
  readonly offered?: readonly { readonly name: string }[];
  /** Limits of streams and bytes in the answer. */
  readonly collect?: CollectOptions;
}

/** Answers of the tool with this name; any answer if the compiler doesn't know the name. */
export type DispatchResult<Tools extends ToolMap, Name extends string> =
  IsText<Name> extends true
    ? AnyResult
    : Name extends keyof Tools
      ? Collected<Awaited<ReturnType<Awaited<ReturnType<Tools[Name]>>>>>
      : never;

/**
 * True for types that stand for any text, such as `string` or a template. A record of literal names
 * has required properties, to which an empty record can't be assigned.
 */
type IsText<Name extends string> = Record<never, never> extends Record<Name, true> ? true : false;

/**
 * Any text, or a literal name in the map. A misspelt literal doesn't compile, and `tsc` lists the
 * names.
 */
type ToolName<Tools extends ToolMap, Name extends string> =
  IsText<Name> extends true ? Name : keyof NoInfer<Tools> & string;

/**
 * Calls the tool that a model asked for, by the name from `offerTools`. It returns a stream as a
 * list, and bytes as base64 text, within the limits of `collect`. The caller's origin is `llm`,
 * also for calls that a handler makes.
 *
 * @param args the model's arguments as a value. The tool's validator checks them, without
 * conversion. For JSON text, use `dispatchToolJson`
 * @throws ToolError `POLICY.DENY_TOOL` if the name was not offered or is not text; also any error
 * of the tool
 * @throws TypeError if `tools`, `offered` or `collect` is not valid
 */
export async function dispatchTool<Tools extends ToolMap, Name extends string>(
  tools: Tools,
  name: ToolName<Tools, Name>,
  args: unknown,
  options: DispatchOptions = {},
): Promise<DispatchResult<Tools, Name>> {
  const load = requireOffered(tools, name, options);
  return callLoaded(load, name, ownCopy(args, name), calledByModelOf(options));
}

/**
 * Does the same for arguments as JSON text, as OpenAI's API returns them. Empty text means no
 * arguments, because some models write that for a tool without parameters.
 *
 * @throws ToolError as `dispatchTool`; also `SCHEMA.VALIDATION_FAILED` if `json` is not JSON text
 */
export async function dispatchToolJson<Tools extends ToolMap, Name extends string>(
  tools: Tools,
  name: ToolName<Tools, Name>,
  json: string,
  options: DispatchOptions = {},
): Promise<DispatchResult<Tools, Name>> {
  const load = requireOffered(tools, name, options);
  return callLoaded(load, name, parseArguments(json, name), calledByModelOf(options));
}

type Load = ToolMap[string];

/**
 * Calls a tool for its entry of an offer. It does the same as `dispatchTool`, and takes the
 * idempotency key from the arguments if the offer asks for one. The caller's origin stays.
 *
 * @throws ToolError, TypeError as `dispatchTool`
 */
export function dispatchEntry(
  tools: ToolMap,
  { keyParameter, offered, skill, tool }: OfferedEntry,
  args: unknown,
  options: EntryCallOptions,
): Promise<AnyResult> {
  const { name } = offered;
  const load = requireOffered(tools, name, { offered: [offered] });
  // The offer has the form of the catalog, so its arguments have it too.
  const { inputParameter, renamed } = convertedTool(tool, skill).back;
  const given = { inputParameter, renamed, keyParameter };
  return callLoaded(load, name, ownCopy(args, name), options, given);
}

/** Options of a call for an entry of an offer. */
export interface EntryCallOptions extends Omit<DispatchOptions, "idempotencyKey" | "offered"> {
  readonly caller: Caller;
}

/** Returns the options with the caller that counts for the call, and origin `llm`. */
function calledByModelOf(options: DispatchOptions): DispatchOptions & { readonly caller: Caller } {
  return { ...options, caller: calledByModel(callerOf(options)) };
}

async function callLoaded<Tools extends ToolMap, Name extends string>(
  load: Load,
  name: string,
  args: unknown,
  settings: DispatchOptions & { readonly caller: Caller },
  given: Omit<ModelArguments, "nextParameter"> = {},
): Promise<DispatchResult<Tools, Name>> {
  // Copy the options, because the caller may change them while the module loads.
  const { collect, ...options } = { ...settings };
  requireLimits(collect);
  const tool = await loadTool(load, name);
  const names = {
    inputParameter: tool.inputParameter,
    renamed: renamedIn(tool, name),
    nextParameter: tool.nextParameter,
    ...given,
  };
  const input = readModelInput(name, args, names);
  try {
    const result = await tool(input.params as never, { ...options, ...input.options });
    // The tool validates its parameters, and its answer has the type in the map.
    return (await collected(result, collect)) as DispatchResult<Tools, Name>;
  } catch (error) {
    throw asModelWrote(error, names);
  }
}

/** Returns the other names of a tool's properties, for tools that are called without their entry. */
function renamedIn({ catalogSkill }: AnyTool, name: string): WayBack["renamed"] {
  const tool = catalogSkill?.tools.find((each) => each.model_name === name);
  return catalogSkill && tool && convertedTool(tool, catalogSkill).back.renamed;
}

/** Returns the caller, by the same rules as for every call. */
function callerOf({ caller, runtime }: CallOptions): Caller | undefined {
  return caller ?? currentCaller() ?? (runtime ?? defaultRuntime()).caller;
}

/** Copies the arguments, because the caller may change them while the module loads. */
function ownCopy(args: unknown, name: string): unknown {
  try {
    return copyParameters(args);
  } catch (thrown) {
    throw thrown instanceof RefusedValue ? refusedParameter(name, thrown) : thrown;
  }
}

async function loadTool(load: Load, name: string): Promise<AnyTool> {
  try {
    const tool = await load();
    if (typeof tool !== "function") throw new TypeError("the loaded value is not a tool");
    return tool;
  } catch (cause) {
    const what: ToolFailure = { code: "UNKNOWN.INTERNAL", reason: "bug" };
    throw new ToolError(name, what, `the module of \`${name}\` could not be loaded`, { cause });
  }
}

/**
 * Checks the arguments of JavaScript callers, and the name, which comes from the model unchanged.
 * It lists names only for an error.
 */
function requireOffered(tools: ToolMap, name: unknown, options: DispatchOptions): Load {
  if (typeof tools !== "object" || tools === null)
    throw new TypeError("the first argument must be the `tools` of generated/index.ts");
  const { offered } = { ...options };
  requireNamed(offered);
  if (typeof name !== "string") throw notNamed(name);
  const isOffered = offered === undefined || offered.some((each) => each.name === name);
  const load = isOffered && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (load !== undefined) return load;
  throw notOffered(name, offered?.map((each) => each.name) ?? Object.keys(tools));
}

function requireNamed(offered: unknown): void {
  if (offered === undefined || (Array.isArray(offered) && offered.every(isNamed))) return;
  throw new TypeError(
    "`offered` must be a list of tools with their names, as returned by `offerTools`",
  );
}

function isNamed(tool: unknown): boolean {
  return (
    typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string"
  );
}

function parseArguments(json: unknown, name: string): unknown {
  if (typeof json !== "string") throw notText(json, name);
  if (json.trim() === "") return {};
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof UnheldNumber)
      throw refusedParameter(name, new RefusedValue(error.pointer, "json", error.problem));
    const where = jsonProblemInWords(json);
    throw notArguments(name, "json", `is not JSON${where}`, `are not JSON${where}`);
  }
}

function notText(json: unknown, name: string): ToolError {
  const help = typeof json === "object" && json !== null ? ": pass a value to `dispatchTool`" : "";
  const what = `must be JSON text, not ${typeOf(json)}${help}`;
  return notArguments(name, "type", what, what);
}

function notArguments(name: string, keyword: string, ofOne: string, ofMany: string): ToolError {
  const problem = { pointer: "", keyword, message: ofOne };
  return new ToolError(
    name,
    { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems: [problem] },
    `the arguments for \`${name}\` ${ofMany}`,
  );
}
