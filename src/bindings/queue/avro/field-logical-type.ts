import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import { isLogicalType } from "./logical-type.js";

/** Reports a logical type that stands beside a field's type: there it is an attribute of the field, which Avro gives no meaning. */
export function reportFieldsLogicalType(field: SyntaxNode, report: Report): void {
  const written = valueOf(field, "logicalType");
  const name = textOf(written);
  const type = valueOf(field, "type");
  if (written === undefined || name === undefined || !isLogicalType(name)) return;
  if (textOf(valueOf(type, "logicalType")) === name) return;
  report.add({
    code: "queue/ignored-logical-type",
    span: written.span,
    message: `${quote(name)} is ignored: it stands on the field, and belongs into its type`,
    help: `write \`"type": ${typeWith(name, type, field)}\``,
  });
}

/** The type as it was meant: of a union, the branch that is not null. */
function typeWith(name: string, type: SyntaxNode | undefined, field: SyntaxNode): string {
  if (type?.kind !== "list") return whole(name, type, field);
  const branches = type.items.map((item) =>
    textOf(item) === "null" ? '"null"' : whole(name, item, field),
  );
  return branches.length > 2 ? "[…]" : `[${branches.join(", ")}]`;
}

function whole(name: string, type: SyntaxNode | undefined, field: SyntaxNode): string {
  const below = textOf(type) ?? "";
  const numbers = ["precision", "scale"].flatMap((key) => {
    const value = valueOf(field, key);
    const number = value?.kind === "scalar" ? value.value : undefined;
    return typeof number === "number" ? [`"${key}": ${number}`] : [];
  });
  const base = /^\w{1,40}$/.test(below) ? `"${below}"` : "…";
  return `{ ${[`"type": ${base}`, `"logicalType": "${name}"`, ...numbers].join(", ")} }`;
}
