import { maxTemporaryBytes } from "@skillc/runtime/internal/file";
import { listed, quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { checkCoverage, factsOf } from "../../../kit/coverage.js";
import { checkFolder } from "../../../kit/folders.js";
import {
  literalText,
  loneParameter,
  loneValue,
  type ParameterPart,
} from "../../../kit/text-template.js";
import { typeWords } from "../../../kit/type-words.js";
import { betweenBracesIn } from "../../../kit/unused-parameters.js";
import {
  type CheckContext,
  doubtOf,
  isScalar,
  reportParameter,
} from "../../../kit/values/check-value.js";
import { compare } from "../../../schema/compare/compare.js";
import type { JsonType } from "../../../schema/look-up.js";
import { spanOfType } from "../../../schema/schema-spans.js";
import {
  dataSchemaOf,
  type FileConfig,
  type FileText,
  keysOf,
  type OptionModel,
  type OptionName,
  optionTypes,
  pathKeys,
} from "./model.js";

/** Checks the rules of file tools that need the whole tool. */
export function checkFile(tool: ToolModel, config: FileConfig, report: Report): void {
  const place: CheckContext = { kind: "file", json: "the content", tool, report };
  const { allowed, content, options, path, to } = config;
  const paths = [...(path ? [path] : []), ...(to ? [to] : [])];
  const texts = [...paths, ...(content ? [content] : [])];
  checkCoverage(
    tool,
    {
      kind: "file",
      references: tool.binding.references,
      roots: [callerRoot],
      whole: config.whole,
      sendsRest: false,
      betweenBraces: texts.flatMap(({ parts }) => betweenBracesIn(parts)),
    },
    report,
  );
  checkKeys(config, report);
  for (const each of paths) checkPath(place, each);
  if (content !== undefined) checkContent(place, content);
  for (const option of options) checkOption(place, option);
  for (const folder of allowed) checkFolder(place, folder);
  checkReturns(tool, config, report);
}

/** Checks that the binding has the keys of its operation, and no others. */
function checkKeys(config: FileConfig, report: Report): void {
  const { operation, span } = config;
  const { needs, takes } = keysOf[operation];
  const located = locatedKeys(config);
  const keys = [...located, ...config.keys];
  const wanted = operation === "temporary" ? [] : pathKeys;
  const names = new Set(keys.map(({ name }) => name));
  const isBase64 = names.has("content_b64");
  const own = [...needs, ...takes];
  for (const key of [...wanted, ...needs]) {
    if (names.has(key) || (key === "content" && isBase64)) continue;
    report.add({
      code: "file/missing-key",
      span,
      message: `the operation ${quote(operation)} needs the key ${quote(key)}`,
      help: `write ${quote(examples.get(key) ?? key)}`,
    });
  }
  for (const { name, span: at } of keys) {
    const isTwice = isBase64 && (name === "content" || name === "encoding") && own.includes(name);
    if ((own.includes(name) || wanted.includes(name)) && !isTwice) continue;
    report.add({
      code: "file/extra-key",
      span: at,
      message: isTwice
        ? `${quote(name)} contradicts \`content_b64\`, which is the content in base64`
        : `the operation ${quote(operation)} does not use ${quote(name)}`,
      help: isTwice
        ? "remove one of them"
        : own.length === 0
          ? "remove it"
          : `remove it; the operation's keys are ${listed(own.map(quote))}`,
    });
  }
}

/** Returns which of the keys `path` and `allowed_paths` the binding has. */
function locatedKeys({ allowed, path, span, usesTemporary }: FileConfig): FileConfig["keys"] {
  const [folder] = allowed;
  const hasFolder = folder !== undefined || usesTemporary === true;
  return [
    ...(path ? [{ name: "path", span: path.span }] : []),
    ...(hasFolder ? [{ name: "allowed_paths", span: folder?.span ?? span }] : []),
  ];
}

const examples: ReadonlyMap<string, string> = new Map([
  ["path", 'path: "{path}"'],
  ["allowed_paths", "allowed_paths: [./notes]"],
  ["content", 'content: "{text}"'],
  ["patch", 'patch: "{patch}"'],
  ["to", 'to: "{destination}"'],
]);

/** Checks the values in a path. The first may be a whole path, so it is text. */
function checkPath(place: CheckContext, text: FileText): void {
  for (const [index, part] of text.parts.entries()) {
    if (part.kind !== "parameter") continue;
    const isFit = (type: JsonType) => (index === 0 ? type === "string" : isScalar(type));
    const wanted = index === 0 ? "a path is text" : "a path holds only text, numbers and booleans";
    checkTypes(place, part, isFit, wanted);
    checkPresence(place, part, "this path needs a value");
  }
  if (literalText(text) !== "") return;
  place.report.add({
    code: "file/bad-path",
    span: text.span,
    message: "this path is empty",
    help: "write a path such as `./notes/{name}`",
  });
}

/** Checks the values in a content or a patch. */
function checkContent(place: CheckContext, text: FileText): void {
  checkText(place, text, "the content");
  for (const part of text.parts) {
    if (part.kind === "parameter") checkPresence(place, part, "the content needs a value");
  }
}

function checkText(place: CheckContext, text: FileText, where: string): void {
  const alone = loneValue(text);
  for (const part of text.parts) {
    if (part.kind === "credential")
      place.report.add({
        code: "file/credential-place",
        span: part.span,
        message: `${quote(`\${${part.name}}`)} is a credential or setting, which ${where} can't hold`,
        help: "write the text itself, or a parameter; paths and folders may contain settings",
      });
    if (part.kind !== "parameter") continue;
    const isFit = (type: JsonType) => (alone ? type === "string" : isScalar(type));
    const wanted = alone ? `${where} is text` : `${where} holds only text, numbers and booleans`;
    checkTypes(place, part, isFit, wanted);
  }
}

/** Checks a value that an option can have, or a parameter that gives one. */
function checkOption(place: CheckContext, { name, span, value }: OptionModel): void {
  if (value.kind === "literal") return checkSize(place, name, value);
  const { template } = value;
  const wanted = optionTypes[name];
  const part = loneParameter(template);
  if (part === undefined) {
    if (wanted === "string") return checkPattern(place, template);
    if (!template.whole) return;
    return place.report.add({
      code: "file/bad-option",
      span,
      message: `${quote(name)} is neither ${typeWords([wanted])} nor one parameter`,
      help: `write ${quote(exampleOf(name))}, or a parameter such as ${quote(`"{${name}?}"`)}`,
    });
  }
  checkTypes(place, part, (type) => type === wanted, `${quote(name)} is ${typeWords([wanted])}`);
  if (part.optional !== true)
    checkPresence(
      place,
      part,
      `${quote(name)} needs a value`,
      `write \`{${shownName(part)}?}\`, which leaves ${quote(name)} out; or give it a \`default\``,
    );
}

function exampleOf(name: OptionName): string {
  if (name === "size_bytes") return "16MiB";
  return optionTypes[name] === "boolean" ? "true" : "10";
}

/** Checks the size of a temporary folder. The schema has checked the other numbers. */
function checkSize(
  { report }: CheckContext,
  name: OptionName,
  { span, value }: Extract<OptionModel["value"], { readonly kind: "literal" }>,
): void {
  if (name !== "size_bytes" || Number(value) <= maxTemporaryBytes) return;
  report.add({
    code: "file/bad-option",
    span,
    message: `${quote(name)} is larger than a temporary folder can be`,
    help: "write `1GiB` at most",
  });
}

/** Checks a pattern of literal text and values. */
function checkPattern(place: CheckContext, template: FileText): void {
  checkText(place, template, "a pattern");
  for (const part of template.parts) {
    if (part.kind === "parameter") checkPresence(place, part, "this pattern needs a value");
  }
}

function checkTypes(
  place: CheckContext,
  part: ParameterPart,
  isFit: (type: JsonType) => boolean,
  wanted: string,
): void {
  const types = factsOf(place.tool, part)?.types ?? [];
  const odd = types.filter((type) => type !== "null" && !isFit(type));
  if (odd.length === 0) return;
  const fact = `may be ${typeWords(odd)}, but ${wanted}`;
  reportParameter(place, "bad-value", part, fact, "declare its `type`");
}

function checkPresence(
  place: CheckContext,
  part: ParameterPart,
  need: string,
  help = "make it required, or give it a `default`",
): void {
  const doubt = doubtOf(factsOf(place.tool, part));
  if (doubt !== undefined)
    reportParameter(place, "absent-value", part, `is ${doubt}, but ${need}`, help);
}

function shownName({ path }: ParameterPart): string {
  return shown(path.join("."));
}

function checkReturns({ returns }: ToolModel, config: FileConfig, report: Report): void {
  if (returns === undefined) return;
  const given = dataSchemaOf(config);
  const { schema } = returns;
  const all = compare({ schema: given, root: given }, { schema, root: schema });
  const first = all.find(({ fits }) => fits === "no");
  if (first === undefined) return;
  report.add({
    code: "file/returns-mismatch",
    span: spanOfType({ model: returns, pointer: "" }),
    message: `\`returns\` ${first.wanted}, but the operation ${quote(config.operation)} returns other data`,
    help: "remove `returns`: the operation gives the tool its type",
  });
}
