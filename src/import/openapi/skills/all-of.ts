/** Objects that are made of others by `allOf`. */
import type { Part } from "../read/document.js";
import { entriesIn, itemsIn, under } from "../read/parts.js";
import type { Components } from "./components.js";

/** The schema, resolved, and all schemas that its `allOf` combines. */
export function allOfParts(
  schema: Part | undefined,
  components: Components,
  depth = 0,
): readonly Part[] {
  const found = schema && components.resolve(schema);
  // Components may be made of each other.
  if (found === undefined || depth > deepest) return [];
  const branches = itemsIn(under(found, "allOf"));
  return [found, ...branches.flatMap((each) => allOfParts(each, components, depth + 1))];
}

const deepest = 8;

/** The properties that all of these name. One that is named again is there again. */
export function propertiesOf(parts: readonly Part[]): readonly (readonly [name: string, Part])[] {
  return parts.flatMap((each) => entriesIn(under(each, "properties")));
}
