import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { propertyNames } from "../../../schema/look-up.js";
import type { Misfit } from "../../../schema/misfit.js";
import { isSpeltAlike } from "../../../schema/misfits-object.js";
import { nearestName, suggestion } from "../../../schema/suggestion.js";
import { literalText, loneParameter } from "../../text-template.js";
import type { ValueNode } from "../../values/model.js";
import type { MessageSchema } from "../message-schema.js";
import { nameOf, placeOf, typeAt } from "./field-words.js";
import { nodeAt, type Path, type Written } from "./node-at.js";
import { partThatMayBeAbsent } from "./written-schema.js";

/** A message as its author wrote it, and its schema. */
export interface WrittenMessage {
  readonly node: ValueNode;
  readonly span: Span;
  readonly schema: MessageSchema;
  /** False without `message`, when every parameter is a field of its name. */
  readonly isListed: boolean;
  readonly tool: ToolModel;
}

/** Reports what of a message its schema can't take, where it was written. */
export function reportMisfits(
  found: readonly Misfit[],
  message: WrittenMessage,
  report: Report,
): void {
  for (const misfit of found) {
    const at = nodeAt(message, misfit.path);
    const [last] = at.inside;
    if (misfit.kind === "unknown" && at.inside.length === 0)
      reportUnknown(misfit.path, at, message, report);
    else if (misfit.kind === "absent" && at.inside.length === 0)
      reportAbsent(misfit.path, at, message, report);
    else if (misfit.kind === "missing" && at.node.kind === "map" && at.inside.length === 1)
      reportMissing(misfit.path, String(last), { at, found, message }, report);
    else reportValue(misfit, at, message, report);
  }
}

function reportUnknown(path: Path, at: Written, message: WrittenMessage, report: Report): void {
  const { schema } = message;
  const around = path.slice(0, -1);
  const name = String(path.at(-1));
  const names = propertyNames(schema.json, around, "stated");
  report.add({
    code: "queue/unknown-field",
    span: at.entry?.span ?? at.span,
    message: names.includes(name)
      ? `${nameOf(schema, around)} has no form with ${quote(name)} and all that stands beside it`
      : `${nameOf(schema, around)} has no field ${quote(name)}`,
    help: fieldHelp(name, names, message.isListed),
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

/** An optional parameter leaves its field out: only one that may be absent can take it. */
function reportAbsent(path: Path, at: Written, message: WrittenMessage, report: Report): void {
  const { schema, tool } = message;
  const part = partThatMayBeAbsent(tool, at.node);
  if (part === undefined) return;
  report.add({
    code: "queue/optional-field",
    span: part.span,
    message: `${quote(part.path.join("."))} may be absent, and ${nameOf(schema, path)} is required`,
    help: `make it required, give it a \`default\`, or make \`${shown(String(path.at(-1)))}\` optional in the schema`,
    related: placeOf(schema, path),
  });
}

function reportMissing(
  path: Path,
  name: string,
  { at, found, message }: { at: Written; found: readonly Misfit[]; message: WrittenMessage },
  report: Report,
): void {
  const { isListed, schema } = message;
  if (isMisspelt(path, name, found)) return;
  report.add({
    code: "queue/missing-field",
    span: at.entry?.span ?? at.span,
    message: `${nameOf(schema, path)} is required, and the message has none`,
    help: isListed
      ? `add \`${shown(name)}: …\``
      : `declare a parameter ${quote(name)}, or write \`message\``,
    related: placeOf(schema, path),
  });
}

/** One that is spelt nearly right is reported as unknown. */
function isMisspelt(path: Path, name: string, found: readonly Misfit[]): boolean {
  const around = path.slice(0, -1).join("\0");
  return found.some(({ kind, path: other }) => {
    if (kind !== "unknown" || other.slice(0, -1).join("\0") !== around) return false;
    const written = String(other.at(-1));
    return isSpeltAlike(written, name) || nearestName(written, [name]) !== undefined;
  });
}

function reportValue(misfit: Misfit, at: Written, message: WrittenMessage, report: Report): void {
  const { schema } = message;
  const { fit, given, help, path, wanted } = helpedBy(misfit, at, typeAt(schema, misfit.path));
  const inside = at.inside.length === 0 ? "" : ` at ${quote(at.inside.join("."))}`;
  const whose = subjectOf(at.node);
  // What is written is so; only what is passed may be.
  const type = isWritten(at) ? /^may be (an? .+)$/.exec(given)?.[1] : undefined;
  const fact = type === undefined ? `${whose}${inside} ${given}` : `${typeless(whose)} is ${type}`;
  report.add({
    code: fit === "no" ? "queue/field-type" : "queue/field-may-not-fit",
    span: at.span,
    message: `${fact}, and ${nameOf(schema, path)} ${wanted}`,
    ...(help !== undefined && { help }),
    related: placeOf(schema, path),
  });
}

function isWritten({ inside, node }: Written): boolean {
  return (
    inside.length === 0 && (node.kind !== "template" || loneParameter(node.template) === undefined)
  );
}

/** What is told its type needs no other noun. */
function typeless(subject: string): string {
  return subject.startsWith("this") ? "this" : subject;
}

function subjectOf(node: ValueNode): string {
  if (node.kind === "list") return "this list";
  if (node.kind === "map") return "this object";
  if (node.kind === "literal" || literalText(node.template) !== undefined) return "this value";
  const alone = loneParameter(node.template);
  return alone === undefined ? "the text" : quote(alone.path.join("."));
}

function helpedBy(misfit: Misfit, at: Written, type: string | undefined): Misfit {
  const wanted =
    // The pattern of all 64-bit integers would fill the screen.
    isLong(type) && misfit.wanted.startsWith("takes text")
      ? "takes an integer, or its digits"
      : misfit.wanted;
  const help = helpOf(misfit, at, type);
  const { help: _, ...others } = misfit;
  return { ...others, wanted, ...(help !== undefined && { help }) };
}

/** Avro's name, and Protobuf's. */
function isLong(type: string | undefined): boolean {
  return type !== undefined && /^(?:long|[su]?int64|s?fixed64)$/.test(type);
}

function helpOf(
  { given, help }: Misfit,
  { node }: Written,
  type: string | undefined,
): string | undefined {
  if (node.kind === "literal") return undefined;
  if (node.kind === "template" && loneParameter(node.template) === undefined)
    return literalText(node.template) === undefined
      ? "let one parameter hold the whole value"
      : undefined;
  return isLong(type) && given === "may be any text"
    ? "declare `type: integer`, or write `pattern: '^[0-9]{1,18}$'`"
    : help;
}
