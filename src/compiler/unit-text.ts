import { ownSchema, wholeSchema } from "../core/schema-text.js";
import type { JsonSchema } from "../core/json.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { Unit } from "./unit.js";

/** A unit as text. Shared schemas stand in it once, however many of its documents refer to them. */
export function unitText(unit: Unit): string {
  const numbers = new Map<SharedSchema, number>();
  const numberOf = (shared: SharedSchema): number => {
    const known = numbers.get(shared) ?? numbers.size;
    numbers.set(shared, known);
    return known;
  };
  const text = JSON.stringify(unit, (_, value: unknown) =>
    refersToShared(value)
      ? { ...value, schema: ownSchema(value), shared: value.shared.map(numberOf) }
      : value,
  );
  return JSON.stringify([text, [...numbers.keys()]]);
}

type Referring = SchemaModel & { readonly shared: readonly SharedSchema[] };

function refersToShared(value: unknown): value is Referring {
  return isDocument(value) && Array.isArray(value.shared) && typeof value.shared[0] === "object";
}

function isDocument(value: unknown): value is { readonly shared?: unknown } {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}

/** @param text what `unitText` gave */
export function unitOf(text: string): Unit {
  const [own, shared] = JSON.parse(text) as [string, readonly SharedSchema[]];
  const unit = JSON.parse(own) as Unit;
  if (shared.length > 0) putBack(unit.plan, shared);
  return unit;
}

type Kept = { schema: JsonSchema; shared: readonly (SharedSchema | number)[] };

/** Puts shared schemas back into the documents of a model, wherever in it these are. */
function putBack(model: unknown, shared: readonly SharedSchema[]): void {
  if (typeof model !== "object" || model === null) return;
  if (!isDocument(model)) {
    for (const each of Object.values(model)) putBack(each, shared);
    return;
  }
  if (!Array.isArray(model.shared)) return;
  // What was parsed is nobody else's yet.
  const document = model as Kept;
  const found = document.shared.flatMap((each) =>
    typeof each === "number" ? (shared[each] ?? []) : [each],
  );
  document.schema = wholeSchema(document.schema, found);
  document.shared = found;
}
