/**
 * Finds the names that a request has beside a map in its query, cookies, form or multipart body.
 * `send/map-names.ts` checks each call; this file checks the schemas, when generating.
 */
import { areOneName, stepsOfName } from "@skillc/runtime/internal/http";
import type { SchemaModel } from "../../core/skill-model.js";
import { lookUp, propertyNames } from "../../schema/look-up.js";
import { loneParameter, type ParameterPart } from "../../kit/text-template.js";
import type { ValueNode } from "../../kit/values/model.js";
import type { BodyModel, HttpConfig, StyleModel } from "./model.js";

/** A parameter that may be such a map. */
export interface WrittenMap {
  readonly part: ParameterPart;
  /** Text before its names and their brackets; undefined if the names stand alone. */
  readonly prefix: string | undefined;
  /** Known names that the request has beside the map. */
  readonly beside: readonly string[];
  /** Names among them that other maps may write. */
  readonly ofMaps: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly value: ValueNode<"caller">;
  readonly style?: StyleModel;
}

/** The maps of a request, by the place in which they are. */
export function writtenMaps(
  { body, cookies = [], query, url }: HttpConfig,
  parameters: SchemaModel,
): readonly WrittenMap[] {
  const literal = [...new URLSearchParams(url.literalQuery.text).keys()];
  return [
    ...mapsIn(query, literal, parameters),
    ...mapsIn(cookies, [], parameters),
    ...mapsIn(fieldsOf(body), [], parameters),
  ];
}

const brackets = { name: "deepObject", explode: true, reserved: false } as const;

const bare = { name: "form", explode: true, reserved: false } as const;

/**
 * Returns the fields of a form, which writes nested values in brackets, or the parts of a multipart
 * body, where only `fields` is a map.
 */
function fieldsOf(body: BodyModel): readonly Entry[] {
  if (body.kind === "multipart" && body.fields !== undefined) {
    const { fields, parts, span } = body;
    return [...parts, { name: "", value: fields, style: { ...bare, span } }];
  }
  if (body.kind !== "form" || body.fields.kind !== "map") return [];
  return body.fields.entries.map((entry) => ({
    ...entry,
    style: { ...brackets, span: entry.span },
  }));
}

function mapsIn(
  entries: readonly Entry[],
  literal: readonly string[],
  parameters: SchemaModel,
): readonly WrittenMap[] {
  const found = entries.map((entry) => ({ entry, map: mapOf(entry, parameters) }));
  return found.flatMap(({ entry, map }) => {
    if (map === undefined) return [];
    const others = found.filter((each) => each.entry !== entry);
    const ofMaps = others.flatMap((each) =>
      each.map?.prefix === undefined && each.map
        ? propertyNames(parameters, each.map.part.path)
        : [],
    );
    const own = others.flatMap((each) =>
      each.map && each.map.prefix === undefined ? [] : [each.entry.name],
    );
    const all = [...new Set([...own, ...literal, ...ofMaps])];
    const beside = all.filter((name) => isBelow(name, map.prefix));
    return [{ ...map, beside, ofMaps: [...new Set(ofMaps)] }];
  });
}

function mapOf(
  { name, style, value }: Entry,
  parameters: SchemaModel,
): Pick<WrittenMap, "part" | "prefix"> | undefined {
  const part = value.kind === "template" ? loneParameter(value.template) : undefined;
  if (part === undefined || style === undefined) return undefined;
  const isDeep = style.name === "deepObject";
  if (!isDeep && !style.explode) return undefined;
  const { presence, types } = lookUp(parameters, part.path);
  if (presence === "never" || !types.includes("object")) return undefined;
  return { part, prefix: isDeep ? name : undefined };
}

/** True if a map with that prefix may write the name. */
function isBelow(name: string, prefix: string | undefined): boolean {
  if (prefix === undefined) return true;
  const [steps, start] = [stepsOfName(name), stepsOfName(prefix)];
  return steps.length > start.length && areOneName(steps, start);
}

/** Returns the key of a map for the name that the request sends. */
export function keyFor(name: string, prefix: string | undefined): string {
  if (prefix === undefined) return name.replace(/\[\]$/, "");
  const depth = stepsOfName(prefix).length;
  return name.split(/[[\]]+/).filter((step) => step !== "")[depth] ?? "";
}
