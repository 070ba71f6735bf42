import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import type { CheckedMessage } from "./checked-message.js";
import { placeOf } from "./field-words.js";
import { nodeAt } from "./node-at.js";
import { subjectOf } from "./report-value.js";

/** Two fields of which a message has one at most, written side by side or always there in a parameter. */
export function reportExclusive(mismatch: Mismatch, message: CheckedMessage, report: Report): void {
  const { beside = "", given, path, wanted } = mismatch;
  const around = path.slice(0, -1);
  const [first, second] = [nodeAt(message, [...around, beside]), nodeAt(message, path)];
  const code = "queue/exclusive-fields";
  const isWritten = first.inside.length === 0 && second.inside.length === 0;
  if (isWritten && first.entry !== undefined && second.entry !== undefined)
    return report.add({
      code,
      span: second.entry.span,
      message: `${quote(String(path.at(-1)))} and ${quote(beside)} are both given, and ${wanted}`,
      help: "keep one of the two",
      related: [{ span: first.entry.span, message: "the other one" }],
    });
  const at = nodeAt(message, around);
  const inside = at.inside.length === 0 ? "" : ` at ${quote(at.inside.join("."))}`;
  report.add({
    code,
    span: at.span,
    message: `${subjectOf(at.node)}${inside} ${given}, and ${wanted}`,
    help: "require one of the two at most",
    related: placeOf(message.schema, around),
  });
}
