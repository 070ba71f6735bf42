import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  textOf,
  valueOf,
} from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { loneParameter } from "../../../kit/text-template.js";
import type { ScalarModel } from "../../../kit/values/model.js";
import { readScalar, readValue } from "../../../kit/values/read-value.js";
import { type BodyModel, formStyles, type HttpConfig, httpTemplates } from "../model.js";
import { readMediaType } from "./media-type.js";
import { readMultipart } from "./multipart.js";

/** Ways to send a body, and the other keys that each accepts. */
const ways: ReadonlyMap<string, readonly string[]> = new Map([
  ["json", []],
  ["form", ["style"]],
  ["multipart", ["fields"]],
  ["raw", ["type"]],
]);

/**
 * Reads `body` or `body_template`. Without them, POST, PUT and PATCH have a body; GET and DELETE
 * don't, and neither does `body: none`.
 */
export function readBody(
  binding: MapNode,
  method: HttpConfig["method"],
  report: Report,
): BodyModel {
  const template = entryOf(binding, "body_template");
  const body = entryOf(binding, "body");
  const entry = body ?? template;
  if (entry === undefined) {
    const sends = method.name !== "GET" && method.name !== "DELETE";
    return sends ? { kind: "rest", span: method.span } : { kind: "none" };
  }
  if (method.name === "GET") reportBodyOnGet(entry, method, report);
  if (textOf(body?.value) === "none") return { kind: "none" };
  if (body && template) {
    report.add({
      code: "http/bad-body",
      span: template.key.span,
      message: "the body is given twice: `body_template` means `body: { json: … }`",
      help: "keep one of the two",
      related: [{ span: body.key.span, message: "`body`" }],
    });
  }
  return body === undefined ? readJson(entry, report) : readWay(body, report);
}

function reportBodyOnGet({ key }: MapEntry, method: HttpConfig["method"], report: Report): void {
  report.add({
    code: "http/body-on-get",
    span: key.span,
    ...(method.isDefault
      ? {
          message: "a GET has no body, and a binding without `method` sends a GET",
          help: "write `method: POST`, or put the values into `query`",
        }
      : {
          message: "a GET has no body",
          help: "put the values into `query`, or use another method",
          related: [{ span: method.span, message: "the method" }],
        }),
  });
}

function readJson({ value }: MapEntry, report: Report): BodyModel {
  const read = readValue(value, { language: httpTemplates, report });
  return { kind: "template", value: read, span: value.span };
}

/** Reads a `body:` mapping, which has one way and its keys. */
function readWay(body: MapEntry, report: Report): BodyModel {
  const { key, value } = body;
  const entries = value.kind === "map" ? value.entries : [];
  const [way, ...others] = entries.filter((each) => ways.has(each.key.value));
  if (way === undefined) {
    report.add({
      code: "http/bad-body",
      span: entries[0]?.key.span ?? key.span,
      message: "`body` has none of the keys `json`, `form`, `multipart` and `raw`",
      help: `write \`body: { json: … }\`, or use \`form\`, \`multipart\` or \`raw\` instead of \`json\``,
    });
    return { kind: "rest", span: key.span };
  }
  const beside = [way.key.value, ...(ways.get(way.key.value) ?? [])];
  for (const each of entries) {
    if (beside.includes(each.key.value) || others.includes(each)) continue;
    report.add({
      code: "http/bad-body",
      span: each.key.span,
      message: `\`${shown(each.key.value)}\` is not a key beside \`${way.key.value}\``,
      help: didYouMean(each.key.value, beside) ?? "remove it",
    });
  }
  for (const other of others) {
    report.add({
      code: "http/bad-body",
      span: other.key.span,
      message: `the body is already sent as \`${way.key.value}\``,
      help: "keep one of the two",
      related: [{ span: way.key.span, message: "the other one" }],
    });
  }
  if (way.key.value === "form") return readForm(way, value, report);
  if (way.key.value === "multipart") return readMultipart(way, value, report);
  return way.key.value === "raw" ? readRaw(way, value, report) : readJson(way, report);
}

function readForm({ value }: MapEntry, body: MapEntry["value"], report: Report): BodyModel {
  const written = textOf(valueOf(body, "style"));
  const style = formStyles.find((each) => each === written) ?? "brackets";
  const fields = readValue(value, { language: httpTemplates, report });
  if (
    fields.kind === "template"
      ? loneParameter(fields.template) === undefined
      : fields.kind !== "map"
  )
    report.add({
      code: "http/bad-body",
      span: value.span,
      message: "the form has neither fields by name nor one parameter that holds them",
      help: 'write `form: { name: "{name}" }`, or `form: "{fields}"` for a parameter that is an object',
    });
  return { kind: "form", fields, style, span: value.span };
}

function readRaw({ key, value }: MapEntry, body: MapEntry["value"], report: Report): BodyModel {
  const type = valueOf(body, "type");
  const content: ScalarModel<"caller"> =
    value.kind === "scalar"
      ? readScalar(value, { language: httpTemplates, report })
      : { kind: "literal", value: "", span: value.span };
  const read = type?.kind === "scalar" ? readMediaType(type, report) : undefined;
  return { kind: "raw", content, ...(read && { type: read }), span: key.span };
}
