/** Combines objects with `allOf`. */
import type { Part } from "../read/document.js";
import { entriesIn, itemsIn, under } from "../read/parts.js";
import type { Components } from "./components.js";

/** Returns the resolved schema, and all schemas that its `allOf` combines. */
export function allOfParts(
  schema: Part | undefined,
  components: Components,
  depth = 0,
): readonly Part[] {
  const found = schema && components.resolve(schema);
  // Components may refer to each other.
  if (found === undefined || depth > deepest) return [];
  const branches = itemsIn(under(found, "allOf"));
  return [found, ...branches.flatMap((each) => allOfParts(each, components, depth + 1))];
}

const deepest = 8;

/** Lists the properties of all these schemas. A repeated name is listed again. */
export function propertiesOf(parts: readonly Part[]): readonly (readonly [name: string, Part])[] {
  return parts.flatMap((each) => entriesIn(under(each, "properties")));
}
