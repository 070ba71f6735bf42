/** Finds texts that clients of the MCP server get, and that repeat a part of a binding. */
import type { McpSkill } from "@skillc/runtime/mcp";
import { capabilitiesOf } from "../bindings/capabilities.js";
import type { KindRegistry } from "../bindings/registry.js";
import type { UnratedDiagnostic } from "../core/diagnostic.js";
import type { LoweredSkill, LoweredTool } from "../core/lowered-skill.js";
import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { SourceFile } from "../core/source-file.js";
import type { Span } from "../core/span.js";
import { publishedSchema } from "../schema/as-published.js";
import type { Published } from "./compilation.js";

/** A part of a binding that no published text should repeat. */
interface Private {
  readonly text: string;
  /** Description for a message: "the credential". */
  readonly what: string;
}

/**
 * Reports links to files that are not published, and published texts that name a host or a
 * credential of a tool, or repeat a line of a binding. The texts stay as they are: their author
 * decides.
 *
 * @param sources texts of the project's files, by path
 */
export function reportPublished(
  lowered: readonly LoweredSkill[],
  { data, left }: Published,
  { kinds, sources }: { readonly kinds: KindRegistry; readonly sources: Sources },
  report: Report,
): void {
  for (const { path, problem, skill, span } of left)
    report.within({ skill }).add({
      code: "publish/file-left-out",
      span,
      message: `the skill links to ${quote(path)}, which ${problem}, so clients don't get the file`,
      help: "link to a file that may be published, or remove the link",
    });
  const names = lowered.flatMap(({ tools }) => tools.flatMap((tool) => privateNames(tool, kinds)));
  for (const each of lowered) {
    const skill = data.skills.find(({ name }) => name === each.skill.name);
    const within = report.within({ skill: each.skill.name });
    if (skill === undefined) continue;
    const lines = each.tools.flatMap((tool) => privateLines(tool, sources));
    const all = [...new Map([...names, ...lines].map((part) => [part.text, part])).values()];
    for (const found of mentionsIn(each, skill, all, sources)) within.add(found);
  }
}

type Sources = ReadonlyMap<string, SourceFile>;

function privateNames({ id, tool }: LoweredTool, kinds: KindRegistry): readonly Private[] {
  const targets = capabilitiesOf(tool, id, kinds).map(({ capability }) => capability);
  const hosts = targets.flatMap((each) => /:\/\/([^/\s$]+)/.exec(each)?.[1] ?? []);
  return [
    ...tool.binding.credentials.map(({ name }) => ({ text: name, what: "the credential" })),
    ...hosts.map((text) => ({ text, what: "the host" })),
  ];
}

const bindingKey = /^["']?binding["']?\s*:/;

function privateLines({ tool }: LoweredTool, sources: Sources): readonly Private[] {
  const { span } = tool.binding;
  const { text = "" } = sources.get(span.file) ?? {};
  // The span of a tool without a binding is the tool's own.
  if (!bindingKey.test(text.slice(span.start, span.start + 16))) return [];
  const lines = bindingLines(text, span.start);
  return lines.filter(isTelling).map((text) => ({ text, what: "a line of a binding," }));
}

/**
 * Lines of a binding without their keys and quotes, such as those of a SQL statement.
 *
 * @param start offset of the key `binding`
 */
function bindingLines(text: string, start: number): readonly string[] {
  const [first = "", ...others] = text.slice(start).split(/\r\n|\n/);
  const indent = start - (text.lastIndexOf("\n", start - 1) + 1);
  const end = others.findIndex((line) => line.trim() !== "" && line.search(/\S/) <= indent);
  return [first, ...(end === -1 ? others : others.slice(0, end))].map((line) =>
    line
      .trim()
      .replace(/^(?:- )?(?:"?[\w.-]+"?:)?\s*["'|>]?/, "")
      .replace(/["']?,?$/, "")
      .trim(),
  );
}

/** One word, such as `GET`, may stand anywhere. */
function isTelling(line: string): boolean {
  return line.length >= 16 && /\s/.test(line);
}

function mentionsIn(
  { skill, tools }: LoweredSkill,
  { files }: McpSkill,
  all: readonly Private[],
  sources: Sources,
): readonly UnratedDiagnostic[] {
  const text = sources.get(skill.file)?.text ?? "";
  const body = { file: skill.file, text, from: text.length - skill.body.length };
  const linked = files
    .filter((file) => file.path !== "SKILL.md" && file.text !== undefined)
    .map((file) => ({ file: `${skill.folder}/${file.path}`, text: file.text ?? "", from: 0 }));
  return [
    ...[body, ...linked].flatMap((each) => all.flatMap((part) => inText(each, part))),
    ...all.flatMap((part) =>
      inWords(`the description of the skill`, skill.description, skill.span, part),
    ),
    ...tools.flatMap(({ tool }) => {
      const { description, parameters, returns, span } = tool;
      const schemas = [parameters, ...(returns ? [returns] : [])];
      const published = schemas.map((each) => publishedSchema(each, { id: "", form: "stated" }));
      const words = [description, ...published.map((each) => JSON.stringify(each))].join("\n");
      return all.flatMap((part) => inWords(`the tool ${quote(tool.name)}`, words, span, part));
    }),
  ];
}

/** Reports the first place in a file. */
function inText(
  { file, from, text }: { readonly file: string; readonly text: string; readonly from: number },
  part: Private,
): readonly UnratedDiagnostic[] {
  const start = placeOf(text, part.text, from);
  if (start === undefined) return [];
  return [mention("this text", { file, start, end: start + part.text.length }, part)];
}

function inWords(
  where: string,
  words: string,
  span: Span,
  part: Private,
): readonly UnratedDiagnostic[] {
  return placeOf(words, part.text, 0) === undefined ? [] : [mention(where, span, part)];
}

function mention(where: string, span: Span, { text, what }: Private): UnratedDiagnostic {
  return {
    code: "publish/names-binding",
    span,
    message: `clients get ${where}, which has ${what} ${quote(text)}`,
    help: "describe what the tool does; write notes for operators as comments in the front matter, or in a file that the skill doesn't link to",
  };
}

/** Offset of a whole word, or of a part that isn't one word; undefined if there is none. */
function placeOf(text: string, part: string, from: number): number | undefined {
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + part.length]];
    if (!/\w/.test(before) && !/\w/.test(after)) return at;
  }
  return undefined;
}
