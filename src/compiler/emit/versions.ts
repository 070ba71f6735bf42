import { anyText, type Code, code, ident, jsDoc } from "../../core/code.js";
import { checksumLines, checksumsOf, versionsFile } from "../../core/checksums.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { DraftFile, OutputFile } from "../../core/output.js";
import type { Emitter, PrintedProject } from "./emitter.js";
import { frameModule } from "./frame-module.js";

/** Name of the export with a skill's version, for its tools. */
export const skillVersionName = "skillVersion";

/** Emits versions.ts: checksums of printed files, and a skill's version. */
export const versionsEmitter: Emitter = {
  name: "versions",
  ofPrintedSkill: (lowered, files) => [skillVersions(lowered, files)],
  ofPrintedProject: (printed) => [projectVersions(printed)],
};

/**
 * Emits the skill's version and the checksums of its other files. If only the skill's text is
 * edited, no other file changes.
 *
 * @param files files of the skill's folder
 */
function skillVersions(lowered: LoweredSkill, files: readonly OutputFile[]): DraftFile {
  const doc = jsDoc(
    "Hash of what the skill says of itself: it stands in the record of every call.",
  );
  // The type omits the value, so that a new version changes no module that imports it.
  const version = anyText(lowered.tools[0]?.version.skill ?? "");
  const constant = code`${doc}export const ${ident(skillVersionName)}: string = ${version};\n\n`;
  const body = code`${constant}${checksums(lowered.folder, checksumsOf(files))}`;
  return draft(`${lowered.folder}/${versionsFile}`, lowered.skill.file, body);
}

/** Emits the checksums of the files that belong to no skill. */
function projectVersions({ checksums: known, source }: PrintedProject): DraftFile {
  return draft(versionsFile, source, code`export {};\n\n${checksums("", known)}`);
}

function checksums(folder: string, known: ReadonlyMap<string, string>): Code {
  return jsDoc(
    "Checksums of the files as they were written: an edit by hand is noticed by them. After a merge `skillc generate` writes these lines anew.",
    checksumLines(folder, known).join("\n"),
  );
}

function draft(path: string, source: string, body: Code): DraftFile {
  return {
    path,
    source,
    body: { kind: "typescript", code: frameModule(body, new Set([skillVersionName])) },
  };
}
