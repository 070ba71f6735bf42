import { posix } from "node:path";
import type { Project } from "../core/project.js";
import type { SourceFile } from "../core/source-file.js";
import type { ParsedFile } from "./parse/parse-file.js";
import type { Runner } from "./runner.js";
import { metadataNames } from "./skill-folders.js";

/** The main file of a skill, parsed in another thread. */
export interface ParsedMetadata {
  readonly file: SourceFile;
  readonly parsed: ParsedFile;
}

/**
 * Lets the runner parse the files of skills while it has nothing to print. Each skill's result is
 * returned once; undefined if the runner doesn't parse ahead.
 *
 * @param folders the skills in compilation order. The first is skipped, because the compiler would
 * have to wait for it
 */
export function parseAhead(
  folders: readonly string[],
  project: Pick<Project, "files">,
  runner: Pick<Runner, "parseAhead">,
): (folder: string) => Promise<ParsedMetadata | undefined> {
  const asked = new Map<string, Promise<ParsedMetadata>>();
  for (const folder of folders.slice(1)) {
    const file = metadataIn(folder, project);
    if (file === undefined) continue;
    const metadata = runner.parseAhead(file)?.then((parsed) => ({ file, parsed }));
    if (metadata === undefined) continue;
    // The error reaches a later caller that waits, if there is one.
    metadata.catch(() => undefined);
    asked.set(folder, metadata);
  }
  return async (folder) => {
    const found = asked.get(folder);
    asked.delete(folder);
    return found;
  };
}

function metadataIn(folder: string, { files }: Pick<Project, "files">): SourceFile | undefined {
  return metadataNames
    .map((name) => files.get(posix.join(folder, name)))
    .find((file) => file !== undefined);
}
