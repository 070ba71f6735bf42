/** Parts of the tools of tables: texts, parameters, bindings. */
import type { ColumnModel, TableModel } from "../../core/database-model.js";
import { type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { listed, quote } from "../../core/names.js";
import { longestDescription } from "../skills/print-files.js";
import { cut, oneLine, prose } from "../skills/texts.js";
import { isSecret } from "./columns.js";
import type { Operation, ParameterNames } from "./names.js";
import type { Bound } from "./statements.js";

export interface ToolDraft {
  readonly operation: Operation;
  readonly tool: JsonObject;
}

/** Receives restrictions that no tool mentions. Each is a sentence without its full stop. */
export type Tell = (note: string) => void;

export interface ToolParts {
  readonly description: string;
  readonly isWrite?: true;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly dependentRequired?: JsonObject;
  readonly properties: ReadonlyMap<string, JsonValue>;
  readonly query: string;
  readonly rows?: "one";
}

/** Reason for approvers. Whoever knows the table better can name a tool in place of it. */
const noWayBack = "no tool is known that undoes this statement";

export function toolOf(parts: ToolParts, connection: string): JsonObject {
  const { dependentRequired, description, isWrite, minProperties, required = [] } = parts;
  const properties: Record<string, JsonValue> = {};
  for (const [name, schema] of parts.properties) setOwn(properties, name, schema);
  return {
    description: cut(description, longestDescription),
    ...(isWrite && { risk_level: "high", rollback: { strategy: "none", reason: noWayBack } }),
    parameters: {
      type: "object",
      additionalProperties: false,
      ...(required.length > 0 && { required }),
      ...(minProperties !== undefined && { minProperties }),
      ...(dependentRequired && { dependentRequired }),
      ...(parts.properties.size > 0 && { properties }),
    },
    binding: {
      type: "sql",
      connection: `\${${connection}}`,
      query: `${parts.query}\n`,
      ...(parts.rows && { rows: parts.rows }),
      ...(isWrite && { read_only: false }),
    },
  };
}

/** Schema of a column's parameter without a type, which comes from the database. */
export function schemaOf({ column }: Bound, more: JsonObject = {}, words = ""): JsonObject {
  const { comment, references } = column;
  const about = comment === undefined ? "" : cut(oneLine(comment), 500);
  const whose = references === undefined ? "" : `Refers to ${references}.`;
  const description = [words, about, about === "" ? whose : ""]
    .filter((each) => each !== "")
    .join(" ");
  return {
    ...(description !== "" && { description }),
    ...(isSecret(column) && { "x-sensitive": true }),
    ...more,
  };
}

/** Schema of a text's length, which PostgreSQL doesn't report after a function. */
export function lengthOf({ column: { type } }: Bound): JsonObject {
  return type.length === undefined || type.isArray ? {} : { maxLength: type.length };
}

export function boundTo(
  columns: readonly ColumnModel[],
  names: ParameterNames,
  before = "",
): readonly Bound[] {
  return columns.map((column) => ({ column, name: names.take(column.name, before) }));
}

export function schemasOf(
  bound: readonly Bound[],
  more: (each: Bound) => JsonObject = () => ({}),
): readonly (readonly [string, JsonValue])[] {
  return bound.map((each) => [each.name, schemaOf(each, more(each))]);
}

export function nameOf({ name }: { readonly name: string }): string {
  return name;
}

export function quoted(items: readonly { readonly name: string }[]): string {
  return listed(items.map((each) => quote(oneLine(each.name))));
}

/** Appends the first paragraph of a table's comment; SKILL.md has the whole comment. */
export function withComment(words: string, { comment }: TableModel): string {
  const [first = ""] = prose(comment ?? "").split(/\n\n/, 1);
  const about = cut(oneLine(first), 300);
  return about === "" ? words : `${words}\n\n${about}`;
}
