import { posix } from "node:path";
import type { Project } from "../core/project.js";
import type { SourceFile } from "../core/source-file.js";
import type { ParsedFile } from "./parse/parse-file.js";
import type { CompileThread } from "./compile-thread.js";
import { metadataNames } from "./skill-folders.js";

/** The file of a skill that says most, and what was made of it elsewhere. */
export interface ParsedMetadata {
  readonly file: SourceFile;
  readonly parsed: ParsedFile;
}

/**
 * Has the thread, which has nothing to print yet, parse what skills say. It gives back
 * each skill's once, and nothing where there is no thread.
 *
 * @param folders of the skills, in the order in which they are compiled. The first is not asked for:
 * it would be waited for
 */
export function parseAhead(
  folders: readonly string[],
  project: Pick<Project, "files">,
  { thread }: { readonly thread: Pick<CompileThread, "parse"> | undefined },
): (folder: string) => Promise<ParsedMetadata | undefined> {
  const asked = new Map<string, Promise<ParsedMetadata>>();
  for (const folder of folders.slice(1)) {
    const file = metadataIn(folder, project);
    if (file === undefined || thread === undefined) continue;
    const metadata = thread.parse(file).then((parsed) => ({ file, parsed }));
    // Told to who waits for it, which may be later, or nobody.
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
