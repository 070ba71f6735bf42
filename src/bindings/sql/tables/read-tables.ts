/**
 * Reads the tables behind a connection for an import that makes skills of them. They come from the
 * files of `schema:`, or else from the server. A file of `skillc db pull` contains no comments, so
 * the server is asked then too.
 */
import type {
  ColumnModel,
  ColumnType,
  DatabaseModel,
  KeyModel,
  TableModel,
} from "../../../core/database-model.js";
import type { ReadTables, TablesInput } from "../../../kit/kind-engine.js";
import { withServer } from "../database/ask-server.js";
import type { Engine } from "../database/engine.js";
import { openDatabase, type OpenEmbedded } from "../database/open-database.js";
import { snapshotPath, type SqlSettings } from "../settings.js";
import { SCHEMA_COMMENTS, SERVER_VERSION, TABLES } from "./table-query.js";

/**
 * Reads the tables. If skillc.yaml or a schema file is faulty, adds errors to `report` and returns
 * undefined.
 */
export async function readTables(
  input: TablesInput<SqlSettings>,
  open: OpenEmbedded,
): Promise<ReadTables | undefined> {
  const { name, settings } = input;
  const database = settings.databases.find((each) => each.name === name);
  if (database === undefined && settings.names.includes(name)) return undefined;
  let refused: ReadTables | undefined;
  const refuse = (message: string, help: string): void =>
    void (refused = { kind: "refused", message, help });
  if (database?.source.kind !== "files" || database.source.isSnapshot) {
    const found = await withServer(database ?? { name }, { ...input, refuse }, [], readAndClose);
    if (found === undefined) return refused;
    const setting = `${name}: { snapshot: ${snapshotPath(name)} }`;
    return {
      kind: "read",
      ...found,
      isPulled: true,
      ...(database === undefined && { setting }),
    };
  }
  const opened = await openDatabase(database, { ...input, refuse }, open);
  return opened && { kind: "read", ...(await readAndClose(opened.engine)) };
}

type Row = Readonly<Record<string, string | null>>;

async function readAndClose(engine: Engine): Promise<{ readonly database: DatabaseModel }> {
  const [version] = await engine.rows(SERVER_VERSION);
  const comments = await engine.rows(SCHEMA_COMMENTS);
  const tables = await engine.rows(TABLES);
  await engine.close();
  return {
    database: {
      server: `PostgreSQL ${version?.["version"] ?? ""}`,
      schemaComments: new Map(
        comments.map(({ comment, name }) => [name ?? "", comment ?? ""] as const),
      ),
      tables: tables.map(readTable),
    },
  };
}

const kinds: Readonly<Record<string, TableModel["kind"]>> = {
  v: "view",
  m: "materialized view",
  f: "foreign table",
};

interface IndexRow {
  readonly name: string;
  readonly columns: readonly (string | null)[];
  readonly is_unique: boolean;
  readonly is_plain: boolean;
}

function readTable(row: Row): TableModel {
  const { comment, extension, partition_of: partitionOf } = row;
  const indexes = rowsIn<IndexRow>(row, "indexes");
  const unique = indexes.filter(({ is_unique: isUnique }) => isUnique);
  const viewKey = rowsIn<string>(row, "view_key");
  return {
    schema: textIn(row, "schema"),
    name: textIn(row, "name"),
    sql: textIn(row, "sql"),
    kind: kinds[textIn(row, "kind")] ?? "table",
    ...(comment != null && { comment }),
    ...(partitionOf != null && { partitionOf }),
    ...(extension != null && { extension }),
    takesRows: row["takes_rows"] === "true",
    columns: rowsIn<ColumnRow>(row, "columns").map(readColumn),
    keys: withoutTwins([
      ...unique.filter((each) => each.is_plain).map(keyOf),
      ...(viewKey.length > 0 ? [{ name: "", columns: viewKey }] : []),
    ]),
    partialKeys: unique.filter((each) => !each.is_plain).map(({ name }) => name),
    indexed: [
      ...new Set(
        indexes.flatMap(({ columns, is_plain: isPlain }) => (isPlain ? (columns[0] ?? []) : [])),
      ),
    ],
  };
}

function keyOf({ columns, name }: IndexRow): KeyModel {
  return { name, columns: columns.flatMap((each) => each ?? []) };
}

/** Two indexes on the same columns are one key. */
function withoutTwins(keys: readonly KeyModel[]): readonly KeyModel[] {
  const known = new Set<string>();
  return keys.filter(({ columns }) => {
    const own = JSON.stringify(columns.toSorted());
    return !known.has(own) && known.add(own);
  });
}

interface ColumnRow {
  readonly name: string;
  readonly sql: string;
  readonly comment: string | null;
  readonly type: string;
  readonly type_sql: string;
  readonly kind: ColumnType["kind"];
  readonly is_array: boolean;
  readonly length: number | null;
  readonly is_nullable: boolean;
  readonly given: NonNullable<ColumnModel["given"]> | null;
  readonly default: string | null;
  readonly references: string | null;
}

function readColumn(row: ColumnRow): ColumnModel {
  const { comment, default: sqlDefault, given, length, name, references, sql } = row;
  return {
    name,
    sql,
    ...(comment !== null && { comment }),
    type: {
      name: row.type,
      sql: row.type_sql,
      kind: row.kind,
      isArray: row.is_array,
      ...(length !== null && { length }),
    },
    isNullable: row.is_nullable,
    ...(given !== null && { given }),
    ...(sqlDefault !== null && { sqlDefault }),
    ...(references !== null && { references }),
  };
}

function textIn(row: Row, column: string): string {
  const value = row[column];
  if (value == null) throw new Error(`the catalog query gives no ${column}`);
  return value;
}

/** The query makes this JSON list, so its items have the type that the query builds. */
function rowsIn<Item>(row: Row, column: string): readonly Item[] {
  const items: readonly Item[] | null = JSON.parse(row[column] ?? "[]");
  return items ?? [];
}
