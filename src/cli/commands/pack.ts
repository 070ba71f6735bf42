import type { McpSkill } from "@skillc/runtime/mcp";
import { existsSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileName } from "../../core/file-name.js";
import { didYouMeanOrListed } from "../../schema/suggestion.js";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { visible } from "../console/visible.js";
import { printDiagnostics, printDiagnosticsJson } from "../diagnostics/print-diagnostics.js";
import { plural } from "../diagnostics/summary.js";
import { CommandFailure, type ExitCode, exitCode, orSayWhatIsInTheWay } from "../exit.js";
import {
  packChanges,
  type PackChanges,
  type PackedFiles,
  packRecord,
} from "../output/packed-files.js";
import { writeFiles } from "../output/write-files.js";
import { completeWrites } from "../output/write-journal.js";
import { WriteFailure } from "../output/write-output.js";
import { mcpDataOf } from "../project/mcp-data.js";
import { projectRoot } from "../project/project-root.js";
import { createSession } from "./generate-once.js";

export interface PackOptions {
  readonly out: string;
  /** `true` for all skills. */
  readonly skill?: true | readonly string[];
  readonly json?: true;
}

/** Writes the skills as other programs get them. */
export async function pack(context: CommandContext, options: PackOptions): Promise<ExitCode> {
  const { io, out: colours } = context;
  const root = await projectRoot(context.directory);
  const found = await mcpDataOf(root, createSession(io).cacheFor({ root }));
  if (found.kind === "errors") {
    if (options.json === true) printDiagnosticsJson(context, found.compiled);
    else printDiagnostics(context, found.compiled);
    return exitCode.inputErrors;
  }
  const names = options.skill === true ? undefined : options.skill;
  const skills = chosen(found.data.skills, names);
  const folder = resolveFrom(context.directory, options.out);
  const changes = written(folder, skills, names !== undefined);
  const paths = [...changes.changed.keys()].filter((path) => path !== packRecord);
  if (options.json === true) {
    const nothing = { diagnostics: [], accepted: [], sources: new Map() };
    printDiagnosticsJson(context, nothing, {
      skills: skills.map(({ name }) => name),
      changed: paths,
      removed: changes.removed,
    });
  } else {
    const what = paths.length === 0 ? "up to date" : `${plural(paths.length, "file")} written`;
    const where = `${plural(skills.length, "skill")} → ${visible(options.out)}`;
    io.stdout.write(`${colours.green("✓")} ${where}: ${what}\n`);
  }
  return exitCode.fine;
}

function chosen(
  skills: readonly McpSkill[],
  names: readonly string[] | undefined,
): readonly McpSkill[] {
  if (names === undefined) return skills;
  const all = skills.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw CommandFailure.usage(
      `the project has no skill \`${visible(unknown)}\``,
      didYouMeanOrListed(unknown, all, "its skills are"),
    );
  return skills.filter(({ name }) => names.includes(name));
}

/** Writes all files of the skills, or none. */
function written(folder: string, skills: readonly McpSkill[], isPart: boolean): PackChanges {
  const files: PackedFiles = new Map(skills.flatMap(filesOf));
  const owners = new Set(skills.map(({ name }) => fileName(name)));
  // Without `--skill`, skills that are gone are removed.
  const isOwn = (path: string) => !isPart || owners.has(path.split("/")[0] ?? "");
  try {
    return orSayWhatIsInTheWay(() => {
      if (existsSync(folder)) completeWrites(folder, ".");
      const changes = packChanges(folder, files, isOwn);
      if (changes.changed.size > 0 || changes.removed.length > 0) writeFiles(folder, ".", changes);
      return changes;
    });
  } catch (error) {
    if (!(error instanceof WriteFailure)) throw error;
    const root = existsSync(folder) ? realpathSync(folder) : folder;
    const path = relative(root, error.path).split(sep).join("/");
    throw CommandFailure.input(`\`${visible(path)}\` can't be written`, "nothing was changed");
  }
}

function filesOf({ files, name }: McpSkill): readonly (readonly [string, Uint8Array])[] {
  return files.map(({ base64, path, text }) => [
    `${fileName(name)}/${path}`,
    text === undefined ? Buffer.from(base64 ?? "", "base64") : Buffer.from(text),
  ]);
}
