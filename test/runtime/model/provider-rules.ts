/**
 * The documented and observed rules of models' APIs for the tools of a request, without strict mode. A tool that breaks one of them makes
 * the API reject the whole request.
 *
 * Sources:
 * - Anthropic, Messages API: tool names `^[a-zA-Z0-9_-]{1,128}$`, earlier 64 characters (platform.claude.com/docs, "Tool use");
 *   "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
 *   (github.com/ComposioHQ/composio/issues/3500); "input_schema does not support oneOf, allOf, or anyOf at the top level"
 *   (github.com/anthropics/claude-code/issues/40075); "JSON schema is invalid. It must match JSON Schema draft 2020-12"
 *   (github.com/anthropics/claude-code/issues/63673); the root has `type: object`.
 * - OpenAI, Chat Completions and Responses: names `^[a-zA-Z0-9_-]{1,64}$` (platform.openai.com/docs/api-reference); "'tools[1].function.description':
 *   string too long. Expected a string with maximum length 1024" (github.com/langchain-ai/open_deep_research/issues/80); "schema must have
 *   type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level" (github.com/goruck/home-generative-agent/pull/545);
 *   "array schema missing items", also beside `prefixItems` and in a list of types (github.com/PrefectHQ/fastmcp/issues/2464,
 *   github.com/campfirein/byterover-cli/issues/42); "object schema missing properties" at the root
 *   (github.com/spring-projects/spring-ai/issues/4776); "… is not a 'regex'", by Python's `re` (github.com/BerriAI/litellm/pull/40485,
 *   github.com/pleaseai/shunt/pull/488); "regex lookaround is not supported" (github.com/anomalyco/opencode/issues/32073).
 * - Gemini: `parametersJsonSchema` takes a JSON Schema that describes an object. A function's name begins with a letter or an underscore,
 *   and has at most 64 characters (cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/FunctionDeclaration).
 */
import { Ajv2020 } from "ajv/dist/2020.js";

/** A model's API. */
export type Provider = "anthropic" | "openai" | "gemini";

/** A tool in the form of `offerTools`. */
export interface CheckedTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly [keyword: string]: unknown };
}

/** A rule that a tool breaks. */
export interface Rejection {
  readonly provider: Provider;
  readonly tool: string;
  /** Path to the fault, such as `input_schema/properties/a b`. */
  readonly place: string;
  readonly rule: string;
}

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/** Returns the rules that tools break; none if each API takes them all. */
export function rejectionsOf(tools: readonly CheckedTool[]): readonly Rejection[] {
  return tools.flatMap((tool) => [...nameRules(tool), ...rootRules(tool), ...innerRules(tool)]);
}

function nameRules({ description, name }: CheckedTool): readonly Rejection[] {
  const rejected: Rejection[] = [];
  const reject = (provider: Provider, place: string, rule: string) =>
    rejected.push({ provider, tool: name, place, rule });
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    reject("anthropic", "name", "^[a-zA-Z0-9_-]{1,64}$");
    reject("openai", "name", "^[a-zA-Z0-9_-]{1,64}$");
  }
  if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name))
    reject("gemini", "name", "begins with a letter or an underscore");
  if (description.length > 1024) reject("openai", "description", "at most 1,024 characters");
  return rejected;
}

const roots: readonly (readonly [Provider, readonly string[]])[] = [
  ["anthropic", ["allOf", "anyOf", "oneOf", "$ref"]],
  ["openai", ["allOf", "anyOf", "const", "enum", "not", "oneOf", "$ref"]],
];

function rootRules({ input_schema: schema, name: tool }: CheckedTool): readonly Rejection[] {
  const rejected: Rejection[] = [];
  const place = "input_schema";
  for (const provider of ["anthropic", "openai", "gemini"] as const) {
    const reject = (rule: string) => rejected.push({ provider, tool, place, rule });
    if (schema["type"] !== "object") reject("the root has `type: object`");
    if (!isObject(schema["properties"])) reject("the root has `properties`");
  }
  for (const [provider, keywords] of roots)
    for (const keyword of keywords)
      if (Object.hasOwn(schema, keyword))
        rejected.push({ provider, tool, place, rule: `no \`${keyword}\` at the root` });
  if (ajv.validateSchema(schema) !== true)
    rejected.push({ provider: "anthropic", tool, place, rule: "JSON Schema 2020-12" });
  return rejected;
}

function innerRules({ input_schema: schema, name: tool }: CheckedTool): readonly Rejection[] {
  const rejected: Rejection[] = [];
  visitSchemas(schema, "input_schema", (each, place) => {
    for (const name of keysOf(each["properties"]))
      if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
        rejected.push({
          provider: "anthropic",
          tool,
          place: `${place}/properties/${name}`,
          rule: "property keys match ^[a-zA-Z0-9_.-]{1,64}$",
        });
    if ([each["type"]].flat().includes("array") && each["items"] === undefined)
      rejected.push({ provider: "openai", tool, place, rule: "array schema missing items" });
    for (const pattern of [each["pattern"], ...keysOf(each["patternProperties"])])
      if (typeof pattern === "string" && !isPythonPattern(pattern))
        rejected.push({ provider: "openai", tool, place, rule: `'${pattern}' is not a 'regex'` });
  });
  return rejected;
}

/** Returns false for the syntax of JavaScript that Python's `re` rejects, and for lookaround. */
function isPythonPattern(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\\\/g, "");
  return !/\\[pPkc]|\\u\{|\\[1-9]|\(\?<?[=!]|\(\?<[^=!]|(?<!\\)\[\^?\]/.test(plain);
}

const data: ReadonlySet<string> = new Set([
  "const",
  "default",
  "dependentRequired",
  "enum",
  "examples",
  "required",
]);
const maps: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

type Visit = (schema: Readonly<Record<string, unknown>>, place: string) => void;

function visitSchemas(schema: unknown, place: string, visit: Visit): void {
  if (Array.isArray(schema))
    schema.forEach((each, index) => visitSchemas(each, `${place}/${index}`, visit));
  if (!isObject(schema)) return;
  visit(schema, place);
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = `${place}/${keyword}`;
    if (data.has(keyword)) continue;
    if (!maps.has(keyword)) visitSchemas(value, inner, visit);
    else if (isObject(value))
      for (const [name, each] of Object.entries(value))
        visitSchemas(each, `${inner}/${name}`, visit);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function keysOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}
