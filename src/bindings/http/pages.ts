import type { SchemaModel } from "../../core/skill-model.js";
import { propertyNames } from "../../schema/look-up.js";
import type { Pages } from "../../kit/binding.js";
import type { HttpConfig } from "./model.js";

/** Describes the pages of a tool's result. */
export function httpPages({ pagination }: HttpConfig, parameters: SchemaModel): Pages | undefined {
  if (pagination === undefined) return undefined;
  const items = (pagination.items?.steps ?? []).map(({ at }) => String(at));
  const { parameter } = pagination;
  return {
    items,
    next: nextParameter(parameters),
    ...(parameter && { parameter: parameter.name }),
  };
}

/** Chooses a name for the page argument that no parameter has. */
function nextParameter(parameters: SchemaModel): string {
  const names = new Set(propertyNames(parameters, [], "input"));
  let name = "next";
  while (names.has(name)) name = name === "next" ? "next_page" : `${name}_`;
  return name;
}
