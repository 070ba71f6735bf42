/**
 * Masks secrets in descriptions. Examples often contain keys, real or not. The compiler rejects
 * them, because they would be committed and shown to models.
 */
import { knownSecrets } from "../../../compiler/check/plaintext.js";
import { quote } from "../../../core/names.js";
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
    const secrets = await knownSecrets({ path, text });
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
