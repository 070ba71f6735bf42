import type { MapEntry, MapNode, SyntaxNode } from "../core/syntax-node.js";
import { type Dialect, keywordIn } from "./keywords.js";

/** Lists the direct subschemas of a schema in an author's file, including definitions. */
export function sourceSubschemas(node: SyntaxNode, dialect: Dialect): readonly SyntaxNode[] {
  if (node.kind !== "map") return [];
  return node.entries.flatMap((entry) => schemasUnder(entry, dialect));
}

/** The subschemas that apply to the same value. */
export function subschemasInPlace(node: MapNode, dialect: Dialect): readonly SyntaxNode[] {
  return node.entries
    .filter(({ key }) => keywordIn(dialect, key.value)?.inPlace === true)
    .flatMap((entry) => schemasUnder(entry, dialect));
}

function schemasUnder({ key, value }: MapEntry, dialect: Dialect): readonly SyntaxNode[] {
  switch (keywordIn(dialect, key.value)?.shape) {
    case "schema":
      return [value];
    case "items":
      return value.kind === "list" ? value.items : [value];
    case "schema-list":
      return value.kind === "list" ? value.items : [];
    case "schema-map":
    case "dependencies":
      return schemasIn(value);
    default:
      return [];
  }
}

function schemasIn(node: SyntaxNode): readonly SyntaxNode[] {
  return node.kind === "map"
    ? node.entries.map((each) => each.value).filter((each) => each.kind !== "list")
    : [];
}

/**
 * Checks if keys beside `$ref` are ignored. Before 2019-09, only annotations beside `$ref` have an
 * effect.
 */
export function siblingsIgnored(node: MapNode, dialect: Dialect): boolean {
  return dialect === "draft-07" && node.entries.some((each) => each.key.value === "$ref");
}
