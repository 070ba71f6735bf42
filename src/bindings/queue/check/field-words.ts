import { quote, shown } from "../../../core/names.js";
import type { RelatedSpan } from "../../../core/diagnostic.js";
import { lookUp } from "../../../schema/look-up.js";
import type { MessageSchema } from "../message-schema.js";
import type { Path } from "./node-at.js";

/** ``the field `total` (`long`)``, or the message. */
export function nameOf(schema: MessageSchema, path: Path): string {
  const type = typeAt(schema, path);
  const words = type === undefined ? "" : ` (\`${shown(type)}\`)`;
  return path.length === 0 ? `the message${words}` : `the field ${quote(path.join("."))}${words}`;
}

/** What the schema's own language calls it. */
export function typeAt(schema: MessageSchema, path: Path): string | undefined {
  const pointer = pointerTo(schema, path);
  return pointer === undefined ? undefined : schema.types[pointer];
}

/** The place of a field in the schema's file, or of what is around it. */
export function placeOf(schema: MessageSchema, path: Path): readonly RelatedSpan[] {
  const { places, span } = schema.json;
  for (let length = path.length; length >= 0; length -= 1) {
    const pointer = pointerTo(schema, path.slice(0, length));
    const place =
      pointer !== undefined && Object.hasOwn(places, pointer) ? places[pointer] : undefined;
    if (place !== undefined) return [{ span: place, message: "the schema" }];
  }
  return [{ span, message: "the schema" }];
}

/** The names of a union's branches, where a value has to name its own. */
export function branchesAt(schema: MessageSchema, path: Path): readonly string[] | undefined {
  const { branches = {} } = schema;
  const pointer = pointerTo(schema, path);
  return pointer !== undefined && Object.hasOwn(branches, pointer) ? branches[pointer] : undefined;
}

function pointerTo({ json }: MessageSchema, path: Path): string | undefined {
  return lookUp(json, path, "stated").schema;
}
