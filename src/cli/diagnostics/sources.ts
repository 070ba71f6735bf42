import type { SourceFile } from "../../core/source-file.js";

/** Text of the files that diagnostics point into. */
export type Sources = ReadonlyMap<string, SourceFile>;
