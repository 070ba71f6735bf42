import type { NamedFiles } from "../../kit/binding.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { FileSettings } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import type { ReadSchemaContext } from "../../schema/read-schema.js";
import type { SchemaFiles } from "../../schema/schema-files.js";

/** What resolving a skill needs beyond the skill itself. */
export interface ResolveContext {
  readonly kinds: KindRegistry;
  /**
   * A file below the skills folder as a tree; `path` is relative to the project root. Undefined
   * when there is none, or when it could not be parsed, which was reported then, to this report.
   */
  readonly readTree: (path: string, report: Report) => SyntaxNode | undefined;
  /** Such a file as it is; undefined when there is none. */
  readonly readFile: (path: string) => SourceFile | undefined;
  /** Paths of all such files, for suggestions; absent where they are not known. */
  readonly paths?: () => Iterable<string>;
  /** What to say of a file that is there and could not be read; undefined for any other. */
  readonly whyUnread?: (path: string) => UnratedDiagnostic | undefined;
  /**
   * Folder of the skills relative to the project root, with `/`; `.` or empty for the root itself.
   */
  readonly skillsFolder: string;
  /** The project's settings for files that calls send. */
  readonly fileSettings?: FileSettings;
  /** Files in which schemas stand that tools share; absent where each tool is to have copies. */
  readonly schemaFiles?: SchemaFiles;
  readonly report: Report;
}

/**
 * The context of one skill, or of a tool: files are named relative to the skill's folder, and their
 * absence is reported.
 */
export interface SkillContext {
  readonly kinds: KindRegistry;
  /** The skill's, relative to the project root. */
  readonly folder: string;
  readonly files: SkillFiles;
  readonly fileSettings?: FileSettings;
  readonly schemaFiles?: SchemaFiles;
  /** How integers of 64 bits travel, as the tool or its skill says. */
  readonly int64?: "string";
  readonly report: Report;
}

/** Files below the skills folder. */
export interface SkillFiles extends NamedFiles {
  /** Those of the skill's own folder. */
  readonly own: NamedFiles;
}

/** What schemas of a skill are read with. */
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
