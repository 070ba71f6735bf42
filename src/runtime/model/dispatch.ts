import type { CallOptions } from "../call/call-options.js";
import { askedByModel, type Caller, currentCaller } from "../caller.js";
import { copyParameters } from "../call/copy-parameters.js";
import { ToolError, type ToolFailure } from "../errors.js";
import { parseJson, UnheldNumber } from "../json/json.js";
import { jsonProblemInWords } from "../json/json-problem.js";
import { type Collected, collected, type CollectOptions, requireLimits } from "./collect.js";
import { near } from "./near-names.js";
import { typeOf } from "../validation/problem-message.js";
import { RefusedValue, refusedParameter } from "../call/refused-value.js";
import type { AnyResult } from "../result.js";
import { defaultRuntime } from "../runtime.js";

/**
 * Tools by the name that a model is offered, each loaded when it is first called: the `tools` of
 * generated/tools.ts.
 */
export interface ToolMap {
  readonly [name: string]: () => Promise<AnyTool>;
}

interface AnyTool {
  (params: never, options?: CallOptions): Promise<AnyResult>;
  /** Of a tool whose answers have pages. */
  readonly nextParameter?: string;
}

/** What one call may say for itself, and what the model may ask for. */
export interface DispatchOptions extends CallOptions {
  /**
   * What the model was offered; every other name is refused. All tools of the map when not given.
   */
  readonly offered?: readonly { readonly name: string }[];
  /** How much of a stream, or of bytes, is given. */
  readonly collect?: CollectOptions;
}

/**
 * The answers of the tools of that name; any answer where the name is not known to the compiler.
 */
export type DispatchResult<Tools extends ToolMap, Name extends string> =
  IsText<Name> extends true
    ? AnyResult
    : Name extends keyof Tools
      ? Collected<Awaited<ReturnType<Awaited<ReturnType<Tools[Name]>>>>>
      : never;

/**
 * Whether any name fits, as into `string` or a template, and not only those that are spelt out: a
 * record of literals has properties.
 */
type IsText<Name extends string> = Record<never, never> extends Record<Name, true> ? true : false;

/**
 * Any text, or a literal that is one of the names in the map: a misspelt one does not compile, and
 * `tsc` lists those that there are.
 */
type ToolName<Tools extends ToolMap, Name extends string> =
  IsText<Name> extends true ? Name : keyof NoInfer<Tools> & string;

/**
 * Calls the tool that a model asked for, by the name that `offerTools` gave it. Of a stream it gives a
 * list, and of bytes their text, as far as `collect` says. Whoever the call is
 * for, its origin is `llm`; and so is that of the calls which its handler makes.
 *
 * @param args what the model wrote, as a value; the tool's validator checks it, and nothing is
 * converted. Text of JSON is no value: see `dispatchToolJson`
 * @throws ToolError `POLICY.DENY_TOOL` for a name that was not offered, text or not, and whatever
 * the tool throws
 * @throws TypeError when `tools` or `offered` is not what it should be: no model has a hand in
 * these
 */
export async function dispatchTool<Tools extends ToolMap, Name extends string>(
  tools: Tools,
  name: ToolName<Tools, Name>,
  args: unknown,
  options: DispatchOptions = {},
): Promise<DispatchResult<Tools, Name>> {
  const load = requireOffered(tools, name, options);
  return callLoaded(load, name, ownCopy(args, name), options);
}

/**
 * The same for arguments as text of JSON, which is how OpenAI's API gives them. Empty text stands
 * for no arguments: some models write that for a tool without parameters.
 *
 * @throws ToolError also `SCHEMA.VALIDATION_FAILED` for what is not text, or not JSON
 */
export async function dispatchToolJson<Tools extends ToolMap, Name extends string>(
  tools: Tools,
  name: ToolName<Tools, Name>,
  json: string,
  options: DispatchOptions = {},
): Promise<DispatchResult<Tools, Name>> {
  const load = requireOffered(tools, name, options);
  return callLoaded(load, name, parseArguments(json, name), options);
}

type Load = ToolMap[string];

async function callLoaded<Tools extends ToolMap, Name extends string>(
  load: Load,
  name: string,
  args: unknown,
  given: DispatchOptions,
): Promise<DispatchResult<Tools, Name>> {
  // The caller may use its objects again while the module is loaded.
  const { collect, ...options } = { ...given };
  requireLimits(collect);
  const caller = askedByModel(callerOf(options));
  const tool = await loadTool(load, name);
  const { next, params } = pageOf(args, tool, name);
  const turned = next === undefined ? {} : { next };
  const result = await tool(params as never, { ...options, ...turned, caller });
  // The tool checks what it is given, and answers as the map says.
  return (await collected(result, collect)) as DispatchResult<Tools, Name>;
}

/** Models ask for the next page beside the parameters. */
function pageOf(
  args: unknown,
  { nextParameter }: AnyTool,
  name: string,
): { readonly params: unknown; readonly next?: string } {
  const isAsked = typeof args === "object" && args !== null && nextParameter !== undefined;
  if (!isAsked || !Object.hasOwn(args, nextParameter)) return { params: args };
  const { [nextParameter]: next, ...params } = args as Record<string, unknown>;
  if (next === null || next === undefined || next === "") return { params };
  if (typeof next === "string") return { params, next };
  const message = `must be text, not ${typeOf(next)}`;
  throw new ToolError(
    name,
    {
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [{ pointer: `/${nextParameter}`, keyword: "type", message }],
    },
    `parameters of \`${name}\` don't fit their schema: /${nextParameter} ${message}`,
  );
}

/** Whom the call is for: the nearest that says so, as of every call. */
function callerOf({ caller, runtime }: CallOptions): Caller | undefined {
  return caller ?? currentCaller() ?? (runtime ?? defaultRuntime()).caller;
}

/** What a caller passes is its own: it may change while the module is loaded. */
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
    if (typeof tool !== "function") throw new TypeError("what was loaded is not a tool");
    return tool;
  } catch (cause) {
    const what: ToolFailure = { code: "UNKNOWN.INTERNAL", reason: "bug" };
    throw new ToolError(name, what, `the module of \`${name}\` could not be loaded`, { cause });
  }
}

/** Callers in JavaScript may pass anything, and a model's answer is passed on as it came. */
function requireOffered(tools: ToolMap, name: unknown, options: DispatchOptions): Load {
  if (typeof tools !== "object" || tools === null)
    throw new TypeError("a dispatch takes the `tools` of generated/index.ts first");
  const names = offeredNames({ ...options }.offered) ?? Object.keys(tools);
  if (typeof name !== "string") throw notNamed(name);
  const load = names.includes(name) && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (load === undefined) throw notOffered(name, names);
  return load;
}

function offeredNames(offered: DispatchOptions["offered"]): readonly string[] | undefined {
  if (offered === undefined) return undefined;
  const names = Array.isArray(offered)
    ? offered.map((each: unknown) => offeredName(each))
    : [undefined];
  if (names.every((each) => each !== undefined)) return names;
  throw new TypeError("`offered` is a list of tools with their names, which `offerTools` gives");
}

function offeredName(tool: unknown): string | undefined {
  const isNamed = typeof tool === "object" && tool !== null && "name" in tool;
  return isNamed && typeof tool.name === "string" ? tool.name : undefined;
}

/** Models shorten names, and models make names up, of any length. */
const longestTold = 64;
const maxReported = 3;

function notOffered(written: string, names: readonly string[]): ToolError {
  const name = written.slice(0, longestTold).replace(/[\p{Cc}\p{Cf}\p{Cs}`]/gu, "\ufffd");
  const ofTool = (each: string) => each.slice(each.indexOf("__") + 1);
  const withoutSkill = names.filter((each) => near(written, [ofTool(each)]).length > 0);
  const nearest = [...new Set([...near(written, names), ...withoutSkill])].slice(0, maxReported);
  const help =
    nearest.length === 0
      ? ""
      : `; did you mean ${nearest.map((each) => `\`${each}\``).join(" or ")}?`;
  return denied(name, `\`${name}\` is not a tool that was offered${help}`);
}

function notNamed(name: unknown): ToolError {
  return denied("", `a tool's name must be a string, not ${typeOf(name)}`);
}

function denied(name: string, message: string): ToolError {
  const what: ToolFailure = { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name }] };
  return new ToolError(name, what, message);
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
  const help = typeof json === "object" && json !== null ? ": a value is for `dispatchTool`" : "";
  const what = `must be text of JSON, not ${typeOf(json)}${help}`;
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
