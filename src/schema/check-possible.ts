import { isJsonObject } from "../core/json.js";
import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import { spanOfKeyword, spanOfRequired, spanOfType } from "./blame.js";
import { type NoValue, noValueHere, noValueOf } from "./fit/no-value.js";
import { intersect } from "./intersect-shapes.js";
import { partsOf } from "./look-up.js";
import { childrenOf, type ChildSchema, type Subschema, textsUnder } from "./schema-tree.js";
import { type Shapes, shapesOf } from "./shape-of-schema.js";
import { type Shape, unknown } from "./shape.js";

/**
 * Reports what leaves no value for the whole document: bounds, lists of values and required parts that exclude each other. False when it did: checks that
 * go on from such a schema would tell the same mistake again. Schemas of parts that may be left out are warned about.
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
  const shapes = shapesOf(model.schema, "stated");
  // Of other values than objects, `required` says nothing.
  const fault = partsOf(shapes.root, shapes).some(({ kind }) => kind !== "object")
    ? undefined
    : impossibleProperty(root, model, shapes);
  if (fault !== undefined) {
    reportProperty(fault, model, report);
    return false;
  }
  for (const part of partsThatMayBeLeftOut(model)) reportPart(part, model, report);
  return true;
}

function reportNoValue(reason: NoValue, model: SchemaModel, report: Report): void {
  const { path, owner, problem } = reason;
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

/** Reasons of schemas that need not be met, each where it lies: those that refer to it tell nothing new. */
function partsThatMayBeLeftOut(model: SchemaModel): readonly NoValue[] {
  const found: NoValue[] = [];
  const seen = new Set<string>();
  const waiting: Subschema[] = [{ schema: model.schema, pointer: "" }];
  for (const each of waiting) {
    if (seen.has(each.pointer)) continue;
    seen.add(each.pointer);
    const reason = each.schema === false ? undefined : noValueHere(each, model.schema);
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

const tests: ReadonlySet<string> = new Set(["not", "if", "contains"]);

function reportProperty(fault: ImpossibleProperty, model: SchemaModel, report: Report): void {
  const declared = fault.declared[0]?.pointer;
  const required = spanOfRequired({ model, pointer: fault.owner }, fault.name, declared);
  report.add({
    code: "schema/impossible-required",
    span: declared === undefined ? required : spanOfType({ model, pointer: declared }),
    message: `${quote(fault.name)} is required, and no value fits its schema: no value can ever fit`,
    help: `change the schema of ${quote(fault.name)}, or leave it out of \`required\``,
    related: [
      ...(declared === undefined ? [] : [{ span: required, message: "it is required here" }]),
      ...fault.declared.slice(1).map(({ pointer }) => ({
        span: spanOfType({ model, pointer }),
        message: "what it must fit too",
      })),
    ],
  });
}
interface ImpossibleProperty {
  readonly name: string;
  /** Pointer of the schema that requires it. */
  readonly owner: string;
  /** Its own schemas. */
  readonly declared: readonly ChildSchema[];
}

/** The innermost property to blame: of `address`, which requires `zip`, which nothing fits, that is `zip`. */
function impossibleProperty(
  at: Subschema,
  model: SchemaModel,
  shapes: Shapes,
  seen: ReadonlySet<string> = new Set(),
): ImpossibleProperty | undefined {
  if (seen.has(at.pointer)) return undefined;
  const together = alwaysApplied(at, model);
  const declared = together.flatMap((each) =>
    childrenOf(each, model.schema).filter(({ keyword }) => keyword === "properties"),
  );
  for (const owner of together) {
    const names = isJsonObject(owner.schema) ? textsUnder(owner.schema, "required") : [];
    for (const name of names) {
      const own = declared.filter(({ key }) => key === name);
      const met = own.reduce<Shape>(
        (shape, each) => intersect(shape, shapes.at(each), shapes.context),
        unknown,
      );
      if (!isImpossible(met, shapes)) continue;
      const visited = new Set(seen).add(at.pointer);
      const inner = own
        .map((each) => impossibleProperty(each, model, shapes, visited))
        .find((each) => each !== undefined);
      return inner ?? { name, owner: owner.pointer, declared: own };
    }
  }
  return undefined;
}

/** The schema, and those that hold with it whatever the value. */
function alwaysApplied(at: Subschema, model: SchemaModel): readonly Subschema[] {
  const found = new Map<string, Subschema>([[at.pointer, at]]);
  for (const each of found.values()) {
    for (const child of childrenOf(each, model.schema)) {
      if (child.keyword === "allOf" || child.keyword === "$ref") {
        if (!found.has(child.pointer)) found.set(child.pointer, child);
      }
    }
  }
  return [...found.values()];
}

function isImpossible(shape: Shape, shapes: Shapes): boolean {
  return partsOf(shape, shapes).length === 0;
}
