import { quote } from "../core/names.js";
import { isJsonObject } from "../core/json.js";
import type { Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import { spanOfRequired, spanOfType } from "./blame.js";
import { intersect } from "./intersect-shapes.js";
import { partsOf } from "./look-up.js";
import { childrenOf, type ChildSchema, type Subschema, textsUnder } from "./schema-tree.js";
import { type Shapes, shapesOf } from "./shape-of-schema.js";
import { type Shape, unknown } from "./shape.js";

/**
 * Reports a required property that no value fits, where that leaves no value for the whole document. Nothing is said of a document that
 * is impossible for another reason.
 */
export function checkPossible(model: SchemaModel, report: Report): void {
  const shapes = shapesOf(model.schema, "stated");
  // Of other values than objects, `required` says nothing.
  if (partsOf(shapes.root, shapes).some(({ kind }) => kind !== "object")) return;
  const fault = impossibleProperty({ schema: model.schema, pointer: "" }, model, shapes);
  if (fault === undefined) return;
  const declared = fault.declared[0]?.pointer;
  report.add({
    code: "schema/impossible-required",
    span: spanOfRequired({ model, pointer: fault.owner }, fault.name, declared),
    message: `${quote(fault.name)} is required, and no value fits its schema: no value can ever fit`,
    help: `change the schema of ${quote(fault.name)}, or leave it out of \`required\``,
    related: fault.declared.map(({ pointer }) => ({
      span: spanOfType({ model, pointer }),
      message: "what it must fit",
    })),
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
