import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { loneParameter } from "../../text-template.js";
import type { CheckedMessage } from "./checked-message.js";
import { branchesAt, nameOf, placeOf } from "./field-words.js";
import { nodeAt, type Path, type Written } from "./node-at.js";
import { subjectOf } from "./report-value.js";

/** The union that a mismatch comes from, when what is there names none of its branches, or more than one. */
export function unnamedUnion(
  { kind, path }: Mismatch,
  { schema }: CheckedMessage,
): { readonly path: Path; readonly names: readonly string[] } | undefined {
  for (let length = 0; length <= path.length; length += 1) {
    const around = path.slice(0, length);
    const names = branchesAt(schema, around);
    // A field that is absent names no branch, and need not.
    if (names === undefined || (length === path.length && kind !== "value")) continue;
    const isOfName = length + 1 === path.length && (kind === "missing" || kind === "unknown");
    if (isOfName || !names.includes(String(path[length]))) return { path: around, names };
  }
  return undefined;
}

export function reportBranch(
  { names, path }: { readonly path: Path; readonly names: readonly string[] },
  message: CheckedMessage,
  report: Report,
): void {
  const at = nodeAt(message, path);
  const inside = at.inside.length === 0 ? "" : ` at ${quote(at.inside.join("."))}`;
  report.add({
    code: "queue/ambiguous-union",
    span: at.span,
    message: `${subjectOf(at.node)}${inside} does not name one branch of ${nameOf(message.schema, path)}, and JSON doesn't tell them apart`,
    help: helpFor(names, at),
    related: placeOf(message.schema, path),
  });
}

/** Branches that are named. */
const mostNamed = 3;

function helpFor(names: readonly string[], { inside, node }: Written): string {
  const alone = node.kind === "template" ? loneParameter(node.template) : undefined;
  const value = alone === undefined || inside.length > 0 ? "…" : `"{${alone.path.join(".")}}"`;
  const forms = names.slice(0, mostNamed).map((name) => `\`{ ${shown(name)}: ${shown(value)} }\``);
  const verb = inside.length > 0 ? "declare it as" : "write";
  return `${verb} ${forms.join(" or ")}${names.length > mostNamed ? " or another" : ""}`;
}
