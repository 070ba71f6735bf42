import { readByteLimit } from "../../kit/byte-limit.js";
import { usualResponseBytes } from "@skillc/runtime/internal/http";
import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { entryOf, type MapNode, valueOf } from "../../core/syntax-node.js";
import { didYouMean } from "../../schema/suggestion.js";
import type { ResolvedBinding, ResolveInput } from "../../kit/binding.js";
import { credentialsIn, parametersIn } from "../../kit/coverage.js";
import { rootsIn } from "../../kit/roots.js";
import { type TextNode, textNode } from "../../kit/text-template.js";
import { readCookies, readHeaders, readIdempotency, readQuery } from "./resolve/request.js";
import { type HttpConfig, type HttpMethod, httpMethods, templatesIn } from "./model.js";
import { readAnswerForm } from "./resolve/answer-form.js";
import { readAnswerHeaders } from "./resolve/answer-headers.js";
import { readPagination } from "./resolve/pagination.js";
import { readPoll } from "./resolve/poll.js";
import { pathOf, readStatuses, schemaOf, successOf } from "./resolve/statuses.js";
import { readAuth } from "./resolve/auth.js";
import { readBody } from "./resolve/body.js";
import { checkPathEntries, readPathEntries } from "./resolve/styles.js";
import { checkUrlLiterals } from "./resolve/url-literals.js";
import { noUrl, readUrl, type UrlReading } from "./resolve/url.js";

/**
 * Reads the `binding:` mapping of an HTTP tool as a model. Every part is checked even if another is
 * faulty or missing. Placeholders for faulty parts are never emitted.
 */
export function resolveHttp(input: ResolveInput): ResolvedBinding<HttpConfig> {
  const { node, report } = input;
  const method = readMethod(input);
  const urlNode = textNode(valueOf(node, "url"));
  const styled = readPathEntries(valueOf(node, "path"), report);
  const url = urlNode ? readUrl(urlNode, input.parameters, styled, report) : noUrl(node.span);
  if (urlNode) checkPathEntries(valueOf(node, "path"), url.url, report);
  const request = readRequest(node, url.names, method, report);
  const response = readResponse(input);
  const templates = templatesIn(request);
  const whole = input.fits !== false && url.whole && templates.every((each) => each.whole);
  const parts = [...url.parts, ...templates.flatMap((each) => each.parts)];
  const query = [...url.entries, ...request.query];
  const references = parametersIn(parts);
  checkUrlLiterals(
    url.literals,
    {
      parameters: input.parameters,
      sent: new Set(references.map(({ path }) => path[0] ?? "")),
      sendsRest: request.body.kind === "rest",
    },
    report,
  );
  return {
    config: { method, url: url.url, ...request, query, ...response, whole },
    effect: method.name === "GET" ? "read" : "write",
    effectSpan: method.span,
    idempotent: isIdempotent(method.name) || request.idempotency !== undefined,
    credentials: credentialsIn(parts),
    references,
    roots: rootsIn(parts),
  };
}

/**
 * True for idempotent writes by HTTP's definition (RFC 9110, 9.2.2). GET is left out: a read may be
 * repeated anyway, and a GET declared as a write doesn't follow the definition.
 */
function isIdempotent(method: HttpMethod): boolean {
  return method === "PUT" || method === "DELETE";
}

function readMethod({ fits, node, report }: ResolveInput): HttpConfig["method"] {
  const entry = entryOf(node, "method");
  if (entry === undefined) return defaultMethod(node, fits !== false, report);
  const written = textNode(entry.value);
  return written === undefined ? unknownMethod(node.span) : namedMethod(written, report);
}

/**
 * Returns GET and points it out at `type`, because the author may have forgotten the method. If the
 * binding has another fault, that may be the reason, so nothing is reported.
 */
function defaultMethod(node: MapNode, fits: boolean, report: Report): HttpConfig["method"] {
  const span = valueOf(node, "type")?.span ?? node.span;
  const message = "the binding has no `method`, so it sends a GET";
  const help = "write `method: GET`, or the method that you mean";
  if (fits) report.add({ code: "http/default-method", span, message, help });
  return { name: "GET", span, isDefault: true };
}

function namedMethod(written: TextNode, report: Report): HttpConfig["method"] {
  const name = httpMethods.find((each) => each === written.value);
  if (name !== undefined) return { name, span: written.span };
  const upper = httpMethods.find((each) => each === written.value.trim().toUpperCase());
  report.add({
    code: "http/bad-method",
    span: written.span,
    message: `\`${shown(written.value)}\` is not a method that skillc supports`,
    help: upper
      ? `write \`${upper}\``
      : (didYouMean(written.value, httpMethods) ??
        `write one of ${httpMethods.map((each) => `\`${each}\``).join(", ")}`),
  });
  return upper ? { name: upper, span: written.span } : unknownMethod(written.span);
}

/** For an unknown method, assumes the one with the fewest rules. */
function unknownMethod(span: Span): HttpConfig["method"] {
  return { name: "PUT", span };
}

function readRequest(
  node: MapNode,
  urlNames: UrlReading["names"],
  method: HttpConfig["method"],
  report: Report,
): RequestModel {
  const idempotency = readIdempotency(valueOf(node, "idempotency"), report);
  const body = readBody(node, method, report);
  const { auth, ...ofAuth } = readAuth(node, report);
  const cookies = [...readCookies(node, report), ...ofAuth.cookies];
  return {
    query: [...readQuery(valueOf(node, "query"), urlNames, report), ...ofAuth.query],
    headers: [
      ...readHeaders(valueOf(node, "headers"), idempotency, body, report),
      ...ofAuth.headers,
    ],
    ...(cookies.length > 0 && { cookies }),
    ...(auth.length > 0 && { auth }),
    body,
    ...(idempotency && { idempotency }),
  };
}

type RequestModel = Pick<
  HttpConfig,
  "query" | "headers" | "cookies" | "auth" | "body" | "idempotency"
>;
type ResponseModel = Omit<HttpConfig, keyof RequestModel | "method" | "url" | "whole">;

function readResponse({ node, readSchema, report }: ResolveInput): ResponseModel {
  const mapping = valueOf(node, "response_mapping");
  const longest = readByteLimit(node, "max_response_bytes", { usual: usualResponseBytes, report });
  const form = readAnswerForm(valueOf(node, "response"), report);
  const response = schemaOf(valueOf(node, "response_schema"), readSchema);
  const errorResponse = schemaOf(valueOf(node, "error_schema"), readSchema);
  const dataPath = pathOf(valueOf(mapping, "path"), report);
  const errorPath = pathOf(valueOf(mapping, "error_path"), report);
  const statuses = readStatuses(valueOf(mapping, "status_codes"), { readSchema, report });
  const pagination = readPagination(valueOf(node, "paginate"), report);
  const poll = readPoll(valueOf(node, "poll"), report);
  const headers = readAnswerHeaders(valueOf(mapping, "headers"), report);
  const success = successOf(
    { ...(response && { response }), ...(dataPath && { dataPath }) },
    statuses,
    report,
  );
  // Keep this order: a tool's version is a hash of this object.
  return {
    maxResponseBytes: longest.bytes,
    ...(longest.span && { maxResponseSpan: longest.span }),
    statuses,
    ...(form && { form }),
    ...(pagination && { pagination }),
    ...(poll && { poll }),
    ...(headers.length > 0 && { answerHeaders: headers }),
    ...(success.response && { response: success.response }),
    ...(errorResponse && { errorResponse }),
    ...(success.dataPath && { dataPath: success.dataPath }),
    ...(errorPath && { errorPath }),
  };
}
