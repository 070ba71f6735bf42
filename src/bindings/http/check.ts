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
 * The rules of HTTP bindings that need the whole tool: what its parameters are, what it returns,
 * what it leaves unused.
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
  checkPoll(config, report);
  checkEmptySuccess(tool, config, report);
  checkClearText(tool, config, report);
}

/** In every template, and in the URL, whose literal text is kept as it is sent. */
function namesBetweenBraces(config: HttpConfig): readonly string[] {
  const { path, literalQuery } = config.url;
  const texts = path.flatMap((piece) => (piece.kind === "text" ? [piece.text] : piece.fixed));
  const inUrl = [...texts, literalQuery.text].flatMap((text) =>
    [...text.matchAll(/%7B([\w.-]+)%7D/g)].flatMap(([, name]) => name ?? []),
  );
  return [...inUrl, ...templatesIn(config).flatMap(({ parts }) => betweenBracesIn(parts))];
}

/** What the methods do that no API uses to ask for something (RFC 9110, 9.3; RFC 5789). */
const changes: ReadonlyMap<HttpMethod, string> = new Map([
  ["PUT", "puts something in its place"],
  ["PATCH", "changes what is there"],
  ["DELETE", "removes what is there"],
]);

/** A POST may well be a question: a search, GraphQL. These hardly are. */
function checkEffect({ binding }: ToolModel, { method }: HttpConfig, report: Report): void {
  const change = binding.effect === "read" ? changes.get(method.name) : undefined;
  if (change === undefined) return;
  report.add({
    code: "http/unlikely-read",
    span: method.span,
    message: `\`${method.name}\` ${change}, and \`effect: read\` says that a call changes nothing`,
    help: "remove `effect: read`: a read is sent in shadow mode too, and repeated when no answer comes",
  });
}

/**
 * Where every success that is listed has no content, what asks for some fails each call, after it
 * took effect. A name of its own has a type of its own: there nothing is asked for.
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
    message: `an answer of ${first.code} has no content, and ${what} asks for some: every call would fail, its effect done`,
    help: `leave ${what} out or let it take \`null\`, or list the status that has content`,
    related: [{ span: first.span, message: "the only success" }],
  });
}

/**
 * A credential over plain HTTP can be read on the way. Of an origin that is a `${NAME}` only the
 * runtime knows the scheme.
 */
function checkClearText(tool: ToolModel, { auth = [], url }: HttpConfig, report: Report): void {
  for (const { span, texts } of auth) {
    const endpoint = texts["token_url"] && literalText(texts["token_url"]);
    const host = endpoint && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
    if (host?.protocol !== "http:" || isLoopback(host.hostname)) continue;
    report.add({
      code: "http/credential-in-clear",
      span: texts["token_url"]?.span ?? span,
      message: "what a token is got by goes over plain HTTP: whoever is on the way can read it",
      help: "write `https://`",
    });
  }
  const { origin } = url;
  const [credential] = tool.binding.credentials;
  if (origin.kind !== "literal" || credential === undefined) return;
  // What stands in for an origin to blame is no URL.
  if (!origin.origin.startsWith("http://") || isLoopback(new URL(origin.origin).hostname)) return;
  report.add({
    code: "http/credential-in-clear",
    span: origin.span,
    message: `${quote(`\${${credential.name}}`)} goes over plain HTTP: whoever is on the way can read it`,
    help: "write `https://`",
    related: [{ span: credential.span, message: "the credential" }],
  });
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
