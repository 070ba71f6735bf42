/** Checks drafted skills with the compiler, before anything is written. */
import { parseTree } from "../../../compiler/parse/parse-json.js";
import { diagnoseWritten, writtenPath } from "../../../compiler/written-project.js";
import type { Diagnostic } from "../../../core/diagnostic.js";
import { collectDiagnostics } from "../../../core/report.js";
import { referencesIn, withReferring } from "../../again/references.js";
import { printYaml, type SkillFiles } from "../../skills/print-files.js";
import type { Operation } from "../model.js";
import type { BuiltApi, BuiltSkill, BuiltTool } from "./build-skills.js";

/** A built API with its printed files. */
interface PrintedApi {
  readonly built: Pick<BuiltApi, "skills">;
  readonly files: SkillFiles;
}

export interface CheckedSkill {
  readonly skill: BuiltSkill;
  /** Warnings that the skill or its tools may accept. */
  readonly warnings: readonly Diagnostic[];
  /** First problem of each operation that can't be a tool. */
  readonly faults: ReadonlyMap<Operation, Diagnostic>;
}

/**
 * Checks the skills whose files or schemas differ from those of an earlier check.
 *
 * @param before files of the earlier check
 */
export async function checkSkills(
  { built, files }: PrintedApi,
  before: SkillFiles,
): Promise<readonly CheckedSkill[]> {
  const isNew = (path: string): boolean => before.get(path) !== files.get(path);
  const hasNewSchema = [...files.keys()].some((path) => path.endsWith(".json") && isNew(path));
  const skills = built.skills.filter((each) => hasNewSchema || pathsOf(each).some(isNew));
  if (skills.length === 0) return [];
  const others = built.skills.filter((each) => !skills.includes(each));
  const known = new Set(others.flatMap(pathsOf));
  const texts = new Map([...files].filter(([path]) => !known.has(path)));
  const found = await diagnoseWritten(texts);
  return skills.map((skill) => {
    const diagnostics = found.filter((each) => isOf(skill, each));
    const faults = new Map<Operation, Diagnostic>();
    for (const each of diagnostics.filter(isFault))
      for (const operation of operationsWith(each, skill, files))
        if (!faults.has(operation)) faults.set(operation, each);
    const warnings = diagnostics
      .filter((each) => each.severity === "warning" && !isFault(each))
      .map((each) => ({ ...each, skill: skill.name }));
    return { skill, warnings, faults };
  });
}

/** Codes of warnings about values and credentials that a call would send to the wrong place. */
const unacceptable =
  /^(?:credential\/|governance\/|http\/(?:map-beside-names|default-sent-by-patch|credential-in-clear)$)/;

/** Checks for an error, or a warning that nobody but the author of a skill may accept. */
function isFault({ code, severity }: Diagnostic): boolean {
  return severity === "error" || (severity === "warning" && unacceptable.test(code));
}

function pathsOf({ name }: BuiltSkill): readonly string[] {
  return [`${name}/SKILL.md`, `${name}/metadata.yaml`];
}

/** Checks if a diagnostic names the skill, or is in one of its files. */
function isOf({ name }: BuiltSkill, { skill, span }: Diagnostic): boolean {
  return skill === undefined ? span.file.startsWith(`${writtenPath(name)}/`) : skill === name;
}

/** Operations whose tools have the problem: one tool, the users of a schema, or all. */
function operationsWith(
  { code, span, tool: named }: Diagnostic,
  { name, tools }: BuiltSkill,
  files: SkillFiles,
): readonly Operation[] {
  const metadata = `${name}/metadata.yaml`;
  const one = tools.filter((each) => each.name === named);
  const schemas = [...files.keys()].filter((path) => writtenPath(path) === span.file);
  const around = new Set(withReferring(schemas, files));
  const users = tools.filter(({ tool }) =>
    referencesIn(metadata, JSON.stringify(tool)).some((path) => around.has(path)),
  );
  const isUnread = span.file === writtenPath(metadata) && code.startsWith("parse/");
  const all = isUnread ? tools.filter(isUnreadable) : tools;
  const some = [one, users].find(({ length }) => length > 0) ?? all;
  return some.map(({ operation }) => operation);
}

/** Checks if the compiler can't even read the tool in a file of its own. */
function isUnreadable({ name, tool }: BuiltTool): boolean {
  const { diagnostics, report } = collectDiagnostics();
  parseTree({ path: "metadata.yaml", text: printYaml({ [name]: { tool } }, "") }, report);
  return diagnostics.length > 0;
}
