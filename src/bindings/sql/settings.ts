import { shown } from "../../core/names.js";
import type { ProjectConfig } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { databaseModulePath } from "./database-module.js";

/** Where the schema of a connection's database comes from. */
export interface DatabaseSettings {
  /** The connection: the name of the setting that holds its URL. */
  readonly name: string;
  readonly span: Span;
  readonly source: SchemaSource;
  /** User functions that skillc.yaml says are harmless, or schema-qualified names of them. */
  readonly functions: readonly string[];
  /** The same, each with its place. */
  readonly listed: readonly PatternSetting[];
  /** For each statement that the embedded PostgreSQL runs, in milliseconds of CPU time; of a server for each question, in milliseconds. */
  readonly statementTimeoutMs?: number;
}

export type SchemaSource =
  /** Patterns of files, in order; each with its place. */
  | { readonly kind: "files"; readonly patterns: readonly PatternSetting[] }
  | { readonly kind: "server" };

export interface PatternSetting {
  readonly pattern: string;
  readonly span: Span;
}

const shape = {
  type: "object",
  additionalProperties: false,
  properties: {
    schema: {
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" }, minItems: 1 }],
    },
    introspect: { type: "boolean" },
    harmless_functions: { type: "array", items: { type: "string" } },
    statement_timeout_ms: { type: "integer", minimum: 1 },
  },
} as const;

/** What `databases:` may say of one. */
export const databaseKeys: readonly string[] = Object.keys(shape.properties);

/** The patterns of all schema files that skillc.yaml names, whatever else is wrong there. */
export function schemaPatterns({ databases }: ProjectConfig): readonly string[] {
  return (databases?.entries ?? []).flatMap(({ value }) =>
    patternsOf(valueOf(value, "schema")).map(({ pattern }) => pattern),
  );
}

/** `databases:` of skillc.yaml. What is wrong is reported, and that database left out. */
export function readDatabases(
  { databases }: ProjectConfig,
  report: Report,
): readonly DatabaseSettings[] {
  const modules = new Map<string, Span>();
  return (databases?.entries ?? []).flatMap(({ key, value }): DatabaseSettings[] => {
    const source = readSource(key.value, key.span, value, report);
    const isOwn = hasOwnModule(key.value, key.span, modules, report);
    if (source === undefined || !isOwn) return [];
    const listed = patternsOf(valueOf(value, "harmless_functions"));
    const functions = listed.map(({ pattern }) => pattern);
    const statementTimeoutMs = numberOf(valueOf(value, "statement_timeout_ms"));
    return [
      {
        name: key.value,
        span: key.span,
        source,
        functions,
        listed,
        ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
      },
    ];
  });
}

/** Two settings that differ only by letter case are two databases, and one file. */
function hasOwnModule(
  name: string,
  span: Span,
  modules: Map<string, Span>,
  report: Report,
): boolean {
  const path = databaseModulePath(name);
  const other = modules.get(path);
  modules.set(path, other ?? span);
  if (other === undefined) return true;
  report.add({
    code: "sql/same-module",
    span,
    message: `two databases would both be the module \`${shown(path)}\``,
    help: "rename one of the two, by more than letter case or underscores",
    related: [{ span: other, message: "the other is here" }],
  });
  return false;
}

function readSource(
  name: string,
  span: Span,
  value: SyntaxNode,
  report: Report,
): SchemaSource | undefined {
  const node = mapOf(value, span, report);
  if (node === undefined || !checkKeys(node, name, span, report)) return undefined;
  const patterns = patternsOf(valueOf(node, "schema"));
  const introspect = valueOf(node, "introspect");
  const asks = introspect?.kind === "scalar" && introspect.value === true;
  if (asks !== patterns.length > 0) return asks ? { kind: "server" } : { kind: "files", patterns };
  report.add({
    code: "sql/bad-database",
    span: introspect !== undefined && asks ? introspect.span : span,
    message: asks
      ? `\`${shown(name)}\` has both schema files and \`introspect\``
      : `\`${shown(name)}\` has no schema`,
    help: "give it `schema: [db/schema.sql]` with the files that make its tables, or `introspect: true` to ask the server behind the connection",
  });
  return undefined;
}

function mapOf(value: SyntaxNode, span: Span, report: Report): MapNode | undefined {
  if (value.kind === "map") return value;
  report.add({
    code: "sql/bad-database",
    span: value.span.end > value.span.start ? value.span : span,
    message: "a database is a mapping",
    help: "write `{ schema: [db/schema.sql] }` or `{ introspect: true }`",
  });
  return undefined;
}

function checkKeys(node: MapNode, name: string, at: Span, report: Report): boolean {
  return checkShape(node, shape, report, {
    subject: `the database \`${shown(name)}\``,
    at,
    unknownKey: "sql/bad-database",
    missingKey: "sql/bad-database",
    wrongType: "sql/bad-database",
    wrongValue: "sql/bad-database",
  });
}

function numberOf(node: SyntaxNode | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

function patternsOf(node: SyntaxNode | undefined): readonly PatternSetting[] {
  const items = node?.kind === "list" ? node.items : node === undefined ? [] : [node];
  return items.flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string"
      ? [{ pattern: item.value, span: item.span }]
      : [],
  );
}
