/** Puts the names of the suite's scenarios in the place of the fixture's, in requests and responses. */
import type { Transformer } from "node:stream/web";
import type { SkillcMcpServer } from "@skillc/runtime/mcp";

/** URIs of the scenarios, and the fixture's for them. */
export type ScenarioUris = ReadonlyMap<string, string>;

interface NamedParams {
  name?: unknown;
  uri?: unknown;
  inputResponses?: unknown;
}

/** Key of the scenarios' form, and the fixture's for it. */
const formKey = { scenario: "user_name", own: "approval" };

/** Serves a server under the names of the scenarios. */
export function withScenarioNames(
  { fetch }: Pick<SkillcMcpServer, "fetch">,
  uris: ScenarioUris,
): Pick<SkillcMcpServer, "fetch"> {
  return {
    async fetch(request) {
      const text = await request.text();
      const response = await fetch(ownRequest(request, text, uris));
      const { headers, status } = response;
      headers.delete("content-length");
      // Only an answer about a scenario's URI has it: lists name the fixture's own.
      const asked = [...uris].filter(([scenario]) => text.includes(`"${scenario}"`));
      const lines = new TransformStream(eachLine((line) => scenarioText(line, asked)));
      const body = response.body
        ?.pipeThrough(new TextDecoderStream())
        .pipeThrough(lines)
        .pipeThrough(new TextEncoderStream());
      return new Response(body ?? null, { status, headers });
    },
  };
}

function ownRequest(request: Request, text: string, uris: ScenarioUris): Request {
  const { method, signal, url } = request;
  const headers = new Headers(request.headers);
  const named = headers.get("mcp-name");
  if (named !== null) headers.set("mcp-name", ownName(named, uris));
  return new Request(url, { method, headers, signal, ...(text && { body: ownText(text, uris) }) });
}

function ownText(text: string, uris: ScenarioUris): string {
  const message = parsed(text);
  const { params } = message ?? {};
  if (message === undefined || params === undefined) return text;
  if (typeof params.name === "string") params.name = ownName(params.name, uris);
  if (typeof params.uri === "string") params.uri = ownName(params.uri, uris);
  if (isObject(params.inputResponses)) params.inputResponses = ownAnswers(params.inputResponses);
  return JSON.stringify(message);
}

function parsed(text: string): { readonly params?: NamedParams } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Properties that have other types are left alone.
    return isObject(value) ? (value as { readonly params?: NamedParams }) : undefined;
  } catch {
    return undefined;
  }
}

/** The fixture's tools are those of the skill `test`; other names are left alone. */
function ownName(name: string, uris: ScenarioUris): string {
  const tool = /^(?:test_)?(json_schema_2020_12_tool|(?<=test_)[a-z0-9_]+)$/.exec(name)?.[1];
  return tool === undefined ? (uris.get(name) ?? name) : `test__${tool.replaceAll("_", "-")}`;
}

/** A form that a scenario accepts approves the call, whatever else its fields are called. */
function ownAnswers(answers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answers).map(([key, answer]) => {
      const own = key === formKey.scenario ? formKey.own : key;
      const isAccepted = isObject(answer) && answer["action"] === "accept";
      return [own, isAccepted ? { ...answer, content: { approve: true } } : answer];
    }),
  );
}

function scenarioText(text: string, uris: Iterable<readonly [string, string]>): string {
  const named = text
    .replaceAll(/"test__([a-z0-9-]+)"/g, (_, tool: string) => `"${scenarioTool(tool)}"`)
    .replaceAll(`{"${formKey.own}":`, `{"${formKey.scenario}":`);
  let all = named;
  for (const [scenario, own] of uris) all = all.replaceAll(`"${own}"`, `"${scenario}"`);
  return all;
}

function scenarioTool(tool: string): string {
  const name = tool.replaceAll("-", "_");
  return name.startsWith("json_schema") ? name : `test_${name}`;
}

/** Gives whole lines to a function, because a chunk may end within a name. */
function eachLine(change: (line: string) => string): Transformer<string, string> {
  let rest = "";
  return {
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) controller.enqueue(`${change(line)}\n`);
    },
    flush(controller) {
      if (rest !== "") controller.enqueue(change(rest));
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
