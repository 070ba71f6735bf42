import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { type MapEntry, type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import type { ResolvedBinding, ResolveInput } from "../../kit/binding.js";
import { callerRoot } from "../../kit/caller-root.js";
import { misspeltRoot } from "../../kit/coverage.js";
import { readConnection } from "../../kit/read-connection.js";
import { textNode } from "../../kit/text-template.js";
import type { MappedPlaceholder, RowCount, SqlConfig, ValueSource } from "./model.js";
import { defaultMaxRows } from "./schema.js";
import { rootsOf } from "./sources.js";

/**
 * Reads the `binding:` mapping of a SQL tool as a model. The analysis reads the statement itself.
 */
export function resolveSql({ node, report }: ResolveInput): ResolvedBinding<SqlConfig> | undefined {
  const connection = readConnection(
    valueOf(node, "connection"),
    { kind: "sql", example: "WAREHOUSE_URL" },
    report,
  );
  const query = textNode(valueOf(node, "query"));
  const mapping = readMapping(valueOf(node, "parameter_mapping"), report);
  // Without a complete mapping, the parameter of a placeholder is unknown.
  if (connection === undefined || query === undefined || mapping === undefined) return undefined;
  const config: SqlConfig = { connection, query, mapping, ...readRows(node), ...readEffect(node) };
  return {
    config,
    effect: config.readOnly?.value === false ? "write" : "read",
    ...(config.readOnly && { effectSpan: config.readOnly.span }),
    idempotent: false,
    credentials: [connection],
    references: [],
    roots: rootsOf(config),
  };
}

/** Reads `parameter_mapping`. If an entry is invalid, reports it and returns undefined. */
function readMapping(
  node: SyntaxNode | undefined,
  report: Report,
): readonly MappedPlaceholder[] | undefined {
  if (node?.kind !== "map") return [];
  const mapped = node.entries.map((entry) => readMapped(entry, report));
  return mapped.includes(undefined) ? undefined : mapped.filter((each) => each !== undefined);
}

function readMapped({ key, value }: MapEntry, report: Report): MappedPlaceholder | undefined {
  const text = textNode(value);
  if (text === undefined) return undefined;
  const parameter = mappedCaller(text.value) ?? mappedParameter(text.value);
  if (parameter !== undefined && !key.value.startsWith(":"))
    return { placeholder: key.value, parameter, keySpan: key.span, span: text.span };
  report.add({
    code: "sql/bad-mapping",
    span: parameter === undefined ? text.span : key.span,
    message: `\`${shown(key.value)}: ${shown(text.value)}\` must map a placeholder to a parameter`,
    help: helpForMapping(key.value, text.value),
  });
  return undefined;
}

/** Accepts exactly a caller reference such as `{caller.tenant}`; undefined for any other text. */
function mappedCaller(text: string): ValueSource | undefined {
  return /^\{caller(?:\.\w+)*\}$/.test(text) ? text : undefined;
}

/**
 * Accepts a parameter's name, with or without a colon. Braces mark references of other binding
 * kinds and are rejected.
 */
function mappedParameter(text: string): string | undefined {
  if (text.startsWith(":")) return text.slice(1) || undefined;
  return text === "" || /[{}]/.test(text) ? undefined : text;
}

function helpForMapping(placeholder: string, mapped: string): string {
  if (/\{\s*caller\b/.test(mapped))
    return "write one field without other text: `\"{caller.tenant}\"`; join text in the statement: `'shop-' || :name`";
  if (/^\$\{.*\}$/.test(mapped))
    return "a setting can't be a value in a statement: remove the entry, and let the caller pass the value as a parameter";
  const owner = misspeltRoot(mapped.replaceAll(/[{}]/g, "").split("."), [callerRoot]);
  if (owner !== undefined) return owner;
  return `write the placeholder without its colon, and the parameter's name: \`${shown(placeholder.replace(/^:/, ""))}: ":${shown(mapped.replaceAll(/^:|[{}\s]/g, "") || "name")}"\``;
}

function readRows(node: MapNode): Pick<SqlConfig, "rows" | "rowsSpan" | "maxRows" | "maxRowsSpan"> {
  const rows = textNode(valueOf(node, "rows"));
  const most = valueOf(node, "max_rows");
  const number = most?.kind === "scalar" && typeof most.value === "number" ? most.value : undefined;
  return {
    // The schema has checked that the value is a `RowCount`.
    rows: (rows?.value as RowCount | undefined) ?? "many",
    ...(rows && { rowsSpan: rows.span }),
    maxRows: number ?? defaultMaxRows,
    ...(most && { maxRowsSpan: most.span }),
  };
}

function readEffect(node: MapNode): Pick<SqlConfig, "readOnly" | "allRows"> {
  const readOnly = readFlag(valueOf(node, "read_only"));
  const allRows = readFlag(valueOf(node, "all_rows"));
  return { ...(readOnly && { readOnly }), ...(allRows && { allRows }) };
}

function readFlag(node: SyntaxNode | undefined): SqlConfig["readOnly"] {
  if (node?.kind !== "scalar" || typeof node.value !== "boolean") return undefined;
  return { value: node.value, span: node.span };
}
