import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import { type NoValue, noValueHere, noValueOf } from "./compare/no-value.js";
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
  const found: NoValue[] = [];
  const seen = new Set<string>();
  const waiting: Subschema[] = [{ schema: model.schema, pointer: "" }];
  const reasonAt = noValueOnce(model);
  for (const each of waiting) {
    if (seen.has(each.pointer)) continue;
    seen.add(each.pointer);
    const reason = each.schema === false ? undefined : reasonAt(each);
    if (reason !== undefined) found.push(reason);
    // What nothing must fit, or fits only for a test, may be impossible on purpose.
    const children = childrenOf(each, model.schema).filter(({ keyword }) => !tests.has(keyword));
    waiting.push(...(reason === undefined ? children : []));
  }
  const places = new Set<string>();
  return found.filter(({ pointer, keyword }) => {
    const key = `${pointer} ${keyword ?? ""}`;
    return !places.has(key) && places.add(key);
  });
}

const known = new WeakMap<object, { readonly reason: NoValue | undefined }>();

/** As `noValueHere`. What it says of a shared schema is the same in every document. */
function noValueOnce({ schema: root, shared = [] }: SchemaModel) {
  const reasonAt = noValueHere(root);
  const starts = new Set(shared.map(({ name }) => below("", "$defs", name)));
  return (at: Subschema): NoValue | undefined => {
    const { pointer, schema } = at;
    if (typeof schema !== "object" || starts.size === 0 || !pointer.startsWith("/$defs/"))
      return reasonAt(at);
    const end = pointer.indexOf("/", "/$defs/".length);
    if (!starts.has(end < 0 ? pointer : pointer.slice(0, end))) return reasonAt(at);
    const found = known.get(schema) ?? { reason: reasonAt(at) };
    known.set(schema, found);
    return found.reason;
  };
}

const tests: ReadonlySet<string> = new Set(["not", "if", "contains"]);
