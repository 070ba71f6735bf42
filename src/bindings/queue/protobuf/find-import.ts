import { posix } from "node:path";
import type { SourceFile } from "../../../core/source-file.js";
import type { ResolveInput } from "../../binding.js";
import type { ProtoFile } from "./proto-file.js";

/**
 * The file that an import means. Compilers of Protobuf are told the folder that imports start from; here it is the nearest folder above the importing file, its
 * own included, in which there is such a file. The last one is the skill's.
 */
export function findImport(
  name: string,
  { path, source }: ProtoFile,
  readFile: ResolveInput["readFile"],
): { readonly source: SourceFile; readonly path: string } | undefined {
  const found = foldersAbove(path).flatMap((folder) => {
    const candidate = posix.join(folder, name);
    const file = readFile(candidate);
    return file === undefined ? [] : [{ source: file, path: candidate }];
  });
  // No file means itself, if there is another that it may mean.
  return found.find((each) => each.source.path !== source.path) ?? found[0];
}

/** As the skill would name them. */
function foldersAbove(path: string): readonly string[] {
  const steps = posix.normalize(path).split("/").slice(0, -1);
  return [...steps.map((_, index) => steps.slice(0, steps.length - index).join("/")), "."];
}
