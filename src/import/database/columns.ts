/** What a tool may do with a column, by its type and by where it stands. */
import type { ColumnModel, ColumnType, TableModel } from "../../core/database-model.js";
import { getOwn } from "../../core/json.js";

/** How a list is narrowed by a column: to a value, to a range of them, or to lists that hold some. */
export type FilterForm = "equal" | "range" | "period" | "holds";

const points = new Set(["date", "timestamp", "timestamptz"]);
const amounts = new Set(["int2", "int4", "int8", "numeric", "float4", "float8"]);
const words = new Set(
  "bool text varchar bpchar citext name uuid time inet cidr macaddr oid int2 int4 int8".split(" "),
);

/** @returns undefined for a type whose values nobody looks for as a whole: JSON, bytes, shapes */
export function filterForm(column: ColumnModel, table: TableModel): FilterForm | undefined {
  if (isVersion(column) || isHidden(column, table)) return undefined;
  const { isArray, kind, name } = column.type;
  const isWord = kind === "enum" || words.has(name);
  if (isArray) return isWord ? "holds" : undefined;
  if (points.has(name)) return "period";
  if (amounts.has(name) && !isIdentity(column, table)) return "range";
  return isWord ? "equal" : undefined;
}

/** Numbers that name something are not more or less. */
function isIdentity({ name, references }: ColumnModel, { keys }: TableModel): boolean {
  return references !== undefined || keys.some(({ columns }) => columns.includes(name));
}

/** Whether its values are points in time. */
export function isPoint({ type }: ColumnModel): boolean {
  return points.has(type.name);
}

/** Whether its rows can be put in an order that a reader expects. */
export function isOrdered({ isArray, kind, name }: ColumnType): boolean {
  return !isArray && (kind === "enum" || points.has(name) || amounts.has(name) || words.has(name));
}

/** Whether rows are mostly read by it: the newest first, the dearest first. */
export function leadsLists(column: ColumnModel, table: TableModel): boolean {
  const { isArray, name } = column.type;
  if (column.isNullable || isArray || isIdentity(column, table)) return false;
  if (points.has(name)) return true;
  return amounts.has(name) && table.indexed.includes(column.name) && !isVersion(column);
}

const versions = /^(?:row_?|lock_?|record_?)?version(?:_?(?:no|number|id))?$|^opt_?lock$/i;

/** Whether it counts the changes of its row. */
export function isVersion({ isNullable, name, type }: ColumnModel): boolean {
  return versions.test(name) && /^int[248]$/.test(type.name) && !type.isArray && !isNullable;
}

const secrets =
  /(?:^|_)(?:pass(?:word|wd|code|phrase)?|pwd|secret|token|api_?key|private_?key)(?:_?(?:hash|digest|salt))?$/i;

/** Whether its name says that only a program should know its values. */
export function isSecret({ name }: ColumnModel): boolean {
  return secrets.test(name);
}

/** Whether tools write it and never read it. What a row is known by can't be hidden. */
export function isHidden(column: ColumnModel, { keys }: TableModel): boolean {
  return isSecret(column) && !keys.some(({ columns }) => columns.includes(column.name));
}

const shortNames: Readonly<Record<string, string>> = {
  "character varying": "text",
  character: "text",
  // Without a length it would be one bit, or one character.
  bit: "bit varying",
  "timestamp with time zone": "timestamptz",
  "timestamp without time zone": "timestamp",
};

/** The type that a parameter is cast to where nothing else tells it. */
export function castOf({ isArray, sql }: ColumnType): string {
  return isArray ? sql : (getOwn(shortNames, sql) ?? sql);
}

/** Texts that are of a type without saying so. */
const naturalDefaults: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [amounts, /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i],
  [new Set(["bool"]), /^(?:true|false)$/],
  [points, /^(?:now\(\)|CURRENT_(?:DATE|TIMESTAMP)|LOCALTIMESTAMP)$/],
  [new Set(["uuid"]), /^(?:gen_random_uuid|uuid_generate_v[14]|uuidv[47])\(\)$/],
  [new Set(["text", "varchar", "name"]), /^(?:CURRENT|SESSION)_USER$/],
];

/** What a cast behind it is about as a whole: a number, a call, a list, what stands in parentheses. */
const oneExpression: readonly RegExp[] = [
  /^\d+$/,
  /^\w+\([^()]*\)$/,
  /^ARRAY\[[^[\]]*\]$/,
  /^\((?:[^()']|'[^']*'|\([^()']*\))*\)$/,
];

/** A default as an author would write it: the type of a literal follows from where it stands. */
export function defaultText({ sqlDefault = "NULL", type }: ColumnModel): string {
  const literal = /^('(?:[^']|'')*')::[\w ".]+(?:\[\])?$/.exec(sqlDefault)?.[1];
  if (literal !== undefined) return literal;
  const own = type.isArray ? [] : naturalDefaults.filter(([names]) => names.has(type.name));
  if (own.some(([, texts]) => texts.test(sqlDefault))) return sqlDefault;
  // PostgreSQL makes a column's type of more than it takes beside a parameter.
  const isOne = oneExpression.some((each) => each.test(sqlDefault));
  return `${isOne ? sqlDefault : `(${sqlDefault})`}::${castOf(type)}`;
}

/** Whether a text can stand in a query as it is: it would be taken for a reference otherwise. */
export function isPlainSql(text: string): boolean {
  return !text.includes("${") && !/(?<!:):(?=[A-Za-z_])/.test(text);
}
