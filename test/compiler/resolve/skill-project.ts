import { posix } from "node:path";
import { createRegistry, type KindRegistry } from "../../../src/bindings/registry.js";
import { checkDiagnosticEntries } from "../../../src/compiler/check/diagnostics.js";
import { checkSkill } from "../../../src/compiler/check/check-skill.js";
import { checkTogether } from "../../../src/compiler/check/check-together.js";
import { metadataNames } from "../../../src/compiler/skill-folders.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { parseJson } from "../../../src/compiler/parse/parse-json.js";
import { parseSkill } from "../../../src/compiler/parse/parse-skill.js";
import { resolveDiagnosticEntries } from "../../../src/compiler/resolve/diagnostics.js";
import { resolveSkill } from "../../../src/compiler/resolve/resolve-skill.js";
import type { DiagnosticEntries, ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import type { Diagnostic } from "../../../src/core/diagnostic.js";
import { createReport } from "../../../src/core/report.js";
import type { SkillModel } from "../../../src/core/skill-model.js";
import type { SkillSyntax } from "../../../src/core/skill-syntax.js";
import { schemaDiagnosticEntries } from "../../../src/schema/diagnostics.js";

export interface Outcome {
  readonly skills: readonly SkillModel[];
  readonly diagnostics: readonly Diagnostic[];
  /**
   * `path:line:column-column severity code: message (help)` for each diagnostic, in source order.
   */
  readonly lines: readonly string[];
}

interface Stages {
  readonly check: boolean;
  readonly kinds: KindRegistry;
}

/** Parses and resolves all skills of a project in memory. */
export async function resolveProject(
  files: ProjectFiles,
  kinds = createRegistry(),
): Promise<Outcome> {
  return run(files, { check: false, kinds });
}

/** Parses, resolves and checks all skills of a project in memory. */
export async function checkedProject(
  files: ProjectFiles,
  kinds = createRegistry(),
): Promise<Outcome> {
  return run(files, { check: true, kinds });
}

/**
 * Makes a project with the skill `skills/desk`. The lines follow its name and description in the
 * front matter.
 */
export function desk(...lines: readonly string[]): ProjectFiles {
  const text = [
    "---",
    "name: desk",
    "description: Looks after orders.",
    ...lines,
    "---",
    "",
    "# Desk",
    "",
  ];
  return { "skills/desk/SKILL.md": text.join("\n") };
}

async function run(files: ProjectFiles, { check, kinds }: Stages): Promise<Outcome> {
  const stages = [
    parseDiagnosticEntries,
    schemaDiagnosticEntries,
    resolveDiagnosticEntries,
    checkDiagnosticEntries,
  ];
  const entries: DiagnosticEntries = Object.assign(
    {},
    ...stages,
    ...kinds.all.map((kind) => kind.diagnostics),
  );
  const report = createReport(entries);
  const parsed = syntaxesOf(files, report);
  const skills: SkillModel[] = [];
  for (const syntax of parsed) {
    const skill = resolveSkill(syntax, {
      kinds,
      readTree: (path, within) =>
        files[path] === undefined ? undefined : parseJson({ path, text: files[path] }, within),
      readFile: (path) => (files[path] === undefined ? undefined : { path, text: files[path] }),
      paths: () => Object.keys(files),
      skillsFolder: "skills",
      report,
    });
    if (skill === undefined) continue;
    skills.push(skill);
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
    const own = sources.filter(({ path }) => path.startsWith(`${syntax.folder}/`));
    if (check) await checkSkill(skill, { kinds, syntax, isLinked: false, sources: own, report });
  }
  if (check) checkTogether(skills, report);
  const diagnostics = report.diagnostics();
  return { skills, diagnostics, lines: diagnostics.map((each) => lineOf(each, files)) };
}

function syntaxesOf(
  files: ProjectFiles,
  report: ReturnType<typeof createReport>,
): readonly SkillSyntax[] {
  return Object.entries(files).flatMap(([path, text]) => {
    if (posix.basename(path) !== "SKILL.md") return [];
    const folder = posix.dirname(path);
    const beside = metadataNames.map((name) => `${folder}/${name}`);
    const [metadataFile] = beside.flatMap((each) => {
      const metadata = files[each];
      return metadata === undefined ? [] : { path: each, text: metadata };
    });
    return parseSkill(folder, { path, text }, metadataFile, report) ?? [];
  });
}

function lineOf({ span, severity, code, message, help }: Diagnostic, files: ProjectFiles): string {
  const text = files[span.file] ?? "";
  const before = text.slice(0, span.start);
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n");
  const place = `${span.file}:${line}:${column}-${column + span.end - span.start}`;
  return `${place} ${severity} ${code}: ${message}${help === undefined ? "" : ` (${help})`}`;
}

/** Returns the lines without the common folder. Leaves out diagnostics about portability. */
export function faults({ lines }: Outcome): readonly string[] {
  return lines
    .filter((line) => !line.includes(" skill/not-portable: "))
    .map((line) => line.replace(/^skills\/desk\//, ""));
}
