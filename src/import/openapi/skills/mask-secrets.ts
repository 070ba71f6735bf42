/**
 * Masks secrets in descriptions and examples, which often contain keys, real or not. The compiler
 * rejects them, because they would be committed and shown to models. A secret that a call sends,
 * such as a part of a path, stays: the request would mean something else without it. The compiler
 * then rejects the tool (`check-skills.ts`).
 */
import { knownSecrets } from "../../../compiler/check/plaintext.js";
import { parseTree } from "../../../compiler/parse/parse-json.js";
import { quote } from "../../../core/names.js";
import { collectDiagnostics } from "../../../core/report.js";
import type { SourceFile } from "../../../core/source-file.js";
import type { Span } from "../../../core/span.js";
import type { SyntaxNode } from "../../../core/syntax-node.js";
import type { SkillFiles } from "../../skills/print-files.js";
import type { Note } from "../note.js";
import type { DocumentLocation } from "../read/document.js";

/** Replaces each character of a secret by `x`; notes about masked secrets refer to `at`. */
export async function maskSecrets(
  files: SkillFiles,
  at: DocumentLocation,
): Promise<{ readonly files: SkillFiles; readonly notes: readonly Note[] }> {
  const masked = new Map<string, string>();
  const notes: Note[] = [];
  for (const [path, text] of files) {
    const secrets = inProse(await knownSecrets({ path, text }), { path, text });
    masked.set(
      path,
      secrets.reduce((now, { span: { end, start } }) => {
        const hidden = now.slice(start, end).replace(/\S/g, "x");
        return `${now.slice(0, start)}${hidden}${now.slice(end)}`;
      }, text),
    );
    if (secrets.length > 0)
      notes.push({
        code: "import/part-left-out",
        at,
        message: `${secrets.length === 1 ? "a text looks" : `${secrets.length} texts look`} like a secret, so the import writes \`xxx\` in ${quote(path)}`,
      });
  }
  return { files: masked, notes };
}

/** Selects the secrets in texts that only people and models read. */
function inProse<Secret extends { readonly span: Span }>(
  secrets: readonly Secret[],
  file: SourceFile,
): readonly Secret[] {
  if (secrets.length === 0 || file.path.endsWith(".md")) return secrets;
  const tree = parseTree(file, collectDiagnostics().report);
  return tree === undefined ? secrets : secrets.filter(({ span }) => isProse(tree, span));
}

const proseKey = /^(?:title|description|\$comment)$/;

function isProse(node: SyntaxNode, span: Span): boolean {
  if (node.kind === "list") return node.items.some((each) => isProse(each, span));
  if (node.kind === "scalar") return false;
  return node.entries.some(({ key, value }) => {
    if (value.span.start > span.start || span.end > value.span.end) return false;
    const { kind } = value;
    if (kind === "scalar" && proseKey.test(key.value)) return true;
    return (kind === "list" && key.value === "examples") || isProse(value, span);
  });
}
