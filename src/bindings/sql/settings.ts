import type { JsonObject } from "../../core/json.js";
import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { type MapEntry, type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import type { KindSettings } from "../../kit/binding.js";
import { readSetConfig, setConfigSchema } from "./set-config.js";
import type { SessionSetting } from "./model.js";
import { databaseModulePath } from "./database-module.js";

/** `databases:` and `set_config:` of skillc.yaml. */
export interface SqlSettings {
  /** Valid databases. */
  readonly databases: readonly DatabaseSettings[];
  /** Names of all databases, also of those with errors. */
  readonly names: readonly string[];
  /** Settings made before each statement; usually empty. */
  readonly setConfig: readonly SessionSetting[];
  /** Keys of `set_config`, as written. */
  readonly setConfigKeys: readonly MapEntry["key"][];
}

/** Settings of one connection's database. */
export interface DatabaseSettings {
  /** Name of the setting that holds the connection's URL. */
  readonly name: string;
  readonly span: Span;
  readonly source: SchemaSource;
  /** User functions that skillc.yaml declares harmless, with or without schema. */
  readonly functions: readonly string[];
  /** The same functions, with their spans. */
  readonly listed: readonly PatternSetting[];
  /**
   * Time limit in milliseconds. For the embedded PostgreSQL, CPU time of each statement; for a
   * server, time of each question.
   */
  readonly statementTimeoutMs?: number;
}

export type SchemaSource = SchemaFiles | { readonly kind: "server" };

export interface SchemaFiles {
  readonly kind: "files";
  /** File names and patterns, in order, with their spans. */
  readonly patterns: readonly PatternSetting[];
  /** True if the only pattern is the path of a file that `skillc db pull` writes. */
  readonly isSnapshot: boolean;
}

export interface PatternSetting {
  readonly pattern: string;
  readonly span: Span;
}

/** Schema of one entry of `databases:`. */
const databaseSchema = {
  description: "A database. The key is the setting that holds its URL.",
  type: "object",
  additionalProperties: false,
  properties: {
    schema: {
      description:
        "SQL files that create the tables, in order: paths or patterns relative to skillc.yaml. skillc then needs no server.",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" }, minItems: 1 }],
    },
    snapshot: {
      description:
        "The file in which `skillc db pull` keeps the server's schema. It replaces `schema`.",
      type: "string",
    },
    introspect: {
      description: "If `true`, skillc asks the server for its schema in each run.",
      type: "boolean",
    },
    harmless_functions: {
      description:
        "Your own functions that change nothing, as `name` or `schema.name`. Your other functions count as writes.",
      type: "array",
      items: { type: "string" },
    },
    statement_timeout_ms: {
      description: "Time limit of one statement, or of one query to the server, in milliseconds.",
      type: "integer",
      minimum: 1,
    },
  },
} as const satisfies JsonObject;

/** Keys of an entry of `databases:`. */
export const databaseKeys: readonly string[] = Object.keys(databaseSchema.properties);

/** Reads the settings of SQL bindings. */
export const sqlSettings: KindSettings<SqlSettings> = {
  key: "databases",
  schema: {
    type: ["object", "null"],
    description:
      "The databases of SQL tools, and where their schemas come from: `WAREHOUSE_URL: { schema: [db/schema.sql] }`.",
    additionalProperties: databaseSchema,
  },
  beside: { set_config: setConfigSchema },
  read: (node, report, beside = {}) => ({
    setConfig: readSetConfig(beside["set_config"], report),
    setConfigKeys: beside["set_config"]?.entries.map(({ key }) => key) ?? [],
    databases: readDatabases(node, report),
    names: node?.entries.map(({ key }) => key.value) ?? [],
  }),
  files: schemaPatterns,
};

/** Lists the patterns of all schema files. */
function schemaPatterns({ entries }: MapNode): readonly string[] {
  return entries.flatMap(({ value }) =>
    ["schema", "snapshot"].flatMap((key) =>
      patternsOf(valueOf(value, key)).map(({ pattern }) => pattern),
    ),
  );
}

/** Reads the databases. Reports and leaves out invalid ones. */
function readDatabases(
  databases: MapNode | undefined,
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

/** Names of databases that differ only by case would share one module file. Reports the second. */
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
    message: `two databases would be written to the same module \`${shown(path)}\``,
    help: "rename one of the two; names must differ in more than letter case or underscores",
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
  const [schema, snapshot] = [valueOf(node, "schema"), valueOf(node, "snapshot")];
  const introspect = valueOf(node, "introspect");
  const asks = introspect?.kind === "scalar" && introspect.value === true ? introspect : undefined;
  const [source, other] = [schema, snapshot, asks].filter((each) => each !== undefined);
  if (source === undefined || other !== undefined) {
    report.add({
      code: "sql/bad-database",
      span: other?.span ?? span,
      message: `\`${shown(name)}\` has ${source === undefined ? "no schema" : "more than one schema"}`,
      help:
        "write exactly one: `schema: [db/schema.sql]` with the files that create its tables, `snapshot: db/schema.sql` with the file that `skillc db pull` writes, or " +
        "`introspect: true` to ask the server behind the connection",
    });
    return undefined;
  }
  if (source === asks) return { kind: "server" };
  const patterns = patternsOf(source);
  const isSnapshot = source === snapshot;
  const [path] = patterns;
  if (!isSnapshot || path === undefined || isPlainPath(path.pattern))
    return { kind: "files", patterns, isSnapshot };
  report.add({
    code: "sql/bad-database",
    span: path.span,
    message: `\`${shown(path.pattern)}\` is not the path of a .sql file in the project`,
    help: `write a path relative to skillc.yaml: \`snapshot: ${snapshotPath(name)}\``,
  });
  return undefined;
}

/** Default path to which `skillc db pull` writes a server's schema. */
export function snapshotPath(name: string): string {
  return `db/${/^\w+$/.test(name) ? name : "snapshot"}.sql`;
}

/** True for a path without pattern characters that every file system can hold. */
function isPlainPath(path: string): boolean {
  const parts = path.split("/");
  return path.endsWith(".sql") && parts.every((part) => /^[\w][\w.-]*$/.test(part));
}

function mapOf(value: SyntaxNode, span: Span, report: Report): MapNode | undefined {
  if (value.kind === "map") return value;
  report.add({
    code: "sql/bad-database",
    span: value.span.end > value.span.start ? value.span : span,
    message: "a database must be a mapping",
    help: "write `{ schema: [db/schema.sql] }`, `{ snapshot: db/schema.sql }` or `{ introspect: true }`",
  });
  return undefined;
}

function checkKeys(node: MapNode, name: string, at: Span, report: Report): boolean {
  return checkShape(node, databaseSchema, report, {
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
