import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { JsonSchema } from "../core/json.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import { type NoValue, noteFitting, noValueHere, noValueOf } from "./compare/no-value.js";
import { below } from "./pointer.js";
import { childrenOf, type Subschema } from "./schema-tree.js";
import { spanOfKeyword, spanOfRequired, spanOfType } from "./schema-spans.js";

/**
 * Reports what leaves no value for the whole document: bounds, lists of values and required parts
 * that exclude each other. False when it did: checks that go on from such a schema would tell the
 * same mistake again. Schemas of parts that may be left out are warned about.
 */
export function checkPossible(model: SchemaModel, report: Report): boolean {
  const root: Subschema = { schema: model.schema, pointer: "" };
  // `false` is how an author says that there is nothing.
  if (model.schema === false) return true;
  for (const { name, schema } of model.shared ?? [])
    noteFitting({ schema, pointer: below("", "$defs", name) }, model.schema);
  const reason = noValueOf(root, model.schema);
  if (reason !== undefined) {
    reportNoValue(reason, model, report);
    return false;
  }
  for (const part of partsThatMayBeLeftOut(model)) reportPart(part, model, report);
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
          message: "what it must fit too",
        })),
      ],
    }),
  });
}

function reportPart(reason: NoValue, model: SchemaModel, report: Report): void {
  report.add({
    code: "schema/no-value-here",
    span: spanOfKeyword({ model, pointer: reason.pointer }, reason.keyword),
    message: `no value can ever stand here: ${reason.problem}`,
    help: "write `false` where that is meant",
  });
}

/**
 * Reasons of schemas that need not be met, each where it lies: those that refer to it tell nothing
 * new.
 */
function partsThatMayBeLeftOut(model: SchemaModel): readonly NoValue[] {
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
  const places = new Set<string>();
  return parts
    .flatMap(({ reasons }) => reasons)
    .filter(({ pointer, keyword }) => {
      const key = `${pointer} ${keyword ?? ""}`;
      return !places.has(key) && places.add(key);
    });
}

/** Of a document, or of a shared schema, without the shared schemas that it refers to. */
interface Parts {
  readonly reasons: readonly NoValue[];
  /** Pointers of those. */
  readonly leadTo: ReadonlySet<string>;
}

/** What is said of a shared schema is the same in every document. */
const partsOfShared = new WeakMap<SharedSchema, Parts>();

function partsFrom(
  start: Subschema,
  root: JsonSchema,
  shared: ReadonlyMap<string, SharedSchema>,
): Parts {
  const reasons: NoValue[] = [];
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
    for (const child of childrenOf(each, root)) {
      // What nothing must fit, or fits only for a test, may be impossible on purpose.
      if (tests.has(child.keyword) || seen.has(child.pointer)) continue;
      seen.add(child.pointer);
      if (shared.has(child.pointer)) leadTo.add(child.pointer);
      else waiting.push(child);
    }
  }
  return { reasons, leadTo };
}

const tests: ReadonlySet<string> = new Set(["not", "if", "contains"]);
