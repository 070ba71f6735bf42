import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import type { MapEntry, SyntaxNode } from "../../../core/syntax-node.js";
import type { ScalarEntry } from "../../values/model.js";
import { checkLiteralName, readScalar } from "../../values/read-value.js";
import { httpTemplates } from "../model.js";

/** The `query:` mapping; a list gives one entry for each item. */
export function readQuery(
  node: SyntaxNode | undefined,
  urlNames: readonly { readonly name: string; readonly span: Span }[],
  report: Report,
): readonly ScalarEntry[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap((entry) => {
    checkLiteralName(entry.key.value, entry.key.span, { language: httpTemplates, report });
    checkNotInUrl(entry, urlNames, report);
    const values = entry.value.kind === "list" ? entry.value.items : [entry.value];
    return values.flatMap((value) =>
      value.kind === "scalar"
        ? [
            {
              name: entry.key.value,
              span: entry.key.span,
              value: readScalar(value, { language: httpTemplates, report }),
            },
          ]
        : [],
    );
  });
}

function checkNotInUrl(
  { key }: MapEntry,
  urlNames: readonly { readonly name: string; readonly span: Span }[],
  report: Report,
): void {
  const twin = urlNames.find(({ name }) => name === key.value);
  if (twin === undefined) return;
  report.add({
    code: "http/query-key-twice",
    span: key.span,
    message: `\`${shown(key.value)}\` is in the URL's query too`,
    help: "keep one of the two",
    related: [{ span: twin.span, message: "the other one" }],
  });
}
