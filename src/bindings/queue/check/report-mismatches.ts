import { stringify } from "yaml";
import type { RelatedSpan } from "../../../core/diagnostic.js";
import { getOwn, type JsonObject } from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { isSpeltAlike } from "../../../schema/compare/compare-parts.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { lookUp, propertyNames } from "../../../schema/look-up.js";
import { nearestName, suggestion } from "../../../schema/suggestion.js";
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import { literalText, loneValue, valueName } from "../../../kit/text-template.js";
import type { ValueEntry, ValueNode } from "../../../kit/values/model.js";
import type { MessageSchema } from "../message-schema.js";
import { partThatMayBeAbsent } from "./written-schema.js";

/**
 * Reports mismatches between a message and its schema, at the places where the message was written.
 */
export function reportMismatches(
  found: readonly Mismatch[],
  message: CheckedMessage,
  report: Report,
): void {
  const reported = new Set<string>();
  for (const mismatch of found) {
    const union = unnamedUnion(mismatch, message);
    if (union !== undefined) {
      const place = union.path.join("\0");
      if (!reported.has(place)) reportBranch(union, message, report);
      reported.add(place);
      continue;
    }
    const at = nodeAt(message, mismatch.path);
    if (mismatch.kind === "unknown" && at.inside.length === 0)
      reportUnknown(mismatch.path, at, message, report);
    else if (mismatch.kind === "absent" && at.inside.length === 0)
      reportAbsent(mismatch.path, at, message, report);
    else if (mismatch.kind === "missing" && at.node.kind === "map" && at.inside.length === 1)
      reportMissing(mismatch, found, message, report);
    else if (mismatch.kind === "exclusive") reportExclusive(mismatch, message, report);
    else reportValue(mismatch, at, message, report);
  }
}

/** Reports a value that a field can't take, or may not be able to take. */
function reportValue(
  mismatch: Mismatch,
  at: Written,
  { schema, tool }: CheckedMessage,
  report: Report,
): void {
  const { path } = mismatch;
  report.add({
    code: mismatchCodes.queue.value[mismatch.fits],
    span: at.span,
    message: `${factOf(mismatch, at)}, but ${fieldAndWish(mismatch, schema)}`,
    help: helpOf(mismatch, at, typeAt(schema, path), tool),
    related: schemaPlaceOf(schema, path),
  });
}

/**
 * Describes the given value. A problem with a name is described at the object that has the name.
 */
function factOf(mismatch: Mismatch, at: Written): string {
  const { given, kind, known } = mismatch;
  const whose = subjectOf(at.node);
  const place = kind === "unknown" || kind === "missing" ? at.inside.slice(0, -1) : at.inside;
  const inside = place.length === 0 ? "" : ` at ${quote(place.join("."))}`;
  const name = quote(String(at.inside.at(-1)));
  if (kind === "unknown") return `${whose}${inside} may have ${name}`;
  if (kind === "missing") return `${whose}${inside} declares no ${name}`;
  if (isPartlyKnown(at) && known?.kind === "any-text")
    return mismatch.fits === "no"
      ? "this text can't match, whatever its parameters are"
      : "skillc knows only a part of this text";
  return isWritten(at) ? asWritten(mismatch, at) : `${whose}${inside} ${given}`;
}

function fieldAndWish({ kind, path, wanted }: Mismatch, schema: MessageSchema): string {
  return kind === "unknown"
    ? `${fieldPhrase(schema, path.slice(0, -1))} has no such field`
    : `${fieldPhrase(schema, path)} ${wanted}`;
}

function isWritten({ inside, node }: Written): boolean {
  return (
    inside.length === 0 && (node.kind !== "template" || loneValue(node.template) === undefined)
  );
}

/** Describes a written value with "is" or "has". Passed values only may be so. */
function asWritten({ given, known }: Mismatch, at: Written): string {
  const subject = subjectOf(at.node);
  if (known?.kind === "type") return `this is ${known.words}`;
  return known?.kind === "size" ? `${subject} has ${known.words}` : `${subject} ${given}`;
}

function subjectOf(node: ValueNode<string>): string {
  if (node.kind === "list") return "this list";
  if (node.kind === "map") return "this object";
  const alone = node.kind === "template" ? loneValue(node.template) : undefined;
  return alone === undefined ? "this value" : quote(valueName(alone));
}

/** Suggests a change. Only a parameter has a schema that can be made stricter. */
function helpOf(
  { help, known, state }: Mismatch,
  { node }: Written,
  type: string | undefined,
  tool: ToolModel,
): string | undefined {
  if (node.kind !== "template") return undefined;
  if (literalText(node.template) !== undefined) return help;
  const alone = loneValue(node.template);
  if (alone === undefined) return "use one parameter for the whole value";
  if (alone.kind === "root")
    return "send a parameter there, or let the schema allow every name of a caller";
  if (state === undefined) return help;
  const { file } = tool.parameters.span;
  const write = `write ${keywordsAsWritten(state, file)}`;
  if (!isLong(type) || known?.kind !== "any-text") return write;
  return `declare ${keywordsAsWritten({ type: "integer" }, file)}, or ${write}`;
}

/** Matches Avro's and Protobuf's names of 64-bit integers. */
function isLong(type: string | undefined): boolean {
  return type !== undefined && /^(?:long|[su]?int64|s?fixed64)$/.test(type);
}

/**
 * Reports a parameter that may leave out a required field. An optional parameter leaves its field
 * out, and so does a nullable one inside a text.
 */
function reportAbsent(
  path: Path,
  at: Written,
  { schema, tool }: CheckedMessage,
  report: Report,
): void {
  const absent = partThatMayBeAbsent(tool, at.node);
  if (absent === undefined) return;
  const { isNull, part } = absent;
  const why = isNull ? "is nullable, and null in a text leaves out the field," : "may be absent,";
  const instead = isNull ? "remove null from its type" : "make it required, give it a `default`";
  report.add({
    code: "queue/optional-field",
    span: part.span,
    message: `${quote(valueName(part))} ${why} but ${fieldPhrase(schema, path)} is required`,
    help: `${instead}, or make ${quote(String(path.at(-1)))} optional in the schema`,
    related: schemaPlaceOf(schema, path),
  });
}

/** Reports a required field that the author's mapping lacks. */
function reportMissing(
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
    message: `${fieldPhrase(message.schema, path)} is required, but the message doesn't have it`,
    help: message.isListed
      ? addHelp(name, mismatch.others ?? [])
      : `declare a parameter ${quote(name)}, or write \`message\``,
    related: schemaPlaceOf(message.schema, path),
  });
}

/** Maximum number of union forms in a help text. */
const maxForms = 3;

function addHelp(name: string, others: readonly (readonly string[])[]): string {
  const add = (names: readonly string[]) =>
    names.map((each) => `\`${shown(each)}: …\``).join(" and ");
  const [first, ...rest] = others.slice(0, maxForms);
  if (first === undefined) return `add ${add([name])}`;
  const forms = [first, ...rest].map(add).join(", or ");
  return `add ${add([name])}; or, for another form, ${forms}`;
}

/** Returns whether a missing name is only misspelt; it is then reported as unknown. */
function isMisspelt(path: Path, name: string, found: readonly Mismatch[]): boolean {
  const around = path.slice(0, -1).join("\0");
  return found.some(({ kind, path: other }) => {
    if (kind !== "unknown" || other.slice(0, -1).join("\0") !== around) return false;
    const written = String(other.at(-1));
    return isSpeltAlike(written, name) || nearestName(written, [name]) !== undefined;
  });
}

/** Reports a field that the schema doesn't have. */
function reportUnknown(
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
      ? `${fieldPhrase(schema, around)} has no form with ${quote(name)} and all the fields beside it`
      : `${fieldPhrase(schema, around)} has no field ${quote(name)}`,
    help: fieldHelp(name, names, isListed),
    related: schemaPlaceOf(schema, around),
  });
}

function fieldHelp(name: string, names: readonly string[], isListed: boolean): string {
  if (names.includes(name)) return "keep the fields of one form";
  const alike = names.find((each) => isSpeltAlike(each, name));
  if (alike !== undefined) return `write ${quote(alike)}, exactly as in the schema`;
  const near = nearestName(name, names);
  if (near !== undefined) return suggestion(near);
  if (isListed) return listed(names);
  return `${listed(names)}; list them under \`message\`, or write \`unused: [${shown(name)}]\``;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "it has none";
  return `it has ${names.slice(0, 12).map(quote).join(", ")}${names.length > 12 ? ", …" : ""}`;
}

/**
 * Returns the union that causes a mismatch, if the value doesn't name exactly one of its branches.
 */
function unnamedUnion(
  { kind, path }: Mismatch,
  { schema }: CheckedMessage,
): { readonly path: Path; readonly names: readonly string[] } | undefined {
  for (let length = 0; length <= path.length; length += 1) {
    const around = path.slice(0, length);
    const names = branchesAt(schema, around);
    // An absent field need not name a branch.
    if (names === undefined || (length === path.length && kind !== "value")) continue;
    const isOfName = length + 1 === path.length && (kind === "missing" || kind === "unknown");
    if (isOfName || !names.includes(String(path[length]))) return { path: around, names };
  }
  return undefined;
}

function reportBranch(
  { names, path }: { readonly path: Path; readonly names: readonly string[] },
  message: CheckedMessage,
  report: Report,
): void {
  const at = nodeAt(message, path);
  const inside = at.inside.length === 0 ? "" : ` at ${quote(at.inside.join("."))}`;
  report.add({
    code: "queue/ambiguous-union",
    span: at.span,
    message: `${subjectOf(at.node)}${inside} does not name one branch of ${fieldPhrase(message.schema, path)}, but JSON can't tell the branches apart`,
    help: helpFor(names, at),
    related: schemaPlaceOf(message.schema, path),
  });
}

/** Maximum number of branches in a help text. */
const maxNamed = 3;

function helpFor(names: readonly string[], { inside, node }: Written): string {
  const alone = node.kind === "template" ? loneValue(node.template) : undefined;
  const value = alone === undefined || inside.length > 0 ? "…" : `"{${valueName(alone)}}"`;
  const forms = names.slice(0, maxNamed).map((name) => `\`{ ${shown(name)}: ${shown(value)} }\``);
  const verb = inside.length > 0 ? "declare it as" : "write";
  return `${verb} ${forms.join(" or ")}${names.length > maxNamed ? " or another" : ""}`;
}

/** Reports two fields that exclude each other: both are written, or a parameter always has both. */
function reportExclusive(mismatch: Mismatch, message: CheckedMessage, report: Report): void {
  const { beside = "", given, path, wanted } = mismatch;
  const around = path.slice(0, -1);
  const [first, second] = [nodeAt(message, [...around, beside]), nodeAt(message, path)];
  const code = "queue/exclusive-fields";
  const isWritten = first.inside.length === 0 && second.inside.length === 0;
  if (isWritten && first.entry !== undefined && second.entry !== undefined)
    return report.add({
      code,
      span: second.entry.span,
      message: `${quote(String(path.at(-1)))} and ${quote(beside)} are both given, but ${wanted}`,
      help: "keep one of the two",
      related: [{ span: first.entry.span, message: "the other one" }],
    });
  const at = nodeAt(message, around);
  const inside = at.inside.length === 0 ? "" : ` at ${quote(at.inside.join("."))}`;
  report.add({
    code,
    span: at.span,
    message: `${subjectOf(at.node)}${inside} ${given}, but ${wanted}`,
    help: "require at most one of the two",
    related: schemaPlaceOf(message.schema, around),
  });
}

/** Names a field, ``the field `total` (`long`)``, or the message. */
function fieldPhrase(schema: MessageSchema, path: Path): string {
  const type = typeAt(schema, path);
  const words = type === undefined ? "" : ` (\`${shown(type)}\`)`;
  return path.length === 0 ? `the message${words}` : `the field ${quote(path.join("."))}${words}`;
}

/** Returns the name of a field's type in the schema language. */
function typeAt(schema: MessageSchema, path: Path): string | undefined {
  const pointer = pointerTo(schema, path);
  return pointer === undefined ? undefined : getOwn(schema.types, pointer);
}

/** Returns the place of a field in the schema file, or that of the nearest object around it. */
function schemaPlaceOf(schema: MessageSchema, path: Path): readonly RelatedSpan[] {
  const { places, span } = schema.json;
  for (let length = path.length; length >= 0; length -= 1) {
    const pointer = pointerTo(schema, path.slice(0, length));
    const place =
      pointer !== undefined && Object.hasOwn(places, pointer) ? places[pointer] : undefined;
    if (place !== undefined) return [{ span: place, message: "the schema" }];
  }
  return [{ span, message: "the schema" }];
}

/** Returns the names of a union's branches, if its values have to name theirs. */
function branchesAt(schema: MessageSchema, path: Path): readonly string[] | undefined {
  const { branches = {} } = schema;
  const pointer = pointerTo(schema, path);
  return pointer !== undefined && Object.hasOwn(branches, pointer) ? branches[pointer] : undefined;
}

function pointerTo({ json }: MessageSchema, path: Path): string | undefined {
  return lookUp(json, path, "stated").schema;
}

export type Path = readonly (string | number)[];

/** The value that an author wrote at a path, or around it. */
export interface Written {
  readonly node: ValueNode<string>;
  /** Span of the value. */
  readonly span: Span;
  /** Absent for the message itself and for items of lists. */
  readonly entry?: ValueEntry<string>;
  /** The remaining steps of the path, inside a parameter. */
  readonly inside: Path;
}

/** @param root the message and its span */
function nodeAt(root: Pick<Written, "node" | "span">, path: Path): Written {
  const span = root.node.kind === "template" ? spanOf(root.node) : root.span;
  return path.reduce<Written>(stepInto, { node: root.node, span, inside: [] });
}

function stepInto(from: Written, step: string | number): Written {
  const { inside, node } = from;
  if (inside.length === 0 && node.kind === "map") {
    const entry = node.entries.find(({ name }) => name === step);
    if (entry !== undefined)
      return { node: entry.value, span: spanOf(entry.value), entry, inside: [] };
  }
  if (inside.length === 0 && node.kind === "list" && typeof step === "number") {
    const item = node.items[step];
    if (item !== undefined) return { node: item, span: spanOf(item), inside: [] };
  }
  return { ...from, inside: [...inside, step] };
}

function spanOf(node: ValueNode<string>): Span {
  if (node.kind !== "template") return node.span;
  return loneValue(node.template)?.span ?? node.template.span;
}

/** A message as its author wrote it, and its schema. */
export interface CheckedMessage {
  readonly node: ValueNode<string>;
  readonly span: Span;
  readonly schema: MessageSchema;
  /** False without `message`: every parameter is then a field with the parameter's name. */
  readonly isListed: boolean;
  readonly tool: ToolModel;
}

const inOneLine = {
  collectionStyle: "flow",
  flowCollectionPadding: false,
  singleQuote: true,
  lineWidth: 0,
  compat: "yaml-1.1",
} as const;

/**
 * Writes keywords as the file would have them: `type: string, format: date` in YAML, or JSON if the
 * file's name ends with `.json`.
 */
export function keywordsAsWritten(keywords: JsonObject, file: string): string {
  const text = file.endsWith(".json")
    ? Object.entries(keywords)
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
        .join(", ")
    : stringify(keywords, inOneLine).trim().slice(1, -1);
  return `\`${text}\``;
}

/** Returns whether a value is text around parameters. */
function isPartlyKnown({ inside, node }: Written): boolean {
  return (
    inside.length === 0 &&
    node.kind === "template" &&
    literalText(node.template) === undefined &&
    loneValue(node.template) === undefined
  );
}
