import type { JsonSchema } from "../core/json.js";
import type { SchemaForm } from "./form.js";
import type { IntersectContext } from "./intersect-shapes.js";
import type { Subschema } from "./schema-tree.js";
import type { Shape } from "./shape.js";

/** What the parts of one walk over a document share. */
export interface ShapeReader {
  readonly root: JsonSchema;
  readonly form: SchemaForm;
  readonly context: IntersectContext;
  shapeOf(at: Subschema): Shape;
}
