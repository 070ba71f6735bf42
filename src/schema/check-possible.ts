import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import { isJsonObject, type JsonSchema } from "../core/json.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import { type NoValue, noteFitting, noValueHere, noValueOf } from "./compare/no-value.js";
import { certainOverlap } from "./compare/overlap.js";
import { below } from "./pointer.js";
import { childrenOf, type Subschema } from "./schema-tree.js";
import { spanOfKeyword, spanOfRequired, spanOfType } from "./schema-spans.js";

/**
 * Reports contradictions that leave the whole document without a value: bounds, listed values and
 * required parts that exclude each other. Returns false if it found one, because later checks would
 * report the same mistake again. Optional parts without a value get a warning.
 */
export function checkPossible(model: SchemaModel, report: Report): boolean {
  const root: Subschema = { schema: model.schema, pointer: "" };
  // An author writes `false` to allow no value.
  if (model.schema === false) return true;
  for (const { name, schema } of model.shared ?? [])
    noteFitting({ schema, pointer: below("", "$defs", name) }, model.schema);
  const reason = noValueOf(root, model.schema);
  if (reason !== undefined) {
    reportNoValue(reason, model, report);
    return false;
  }
  const parts = partsFromAll(model);
  for (const part of distinct(parts.flatMap(({ reasons }) => reasons)))
    reportPart(part, model, report);
  for (const part of distinct(parts.flatMap(({ overlaps }) => overlaps)))
    reportOverlap(part, model, report);
  return true;
}

function reportNoValue(reason: NoValue, model: SchemaModel, report: Report): void {
  const { beside = [], owner, path, problem } = reason;
  const name = path.findLast((each) => each !== "[]");
  const isRequired = owner !== undefined && name !== undefined;
  report.add({
    code: isRequired ? "schema/impossible-required" : "schema/no-value",
    span: spanOfKeyword({ model, pointer: reason.pointer }, reason.keyword),
    message: isRequired
      ? `${quote(name)} is required, and no value fits its schema: ${problem}`
      : `no value fits: ${problem}`,
    ...(isRequired && {
      help: `change the schema of ${quote(name)}, or leave it out of \`required\``,
      related: [
        {
          span: spanOfRequired({ model, pointer: owner }, name, reason.pointer),
          message: "it is required here",
        },
        ...beside.map((pointer) => ({
          span: spanOfType({ model, pointer }),
          message: "the value must fit this too",
        })),
      ],
    }),
  });
}

function reportPart(reason: NoValue, model: SchemaModel, report: Report): void {
  report.add({
    code: "schema/no-value-here",
    span: spanOfKeyword({ model, pointer: reason.pointer }, reason.keyword),
    message: `no value can fit here: ${reason.problem}`,
    help: "write `false` if that is intended",
  });
}

function reportOverlap({ pair, pointer }: Overlap, model: SchemaModel, report: Report): void {
  const [one, other] = pair.map((index) => index + 1);
  report.add({
    code: "schema/overlapping-alternatives",
    span: spanOfKeyword({ model, pointer }, "oneOf"),
    message: `a value can fit both alternative ${one} and alternative ${other}, and \`oneOf\` rejects such a value`,
    help: "write `anyOf`, or let the alternatives exclude each other, for example by a required property with another `const` in each",
  });
}

/** Results of the document and of each shared schema that it refers to. */
function partsFromAll(model: SchemaModel): readonly Parts[] {
  const { schema: root, shared = [] } = model;
  const byPointer = new Map(shared.map((each) => [below("", "$defs", each.name), each]));
  const parts = [partsFrom({ schema: root, pointer: "" }, root, byPointer)];
  const seen = new Set<string>();
  for (const { leadTo } of parts) {
    for (const pointer of leadTo) {
      const each = byPointer.get(pointer);
      if (each === undefined || seen.has(pointer)) continue;
      seen.add(pointer);
      const start = { schema: each.schema, pointer };
      const known = partsOfShared.get(each) ?? partsFrom(start, root, byPointer);
      partsOfShared.set(each, known);
      parts.push(known);
    }
  }
  return parts;
}

/** Returns one result for each place, even if several references lead to it. */
function distinct<Found extends { readonly pointer: string; readonly keyword?: string }>(
  all: readonly Found[],
): readonly Found[] {
  const places = new Set<string>();
  return all.filter(({ pointer, keyword }) => {
    const key = `${pointer} ${keyword ?? ""}`;
    return !places.has(key) && places.add(key);
  });
}

/** A `oneOf` with two alternatives that accept a common value. */
interface Overlap {
  readonly pointer: string;
  readonly pair: readonly [number, number];
}

/** Results for a document or a shared schema, without the shared schemas that it refers to. */
interface Parts {
  /** Contradictions in optional schemas. */
  readonly reasons: readonly NoValue[];
  readonly overlaps: readonly Overlap[];
  /** Pointers of the shared schemas that the document refers to. */
  readonly leadTo: ReadonlySet<string>;
}

/** Results of a shared schema are the same in every document. */
const partsOfShared = new WeakMap<SharedSchema, Parts>();

function partsFrom(
  start: Subschema,
  root: JsonSchema,
  shared: ReadonlyMap<string, SharedSchema>,
): Parts {
  const reasons: NoValue[] = [];
  const overlaps: Overlap[] = [];
  const leadTo = new Set<string>();
  const waiting: Subschema[] = [start];
  const seen = new Set<string>([start.pointer]);
  const reasonAt = noValueHere(root);
  for (const each of waiting) {
    const reason = each.schema === false ? undefined : reasonAt(each);
    if (reason !== undefined) {
      reasons.push(reason);
      continue;
    }
    const pair = isJsonObject(each.schema) ? certainOverlap(each.schema, root) : undefined;
    if (pair !== undefined) overlaps.push({ pointer: each.pointer, pair });
    for (const child of childrenOf(each, root)) {
      // Schemas under `not` or `if` may be impossible on purpose.
      if (tests.has(child.keyword) || seen.has(child.pointer)) continue;
      seen.add(child.pointer);
      if (shared.has(child.pointer)) leadTo.add(child.pointer);
      else waiting.push(child);
    }
  }
  return { reasons, overlaps, leadTo };
}

const tests: ReadonlySet<string> = new Set(["not", "if", "contains"]);
