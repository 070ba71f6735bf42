import type { Report } from "../core/report.js";
import type { CredentialUse } from "../core/skill-model.js";
import type { SyntaxNode } from "../core/syntax-node.js";
import { forEditors } from "../schema/editor-marks.js";
import { textNode } from "./text-template.js";

/** Matches `${NAME}`, with blanks around it. */
const connection = /^\s*\$\{([A-Za-z_]\w*)\}\s*$/;

/** Schema of a connection for editors. */
export const connectionForEditors = forEditors({ pattern: connection.source });

/**
 * Reads a connection: a single `${NAME}`. Undefined, with a report of `<kind>/bad-connection`, if
 * the text is anything else.
 *
 * @param example a name for help: `WAREHOUSE_URL`
 */
export function readConnection(
  node: SyntaxNode | undefined,
  { kind, example }: { readonly kind: string; readonly example: string },
  report: Report,
): CredentialUse | undefined {
  const text = textNode(node);
  if (text === undefined) return undefined;
  const name = connection.exec(text.value)?.[1];
  if (name !== undefined) return { name, span: text.span };
  const plain = /^\$?(?<name>[A-Z_][A-Z0-9_]*)$/.exec(text.value.trim())?.groups?.["name"];
  report.add({
    code: `${kind}/bad-connection`,
    span: text.span,
    message: "a connection must be a single `${NAME}`",
    help:
      plain === undefined
        ? `write the name of the setting that holds the URL, such as \`\${${example}}\``
        : `write \`\${${plain}}\``,
  });
  return undefined;
}
