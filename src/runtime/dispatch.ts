import type { CallOptions } from "./call-options.js";
import { ToolError, type ToolFailure } from "./errors.js";
import { jsonFault } from "./json-fault.js";
import { near } from "./near-names.js";
import type { AnyResult } from "./result.js";

/** Tools by the name that a model is offered, each loaded when it is first called: the `tools` of generated/tools.ts. */
export interface ToolMap {
  readonly [name: string]: () => Promise<AnyTool>;
}

type AnyTool = (params: never, options?: CallOptions) => Promise<AnyResult>;

/** What one call may say for itself, and what the model may ask for. */
export interface DispatchOptions extends CallOptions {
  /** What the model was offered; every other name is refused. All tools of the map when not given. */
  readonly offered?: readonly { readonly name: string }[];
}

/** The answers of the tools of that name; any answer where the name is not known to the compiler. */
export type DispatchResult<Tools extends ToolMap, Name extends string> =
  IsText<Name> extends true
    ? AnyResult
    : Name extends keyof Tools
      ? Awaited<ReturnType<Awaited<ReturnType<Tools[Name]>>>>
      : never;

/** Whether any name fits, as into `string` or a template, and not only those that are spelt out: a record of literals has properties. */
type IsText<Name extends string> = Record<never, never> extends Record<Name, true> ? true : false;

/** Any text, or a literal that is one of the names in the map: a misspelt one does not compile, and `tsc` lists those that there are. */
type NameOf<Tools extends ToolMap, Name extends string> =
  IsText<Name> extends true ? Name : keyof NoInfer<Tools> & string;

/**
 * Calls the tool that a model asked for, by the name that `offerTools` gave it.
 *
 * @param args what the model wrote, as a value; the tool's validator checks it, and nothing is converted. Text of JSON is no value:
 * see `dispatchToolJson`
 * @throws ToolError `POLICY.DENY_TOOL` for a name that was not offered, and whatever the tool throws
 */
export async function dispatchTool<Tools extends ToolMap, Name extends string>(
  tools: Tools,
  name: NameOf<Tools, Name>,
  args: unknown,
  options: DispatchOptions = {},
): Promise<DispatchResult<Tools, Name>> {
  const tool = await findTool(tools, name, options);
  // The tool checks what it is given, and answers as the map says.
  return (await tool(args as never, options)) as DispatchResult<Tools, Name>;
}

/**
 * The same for arguments as text of JSON, which is how OpenAI's API gives them. Empty text stands for no arguments: some models write
 * that for a tool without parameters.
 *
 * @throws ToolError also `SCHEMA.VALIDATION_FAILED` for text that is not JSON
 */
export async function dispatchToolJson<Tools extends ToolMap, Name extends string>(
  tools: Tools,
  name: NameOf<Tools, Name>,
  json: string,
  options: DispatchOptions = {},
): Promise<DispatchResult<Tools, Name>> {
  const tool = await findTool(tools, name, options);
  const args = parseArguments(json, name);
  // As above.
  return (await tool(args as never, options)) as DispatchResult<Tools, Name>;
}

async function findTool(
  tools: ToolMap,
  name: string,
  { offered }: DispatchOptions,
): Promise<AnyTool> {
  const names = offered?.map((each) => each.name) ?? Object.keys(tools);
  const load = names.includes(name) && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (load === undefined) throw notOffered(name, names);
  try {
    return await load();
  } catch (cause) {
    const what: ToolFailure = { code: "UNKNOWN.INTERNAL", reason: "bug" };
    throw new ToolError(name, what, `the module of \`${name}\` could not be loaded`, { cause });
  }
}

/** Models shorten names, and models make names up, of any length. */
const longestTold = 64;
const mostTold = 3;

function notOffered(written: string, names: readonly string[]): ToolError {
  const name = written.slice(0, longestTold).replace(/[\p{Cc}\p{Cf}\p{Cs}`]/gu, "\ufffd");
  const ofTool = (each: string) => each.slice(each.indexOf("__") + 1);
  const withoutSkill = names.filter((each) => near(written, [ofTool(each)]).length > 0);
  const nearest = [...new Set([...near(written, names), ...withoutSkill])].slice(0, mostTold);
  const help =
    nearest.length === 0
      ? ""
      : `; did you mean ${nearest.map((each) => `\`${each}\``).join(" or ")}?`;
  return new ToolError(
    name,
    { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name }] },
    `\`${name}\` is not a tool that was offered${help}`,
  );
}

function parseArguments(json: string, name: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json) as unknown;
  } catch {
    const where = placeOfFault(json);
    const problem = { pointer: "", keyword: "json", message: `is not JSON${where}` };
    throw new ToolError(
      name,
      { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems: [problem] },
      `the arguments for \`${name}\` are not JSON${where}`,
    );
  }
}

function placeOfFault(json: string): string {
  const fault = jsonFault(json);
  if (fault === undefined) return "";
  const { column, endsEarly, expected, line } = fault;
  const place = `line ${line}, column ${column}`;
  return endsEarly
    ? `: the text ends early, at ${place}, where ${expected} should follow`
    : `: ${expected} should stand at ${place}`;
}
