import type { NamedFiles } from "../../kit/binding.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { FileSettings } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import type { ReadSchemaContext } from "../../schema/read-schema.js";
import type { SchemaFiles } from "../../schema/schema-files.js";

/** Context for resolving a skill. */
export interface ResolveContext {
  readonly kinds: KindRegistry;
  /**
   * Parses a file below the skills folder; `path` is relative to the project root. Undefined if it
   * doesn't exist or, with a report, can't be parsed.
   */
  readonly readTree: (path: string, report: Report) => SyntaxNode | undefined;
  /** Returns a file below the skills folder; undefined if it doesn't exist. */
  readonly readFile: (path: string) => SourceFile | undefined;
  /**
   * Returns the paths of all files below the skills folder, for suggestions. Absent if they are
   * unknown.
   */
  readonly paths?: () => Iterable<string>;
  /** Diagnostic for an existing file that could not be read; undefined for any other. */
  readonly whyUnread?: (path: string) => UnratedDiagnostic | undefined;
  /**
   * Path of the skills folder relative to the project root, with `/`. `.` or empty for the root
   * itself.
   */
  readonly skillsFolder: string;
  /** Settings of the project for files that calls send. */
  readonly fileSettings?: FileSettings;
  /** Files with schemas that tools share. Absent if each tool gets copies. */
  readonly schemaFiles?: SchemaFiles;
  readonly report: Report;
}

/**
 * Context of one skill, or of a tool. Files are named relative to the skill's folder, and missing
 * files are reported.
 */
export interface SkillContext {
  readonly kinds: KindRegistry;
  /** Folder of the skill, relative to the project root. */
  readonly folder: string;
  readonly files: SkillFiles;
  readonly fileSettings?: FileSettings;
  readonly schemaFiles?: SchemaFiles;
  /** True if the `risk_level` of the tool, or of its skill, is the word `read`. */
  readonly isReadByRisk?: boolean;
  /** Form of 64-bit integers, as the tool or its skill states. */
  readonly int64?: "string";
  readonly report: Report;
}

/** Files below the skills folder. */
export interface SkillFiles extends NamedFiles {
  /** Files in the skill's own folder. */
  readonly own: NamedFiles;
}

/** Context to read the schemas of a skill. */
export function schemaReading({
  files,
  folder,
  int64,
  report,
  schemaFiles,
}: SkillContext): ReadSchemaContext {
  return {
    readFile: files.readTree,
    report,
    folder,
    ...(schemaFiles && { files: schemaFiles }),
    ...(int64 && { int64 }),
  };
}
