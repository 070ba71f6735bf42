import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { propertyNames } from "../../../schema/look-up.js";
import { isSpeltAlike } from "../../../schema/compare/compare-parts.js";
import { nearestName, suggestion } from "../../../schema/suggestion.js";
import type { CheckedMessage } from "./checked-message.js";
import { nameOf, placeOf } from "./field-words.js";
import type { Path, Written } from "./node-at.js";

/** A field that the schema has no place for. */
export function reportUnknown(
  path: Path,
  at: Written,
  { isListed, schema }: CheckedMessage,
  report: Report,
): void {
  const around = path.slice(0, -1);
  const name = String(path.at(-1));
  const names = propertyNames(schema.json, around, "stated");
  report.add({
    code: "queue/unknown-field",
    span: at.entry?.span ?? at.span,
    message: names.includes(name)
      ? `${nameOf(schema, around)} has no form with ${quote(name)} and all that stands beside it`
      : `${nameOf(schema, around)} has no field ${quote(name)}`,
    help: fieldHelp(name, names, isListed),
    related: placeOf(schema, around),
  });
}

function fieldHelp(name: string, names: readonly string[], isListed: boolean): string {
  if (names.includes(name)) return "keep the fields of one of its forms";
  const alike = names.find((each) => isSpeltAlike(each, name));
  if (alike !== undefined) return `write ${quote(alike)}: names are as the schema has them`;
  const near = nearestName(name, names);
  if (near !== undefined) return suggestion(near);
  if (isListed) return listed(names);
  return `${listed(names)}; list them under \`message\`, or write \`unused: [${shown(name)}]\``;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "it has none";
  return `it has ${names.slice(0, 12).map(quote).join(", ")}${names.length > 12 ? ", …" : ""}`;
}
