/** Derives the data of server-sent events from the schema of a whole event (OpenAPI 3.2). */
import type { JsonSchema } from "../../../core/json.js";
import type { Part } from "../read/document.js";
import { itemsIn, textIn, under } from "../read/parts.js";
import { allOfParts, propertiesOf } from "./all-of.js";
import type { DraftContext } from "./draft-context.js";
import { typesWithoutNull } from "./wire-shape.js";

type Take = (part: Part) => JsonSchema;

/** @returns undefined, with a note, if no statement about `data` holds for every event */
export function eventData(event: Part, take: Take, context: DraftContext): JsonSchema | undefined {
  const { note } = context;
  const data = dataParts(event, context).map((part) => dataOf(part, take, context));
  const texts = data.filter(({ isText }) => isText);
  const lost = (message: string): undefined => {
    note({ code: "import/part-left-out", at: event.at, message });
    return undefined;
  };
  if (data.length === 0)
    return lost("the schema of an event does not describe its `data`, so the tool returns text");
  if (texts.length > 0 && texts.length < data.length)
    return lost("the `data` of some events is JSON and of others text, so the tool returns text");
  const schemas = new Map(data.map(({ schema }) => [JSON.stringify(schema), schema]));
  const [only, ...others] = schemas.values();
  if (others.length === 0) return only;
  return texts.length > 0 ? { type: "string" } : { anyOf: [...schemas.values()] };
}

/** Returns the schema of `data` in each kind of event. If a kind lacks it, returns the common one. */
function dataParts(event: Part, { components }: DraftContext): readonly Part[] {
  const parts = allOfParts(event, components);
  const dataIn = (objects: readonly Part[]) =>
    propertiesOf(objects).find(([name]) => name === "data")?.[1];
  const kinds = parts.flatMap((part) =>
    ["oneOf", "anyOf"].flatMap((key) => itemsIn(under(part, key))),
  );
  const own = dataIn(parts);
  const all = kinds.map((kind) => dataIn(allOfParts(kind, components)) ?? own);
  if (kinds.length > 0 && all.every((each) => each !== undefined)) return all;
  return own === undefined ? [] : [own];
}

interface EventData {
  readonly isText: boolean;
  readonly schema: JsonSchema;
}

/**
 * Drafts `data`, which is text on the wire. Authors also describe the JSON in the text, without
 * stating that the text is JSON.
 */
function dataOf(written: Part, take: Take, { components }: DraftContext): EventData {
  const part = components.resolve(written);
  if (/\bjson$/.test(textIn(part, "contentMediaType") ?? "")) {
    const content = under(part, "contentSchema");
    return { isText: false, schema: content === undefined ? {} : take(content) };
  }
  const types = typesWithoutNull(written, components);
  if (!types.includes("string")) return { isText: false, schema: take(written) };
  return { isText: true, schema: types.length === 1 ? take(written) : { type: "string" } };
}
