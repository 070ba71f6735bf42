import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { isSpeltAlike } from "../../../schema/compare/compare-parts.js";
import { nearestName } from "../../../schema/suggestion.js";
import type { CheckedMessage } from "./checked-message.js";
import { nameOf, placeOf } from "./field-words.js";
import { nodeAt, type Path, type Written } from "./node-at.js";
import { partThatMayBeAbsent } from "./written-schema.js";

/** An optional parameter leaves its field out, and so does one that is null in a text: only a field that may be absent can take it. */
export function reportAbsent(
  path: Path,
  at: Written,
  { schema, tool }: CheckedMessage,
  report: Report,
): void {
  const absent = partThatMayBeAbsent(tool, at.node);
  if (absent === undefined) return;
  const { isNull, part } = absent;
  const why = isNull ? "is nullable, without it there is no text," : "may be absent,";
  const instead = isNull ? "don't let it be null" : "make it required, give it a `default`";
  report.add({
    code: "queue/optional-field",
    span: part.span,
    message: `${quote(part.path.join("."))} ${why} and ${nameOf(schema, path)} is required`,
    help: `${instead}, or make ${quote(String(path.at(-1)))} optional in the schema`,
    related: placeOf(schema, path),
  });
}

/** A field that a mapping of the author's lacks. */
export function reportMissing(
  mismatch: Mismatch,
  found: readonly Mismatch[],
  message: CheckedMessage,
  report: Report,
): void {
  const { path } = mismatch;
  const name = String(path.at(-1));
  const { entry, span } = nodeAt(message, path);
  if (isMisspelt(path, name, found)) return;
  report.add({
    code: "queue/missing-field",
    span: entry?.span ?? span,
    message: `${nameOf(message.schema, path)} is required, and the message has none`,
    help: message.isListed
      ? addHelp(name, mismatch.others ?? [])
      : `declare a parameter ${quote(name)}, or write \`message\``,
    related: placeOf(message.schema, path),
  });
}

/** Forms of a union that are named. */
const mostForms = 3;

function addHelp(name: string, others: readonly (readonly string[])[]): string {
  const add = (names: readonly string[]) =>
    names.map((each) => `\`${shown(each)}: …\``).join(" and ");
  const [first, ...rest] = others.slice(0, mostForms);
  if (first === undefined) return `add ${add([name])}`;
  const forms = [first, ...rest].map(add).join(", or ");
  return `add ${add([name])}; or, for another of its forms, ${forms}`;
}

/** One that is spelt nearly right is reported as unknown. */
function isMisspelt(path: Path, name: string, found: readonly Mismatch[]): boolean {
  const around = path.slice(0, -1).join("\0");
  return found.some(({ kind, path: other }) => {
    if (kind !== "unknown" || other.slice(0, -1).join("\0") !== around) return false;
    const written = String(other.at(-1));
    return isSpeltAlike(written, name) || nearestName(written, [name]) !== undefined;
  });
}
