import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import type { ResolvedBinding, ResolveInput } from "../binding.js";
import { readConnection } from "../read-connection.js";
import { textNode } from "../text-template.js";
import type { MappedPlaceholder, RowCount, SqlConfig } from "./model.js";
import { defaultMaxRows } from "./schema.js";

/** The `binding:` mapping of a SQL tool as a model. The statement itself is read when the tool is analyzed. */
export function resolveSql({ node, report }: ResolveInput): ResolvedBinding<SqlConfig> | undefined {
  const connection = readConnection(
    valueOf(node, "connection"),
    { kind: "sql", example: "WAREHOUSE_URL" },
    report,
  );
  const query = textNode(valueOf(node, "query"));
  const mapping = readMapping(valueOf(node, "parameter_mapping"), report);
  if (connection === undefined || query === undefined) return undefined;
  const config: SqlConfig = { connection, query, mapping, ...readRows(node), ...readEffect(node) };
  return {
    config,
    effect: config.readOnly?.value === false ? "write" : "read",
    idempotent: false,
    egress: [`\${${connection.name}}`],
    credentials: [connection],
    references: [],
  };
}

function readMapping(node: SyntaxNode | undefined, report: Report): readonly MappedPlaceholder[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap(({ key, value }): MappedPlaceholder[] => {
    const text = textNode(value);
    if (text === undefined) return [];
    const parameter = text.value.startsWith(":") ? text.value.slice(1) : undefined;
    if (parameter !== undefined && parameter !== "" && !key.value.startsWith(":"))
      return [{ placeholder: key.value, parameter, keySpan: key.span, span: text.span }];
    report.add({
      code: "sql/bad-mapping",
      span: parameter === undefined || parameter === "" ? text.span : key.span,
      message: `\`${shown(key.value)}: ${shown(text.value)}\` maps no placeholder to a parameter`,
      help: `write the placeholder without its colon, the parameter with one: \`${shown(key.value.replace(/^:/, ""))}: ":${shown(text.value.replace(/^:/, "") || "name")}"\``,
    });
    return [];
  });
}

function readRows(node: MapNode): Pick<SqlConfig, "rows" | "rowsSpan" | "maxRows" | "maxRowsSpan"> {
  const rows = textNode(valueOf(node, "rows"));
  const most = valueOf(node, "max_rows");
  const number = most?.kind === "scalar" && typeof most.value === "number" ? most.value : undefined;
  return {
    // Its shape fits the schema.
    rows: (rows?.value as RowCount | undefined) ?? "many",
    ...(rows && { rowsSpan: rows.span }),
    maxRows: number ?? defaultMaxRows,
    ...(most && { maxRowsSpan: most.span }),
  };
}

function readEffect(node: MapNode): Pick<SqlConfig, "readOnly"> {
  const value = valueOf(node, "read_only");
  if (value?.kind !== "scalar" || typeof value.value !== "boolean") return {};
  return { readOnly: { value: value.value, span: value.span } };
}
