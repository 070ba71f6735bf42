/** Decides what a tool may do with a column, from its type and its role in the table. */
import type { ColumnModel, ColumnType, TableModel } from "../../core/database-model.js";
import { getOwn } from "../../core/json.js";

/** How a column filters a list: by one value, by a range, by a period, or by elements of a list. */
export type FilterForm = "equal" | "range" | "period" | "holds";

const points = new Set(["date", "timestamp", "timestamptz"]);
const amounts = new Set(["int2", "int4", "int8", "numeric", "float4", "float8"]);
const words = new Set(
  "bool text varchar bpchar citext name uuid time inet cidr macaddr oid int2 int4 int8".split(" "),
);

/** @returns undefined for a type whose values nobody searches as a whole: JSON, bytes, shapes */
export function filterForm(column: ColumnModel, table: TableModel): FilterForm | undefined {
  if (isVersion(column) || isHidden(column, table)) return undefined;
  const { isArray, kind, name } = column.type;
  const isWord = kind === "enum" || words.has(name);
  if (isArray) return isWord ? "holds" : undefined;
  if (points.has(name)) return "period";
  if (amounts.has(name) && !isIdentity(column, table)) return "range";
  return isWord ? "equal" : undefined;
}

/** Checks for a number that identifies something, so that its size has no meaning. */
function isIdentity({ name, references }: ColumnModel, { keys }: TableModel): boolean {
  return references !== undefined || keys.some(({ columns }) => columns.includes(name));
}

/** Checks if the values are points in time. */
export function isPoint({ type }: ColumnModel): boolean {
  return points.has(type.name);
}

/** Checks if the rows have a useful order by a column of this type. */
export function isOrdered({ isArray, kind, name }: ColumnType): boolean {
  return !isArray && (kind === "enum" || points.has(name) || amounts.has(name) || words.has(name));
}

/** Checks if people usually sort by the column: newest first, most expensive first. */
export function leadsLists(column: ColumnModel, table: TableModel): boolean {
  const { isArray, name } = column.type;
  if (column.isNullable || isArray || isIdentity(column, table)) return false;
  if (points.has(name)) return true;
  return amounts.has(name) && table.indexed.includes(column.name) && !isVersion(column);
}

const versions = /^(?:row_?|lock_?|record_?)?version(?:_?(?:no|number|id))?$|^opt_?lock$/i;

/** Checks if the column counts the changes of its row. */
export function isVersion({ isNullable, name, type }: ColumnModel): boolean {
  return versions.test(name) && /^int[248]$/.test(type.name) && !type.isArray && !isNullable;
}

const secrets =
  /(?:^|_)(?:pass(?:word|wd|code|phrase)?|pwd|secret|token|api_?key|private_?key)(?:_?(?:hash|digest|salt))?$/i;

/** Checks if the name suggests that only programs should see the values. */
export function isSecret({ name }: ColumnModel): boolean {
  return secrets.test(name);
}

/** Checks if tools write the column but never read it. Columns of a key can't be hidden. */
export function isHidden(column: ColumnModel, { keys }: TableModel): boolean {
  return isSecret(column) && !keys.some(({ columns }) => columns.includes(column.name));
}

const shortNames: Readonly<Record<string, string>> = {
  "character varying": "text",
  character: "text",
  // Without a length, `bit` means one bit, and `character` one character.
  bit: "bit varying",
  "timestamp with time zone": "timestamptz",
  "timestamp without time zone": "timestamp",
};

/** The type to cast a parameter to if the context doesn't determine it. */
export function castOf({ isArray, sql }: ColumnType): string {
  return isArray ? sql : (getOwn(shortNames, sql) ?? sql);
}

/** Texts that have a type without a cast. */
const naturalDefaults: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [amounts, /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i],
  [new Set(["bool"]), /^(?:true|false)$/],
  [points, /^(?:now\(\)|CURRENT_(?:DATE|TIMESTAMP)|LOCALTIMESTAMP)$/],
  [new Set(["uuid"]), /^(?:gen_random_uuid|uuid_generate_v[14]|uuidv[47])\(\)$/],
  [new Set(["text", "varchar", "name"]), /^(?:CURRENT|SESSION)_USER$/],
];

/**
 * Expressions to which a following cast applies as a whole: a number, a call, a list, a
 * parenthesized expression.
 */
const oneExpression: readonly RegExp[] = [
  /^\d+$/,
  /^\w+\([^()]*\)$/,
  /^ARRAY\[[^[\]]*\]$/,
  /^\((?:[^()']|'[^']*'|\([^()']*\))*\)$/,
];

/**
 * Prints a default in an author's form. A literal needs no cast, because the context determines its
 * type.
 */
export function defaultText({ sqlDefault = "NULL", type }: ColumnModel): string {
  const literal = /^('(?:[^']|'')*')::[\w ".]+(?:\[\])?$/.exec(sqlDefault)?.[1];
  if (literal !== undefined) return literal;
  const own = type.isArray ? [] : naturalDefaults.filter(([names]) => names.has(type.name));
  if (own.some(([, texts]) => texts.test(sqlDefault))) return sqlDefault;
  // PostgreSQL converts a column's default to its type more freely than an expression beside a
  // parameter, so the expression needs a cast.
  const isOne = oneExpression.some((each) => each.test(sqlDefault));
  return `${isOne ? sqlDefault : `(${sqlDefault})`}::${castOf(type)}`;
}

/** Checks if a text can be part of a query unchanged, without being read as a reference. */
export function isPlainSql(text: string): boolean {
  return !text.includes("${") && !/(?<!:):(?=[A-Za-z_])/.test(text);
}
