import { posix } from "node:path";
import type { SourceFile } from "./source-file.js";
import type { Span } from "./span.js";
import type { SyntaxNode } from "./syntax-node.js";

/** A skill's folder as read: its documents as trees, with no meaning given to any key. */
export interface SkillSyntax {
  /** Folder relative to the project root, with `/`: `skills/order-desk`. */
  readonly folder: string;
  /** SKILL.md or skill.md. */
  readonly file: SourceFile;
  /** Absent when the file has no front matter. */
  readonly frontMatter?: SyntaxNode;
  /** The Markdown after the front matter. */
  readonly body: { readonly text: string; readonly span: Span };
  /** The metadata.json or metadata.yaml beside it, if there is a readable one. */
  readonly metadata?: { readonly file: SourceFile; readonly root: SyntaxNode };
}

/** Name of the skill's metadata file; `metadata.yaml` if there is none. */
export function metadataNameOf({ metadata }: Pick<SkillSyntax, "metadata">): string {
  return metadata === undefined ? "metadata.yaml" : posix.basename(metadata.file.path);
}

/** The key of the block in which skills of another runtime have their settings. */
export const block = "owlclaw";
