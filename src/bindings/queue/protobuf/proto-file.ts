import type { SourceFile } from "../../../core/source-file.js";
import type { Declaration, Declarations } from "./declarations.js";
import type { Token } from "./tokens.js";

/** A .proto file, and where things are in it. */
export interface ProtoFile {
  readonly source: SourceFile;
  /** As the skill would name it: relative to its folder. */
  readonly path: string;
  readonly tokens: readonly Token[];
  readonly outline: Declarations;
}

/** Where names of several files are declared. */
export type Places = ReadonlyMap<string, Place>;

export interface Place extends Declaration {
  readonly file: string;
}

/** By path; of a name that stands twice, the first. */
export function placesOf(files: readonly ProtoFile[]): Places {
  const places = new Map<string, Place>();
  for (const { outline, source } of files) {
    for (const each of outline.declared)
      if (!places.has(each.path)) places.set(each.path, { ...each, file: source.path });
  }
  return places;
}
