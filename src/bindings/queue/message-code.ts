import { code, type Code } from "../../core/code.js";
import type { SchemaModel } from "../../core/skill-model.js";
import { isAssignable, type ShapeIn } from "../../schema/assignable.js";
import { shapeAt } from "../../schema/look-up.js";
import { shapesOf } from "../../schema/shape-of-schema.js";
import { literalText, loneParameter } from "../text-template.js";
import type { Steps } from "../values/access.js";
import { type RequestScope, scalarCode, valueCode } from "../values/emit-value.js";
import type { ScalarModel, ValueNode } from "../values/model.js";
import { isHidden, typeToState } from "../values/scalar-type.js";
import type { MessageSchema } from "./message-schema.js";

/** The message as an object literal. `fitted(p.lines)` stands where the schemas fit, or may, and the types made of them do not. */
export function messageCode(
  scope: RequestScope,
  message: ValueNode,
  schema: MessageSchema | undefined,
): Code {
  return valueCode(scope, message, (leaf, place) => {
    const plain = scalarCode(scope, leaf);
    return schema === undefined || fitsField(scope, leaf, place, schema)
      ? plain
      : code`${scope.runtime("fitted")}(${plain})`;
  });
}

function fitsField(
  { parameters }: RequestScope,
  leaf: ScalarModel,
  place: Steps,
  { json }: MessageSchema,
): boolean {
  if (leaf.kind !== "template" || literalText(leaf.template) !== undefined) return true;
  const wanted = shapeIn(json, place, "stated");
  const alone = loneParameter(leaf.template);
  if (alone === undefined) return isAssignable(anyText, wanted);
  const from = { schema: parameters, form: "filled" } as const;
  // TypeScript knows no type of it, and none can be stated.
  if (isHidden(from, alone.path) && typeToState(from, alone.path) === undefined) return false;
  return isAssignable(shapeIn(parameters, alone.path, "filled"), wanted);
}

const textShapes = shapesOf({ type: "string" }, "stated");

/** What text around parameters is. */
const anyText: ShapeIn = { shape: textShapes.root, shapes: textShapes };

function shapeIn(model: SchemaModel, path: Steps, form: "filled" | "stated"): ShapeIn {
  return { shape: shapeAt(model, path, form).shape, shapes: shapesOf(model.schema, form) };
}
