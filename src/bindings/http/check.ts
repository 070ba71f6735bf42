import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import { lookUp } from "../../schema/look-up.js";
import { callerRoot } from "../../kit/caller-root.js";
import { checkCoverage } from "../../kit/coverage.js";
import { literalText } from "../../kit/text-template.js";
import { betweenBracesIn } from "../../kit/unused-parameters.js";
import { checkAnswerForm } from "./check/answer-form.js";
import { checkPagination } from "./check/pagination.js";
import { checkPatchDefaults } from "./check/patch-defaults.js";
import { checkPoll } from "./check/poll.js";
import { checkRequest } from "./check/request.js";
import { checkResponse } from "./check/response.js";
import { type HttpConfig, type HttpMethod, templatesIn } from "./model.js";
import { isSuccessCode, isWithoutContent, namesOfOwnData } from "./resolve/statuses.js";

/**
 * Checks the rules of HTTP bindings that need the whole tool: its parameters, its result, and its
 * unused parameters.
 */
export function checkHttp(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { references } = tool.binding;
  const coverage = {
    kind: "http",
    references,
    roots: [callerRoot],
    whole: config.whole,
    sendsRest: config.body.kind === "rest",
    betweenBraces: namesBetweenBraces(config),
  };
  checkCoverage(tool, coverage, report);
  checkEffect(tool, config, report);
  checkRequest(tool, config, report);
  checkPatchDefaults(tool, config, report);
  checkResponse(tool, config, report);
  checkAnswerForm(tool, config, report);
  checkPagination(tool, config, report);
  checkPoll(tool, config, report);
  checkEmptySuccess(tool, config, report);
  checkClearText(tool, config, report);
}

/** Names in braces in every template and in the URL, whose literal text is already encoded. */
function namesBetweenBraces(config: HttpConfig): readonly string[] {
  const { path, literalQuery } = config.url;
  const texts = path.flatMap((piece) => (piece.kind === "text" ? [piece.text] : piece.fixed));
  const inUrl = [...texts, literalQuery.text].flatMap((text) =>
    [...text.matchAll(/%7B([\w.-]+)%7D/g)].flatMap(([, name]) => name ?? []),
  );
  return [...inUrl, ...templatesIn(config).flatMap(({ parts }) => betweenBracesIn(parts))];
}

/** Effects of methods that no API uses for reading (RFC 9110, 9.3; RFC 5789). */
const changes: ReadonlyMap<HttpMethod, string> = new Map([
  ["PUT", "replaces data"],
  ["PATCH", "changes data"],
  ["DELETE", "removes data"],
]);

/**
 * Warns if a read uses a method that changes something. POST is exempt, because searches and
 * GraphQL use it.
 */
function checkEffect({ binding }: ToolModel, { method }: HttpConfig, report: Report): void {
  const change = binding.effect === "read" ? changes.get(method.name) : undefined;
  if (change === undefined) return;
  report.add({
    code: "http/unlikely-read",
    span: method.span,
    message: `\`${method.name}\` ${change}, but \`effect: read\` says that a call changes nothing`,
    help: "remove `effect: read`: skillc sends a read in shadow mode too, and repeats it if no response arrives",
  });
}

/**
 * Warns if no listed success has content, but the binding expects some. Every call would then fail
 * after it took effect. Statuses with a name of their own have their own type and are skipped.
 */
function checkEmptySuccess(tool: ToolModel, config: HttpConfig, report: Report): void {
  const successes = config.statuses.filter(({ code }) => isSuccessCode(code));
  const own = namesOfOwnData(config.statuses);
  const first = successes.find(({ name }) => !own.includes(name));
  if (first === undefined || !successes.every(({ code }) => isWithoutContent(code))) return;
  const asks = (schema: SchemaModel | undefined) =>
    schema !== undefined && !lookUp(schema, [], "stated").types.includes("null");
  const [what, span] = asks(tool.returns)
    ? ["`returns`", tool.returns?.span]
    : asks(config.response)
      ? ["`response_schema`", config.response?.span]
      : ["", undefined];
  if (span === undefined) return;
  report.add({
    code: "http/no-content",
    span,
    message: `status ${first.code} has no content, but ${what} requires some: every call would fail after it took effect`,
    help: `remove ${what} or let it allow \`null\`, or list a status that has content`,
    related: [{ span: first.span, message: "the only success" }],
  });
}

/**
 * Warns about a credential over plain HTTP, which others can read. If the origin is a `${NAME}`,
 * only the runtime knows the scheme.
 */
function checkClearText(tool: ToolModel, { auth = [], url }: HttpConfig, report: Report): void {
  for (const { span, texts } of auth) {
    const endpoint = texts["token_url"] && literalText(texts["token_url"]);
    const host = endpoint && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
    if (host?.protocol !== "http:" || isLoopback(host.hostname)) continue;
    report.add({
      code: "http/credential-in-clear",
      span: texts["token_url"]?.span ?? span,
      message: "the token request goes over plain HTTP, so others can read its credentials",
      help: "write `https://`",
    });
  }
  const { origin } = url;
  const [credential] = tool.binding.credentials;
  if (origin.kind !== "literal" || credential === undefined) return;
  // A faulty URL has a stand-in origin, which `URL` would reject.
  if (!origin.origin.startsWith("http://") || isLoopback(new URL(origin.origin).hostname)) return;
  report.add({
    code: "http/credential-in-clear",
    span: origin.span,
    message: `${quote(`\${${credential.name}}`)} is sent over plain HTTP, so others can read it`,
    help: "write `https://`",
    related: [{ span: credential.span, message: "the credential" }],
  });
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
