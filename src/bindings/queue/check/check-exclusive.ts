import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { lookUp } from "../../../schema/look-up.js";
import type { ValueEntry, ValueNode } from "../../values/model.js";
import type { Path } from "./node-at.js";
import type { WrittenMessage } from "./report-misfits.js";
import { partThatMayBeAbsent } from "./written-schema.js";

/** Of the fields of which a message has one at most, no two are always given. */
export function checkExclusive(message: WrittenMessage, report: Report): void {
  if (message.schema.exclusive.length > 0) checkNode(message, message.node, [], report);
}

function checkNode(message: WrittenMessage, node: ValueNode, path: Path, report: Report): void {
  if (node.kind === "list")
    node.items.forEach((item, index) => checkNode(message, item, [...path, index], report));
  if (node.kind !== "map") return;
  checkEntries(message, node.entries, path, report);
  for (const { name, value } of node.entries) checkNode(message, value, [...path, name], report);
}

function checkEntries(
  { schema, tool }: WrittenMessage,
  entries: readonly ValueEntry[],
  path: Path,
  report: Report,
): void {
  const { schema: pointer } = lookUp(schema.json, path, "stated");
  for (const group of schema.exclusive.filter((each) => each.pointer === pointer)) {
    const certain = entries.filter(
      ({ name, value }) =>
        group.fields.includes(name) && partThatMayBeAbsent(tool, value) === undefined,
    );
    const [first, second] = certain;
    if (first === undefined || second === undefined) continue;
    report.add({
      code: "queue/exclusive-fields",
      span: second.span,
      message: `${quote(second.name)} and ${quote(first.name)} are both given, and ${quote(group.name)} is one of them at most`,
      help: "keep one of the two",
      related: [{ span: first.span, message: "the other one" }],
    });
  }
}
