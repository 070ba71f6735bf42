import { fileKey } from "../../core/file-name.js";
import {
  functionName,
  isDeviceName,
  isOwnSkillName,
  isPlainName,
  isReservedWord,
  longestModelName,
  modelName,
  plainName,
  portableName,
  quote,
  skillAlias,
} from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SchemaModel, SkillModel, ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { stepsOf } from "../../schema/pointer.js";

/**
 * Checks the name of a skill. A skill with tools becomes a folder and an import. Without tools it
 * is only an entry of the catalog.
 */
export function checkSkillName(skill: SkillModel, report: Report): void {
  const named = skillNamed(skill);
  if (isOwnSkillName(skill.name))
    reportReserved(
      named,
      "is a name of skillc itself: models see tools of skillc under it",
      report,
    );
  else if (skill.tools.length > 0) checkName(named, skillAlias(skill.name), report);
}

/** Prepares a skill's name for the rules about names. */
export function skillNamed({ name, span }: SkillModel): Named {
  return { name, span, what: "skill", addition: "skill" };
}

/**
 * Checks that every tool of a skill can be a function, a file and a name for models, and that all
 * these names differ.
 */
export function checkToolNames(skill: SkillModel, report: Report): void {
  const others = seenNothing();
  for (const tool of skill.tools) {
    const within = report.within({ tool: tool.name });
    const addition = /[A-Za-z0-9]+/.exec(skill.name)?.[0].toLowerCase() ?? "tool";
    const named: Named = { name: tool.name, span: tool.span, what: "tool", addition };
    if (!checkName(named, functionName(tool.name), within)) continue;
    checkCollision(named, functionName(tool.name), others, within);
    checkModelName(skill, tool, within);
  }
}

function checkModelName(skill: SkillModel, tool: ToolModel, report: Report): void {
  const name = modelName(skill.name, tool.name);
  if (name.length <= longestModelName) return;
  const room = longestModelName - modelName(skill.name, "").length;
  report.add({
    code: "name/too-long",
    span: tool.span,
    message: `models would see the tool as ${quote(name)}, which has ${name.length} characters; at most ${longestModelName} are allowed`,
    help:
      room >= 3
        ? `shorten the tool's name to ${room} characters${shorter(tool.name, room)}`
        : `shorten the name of the skill ${quote(skill.name)}`,
  });
}

/** Shortens a name at a word boundary. */
function shorter(name: string, room: number): string {
  const cut = name.slice(0, room + 1);
  const end = Math.max(cut.lastIndexOf("-"), cut.lastIndexOf("_"));
  return end > 0 ? `, such as ${quote(cut.slice(0, end))}` : "";
}

/** A name in the author's file, and the kind of thing that it names. */
interface Named {
  readonly name: string;
  readonly span: Span;
  readonly what: "skill" | "tool";
  /** Word that makes a reserved name harmless if it is appended. */
  readonly addition: string;
}

/** Checks if a name works as a function name, a file name and a part of a model name. */
function checkName(
  { name, span, what, addition }: Named,
  identifier: string,
  report: Report,
): boolean {
  if (!isPlainName(name)) {
    // Other readers of skills have stricter rules for names than skillc.
    const better = free(what === "skill" ? portableName(name) : plainName(name), addition);
    report.add({
      code: "name/bad-characters",
      span,
      message: `the ${what} name ${quote(name)} has other characters than letters, digits, \`-\` and \`_\``,
      help: better === undefined ? "use ASCII letters and digits" : renameTo(better),
    });
    return false;
  }
  const reason = whyReserved(name, identifier);
  if (reason === undefined) return true;
  reportReserved({ name, span, what, addition }, reason, report);
  return false;
}

function reportReserved({ addition, name, span }: Named, reason: string, report: Report): void {
  const help = renameTo(`${name.replace(/__/g, "-")}-${addition}`);
  report.add({ code: "name/reserved", span, message: `${quote(name)} ${reason}`, help });
}

/** Returns the name, or the name with the addition if it is reserved. */
function free(name: string | undefined, addition: string): string | undefined {
  const isFree = name === undefined || whyReserved(name, functionName(name)) === undefined;
  return isFree ? name : `${name}-${addition}`;
}

function whyReserved(name: string, identifier: string): string | undefined {
  if (isReservedWord(identifier))
    return `would be the identifier \`${identifier}\`, which JavaScript reserves`;
  if (isDeviceName(name))
    return "is the name of a device on Windows, where no file can have this name";
  return undefined;
}

/** Names so far: the first of each identifier, and of each file name without letter case. */
interface Seen {
  readonly identifiers: Map<string, Named>;
  readonly files: Map<string, Named>;
}

export function seenNothing(): Seen {
  return { identifiers: new Map(), files: new Map() };
}

/** Reports a name that leads to the same identifier or file as an earlier one. */
export function checkCollision(named: Named, identifier: string, seen: Seen, report: Report): void {
  const file = fileKey(named.name);
  const sameIdentifier = seen.identifiers.get(identifier);
  const first = sameIdentifier ?? seen.files.get(file);
  if (first === undefined) {
    seen.identifiers.set(identifier, named);
    seen.files.set(file, named);
    return;
  }
  const clash =
    sameIdentifier === undefined ? "the same file on some file systems" : `\`${identifier}\``;
  report.add({
    code: "name/collision",
    span: named.span,
    message: `${quote(first.name)} and ${quote(named.name)} would both become ${clash}`,
    help: "rename one of the two: letter case and separators make no difference",
    related: [{ span: first.span, message: `${quote(first.name)} is here` }],
  });
}

function renameTo(name: string): string {
  return `rename it, for example to ${quote(name)}`;
}

/**
 * Reports property names that begin or end with a blank. Nobody sees the blank, so it is a mistake.
 */
export function checkPropertyNames({ parameters, returns }: ToolModel, report: Report): void {
  for (const model of [parameters, ...(returns ? [returns] : [])]) checkNames(model, report);
}

function checkNames({ places, shared = [] }: SchemaModel, report: Report): void {
  const blank = [places, ...shared.map((each) => each.places)].flatMap(blankNames);
  for (const { name, span } of blank) {
    report.add({
      code: "tool/blank-in-name",
      span,
      message: `the name of the property ${quote(name)} ${name.trimEnd() === name ? "begins" : "ends"} with a blank`,
      help: `name it ${quote(name.trim())}`,
    });
  }
}

type Places = SchemaModel["places"];
type BlankName = { readonly name: string; readonly span: Span };
const blankIn = new WeakMap<Places, readonly BlankName[]>();

function blankNames(places: Places): readonly BlankName[] {
  const known = blankIn.get(places) ?? findBlankNames(places);
  blankIn.set(places, known);
  return known;
}

function findBlankNames(places: Places): readonly BlankName[] {
  return Object.entries(places).flatMap(([pointer, span]) => {
    // Most names contain no blank.
    if (!/\s(?:$|\/)|\/\s/.test(pointer)) return [];
    const steps = stepsOf(pointer) ?? [];
    const name = steps.at(-1);
    const isBlank = steps.at(-2) === "properties" && name !== undefined && name.trim() !== name;
    return isBlank ? [{ name, span }] : [];
  });
}
