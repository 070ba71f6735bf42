import { printCode } from "../../../core/code.js";
import type { JsonValue } from "../../../core/json.js";
import { type BuiltInType, builtInTypes } from "./builtin-types.js";
import { parameterSchema } from "./parameter-schema.js";
import { typeScriptOf } from "./sql-type.js";

const head = `# SQL types

This page lists the TypeScript type and the JSON form of each PostgreSQL type. Read it if you write \`returns\`, or the type of a parameter, by hand. For example, an \`int8\` column of a row is a string, so no digit is lost:

    { "id": "9223372036854775807" }

A server and the embedded PostgreSQL give the same values, because the runtime sets these options in every session:

- \`DateStyle\` ISO, \`IntervalStyle\` iso_8601, \`TimeZone\` UTC, \`bytea_output\` hex, \`xmloption\` content
- \`array_nulls\` on, \`transform_null_equals\` off
- the [search path](../runtime/connections.md#postgresql) that the compiler used

<!-- Written by \`npm run docs\` from the table in the source. -->

## Columns and parameters

| PostgreSQL type | TypeScript type | JSON form | PostgreSQL prints | example in JSON |
| --- | --- | --- | --- | --- |`;

const rest = `
A column and a parameter of a type have the same form. A parameter accepts two more forms: a JSON number for \`int8\` and \`numeric\`, and a list or an object for \`json\` and \`jsonb\`.

Pass an id as a string of digits, as it came from a column. A JSON parser rounds an integer beyond ±9007199254740991. So the runtime rejects such a number for an \`int8\` parameter, and sends nothing.

- **NULL** is \`null\`. If a call omits an optional parameter, the statement gets NULL. The JSON value \`null\` and NULL are the same: both are \`null\` in a row, and a parameter \`null\` is NULL even for \`jsonb\`.
- **Enums** are unions of their labels. **Domains** have the type that they are based on.
- **Arrays** are lists, and any element may be null: \`(number | null)[]\`. skillc assumes one dimension, because PostgreSQL does not report the number of dimensions. For more dimensions, declare lists of lists in \`returns\`. If a value has another number of dimensions, the call fails. A list does not show array bounds other than 1, as in \`[2:3]={7,8}\`.
- **Composite types, ranges, multiranges and the types of extensions** are strings, as PostgreSQL prints them.
- **Years** before 0000 and after 9999 have a sign and six digits, as in ECMAScript: \`-000043-03-15\` is 44 BC.
- **Infinity and NaN.** Dates and timestamps may be \`"infinity"\` or \`"-infinity"\`. A \`numeric\` may be \`"Infinity"\`, \`"-Infinity"\` or \`"NaN"\`. If a \`float4\` or \`float8\` column has such a value, the call fails. Cast the column to text, or remove the value with \`NULLIF\`.
- **JSON** in a \`json\` or \`jsonb\` column is parsed. The call fails if the JSON has an integer that a JavaScript number cannot hold (\`9007199254740993\`), a number out of range (\`1e400\`), or more than 1000 levels. Select such a value as text: \`id::text\`.
- **Text** in a parameter must not contain a NUL character or half of a surrogate pair. The runtime rejects such a parameter, and sends nothing. The same rule holds for each text inside a \`jsonb\` parameter.

## Which parameters fit

If you declare the type of a parameter, its schema must fit the type that PostgreSQL expects at the placeholder. These schemas fit:

| PostgreSQL type | JSON Schema that fits |
| --- | --- |
| \`int2\`, \`int4\`, \`oid\` | \`integer\`, with \`minimum\` and \`maximum\` within the type's range |
| \`int8\` | \`string\` with a \`pattern\` of digits, or \`integer\` with \`minimum\` and \`maximum\` within ±9007199254740991 |
| \`numeric\` | \`number\`, \`integer\`, or \`string\` with a \`pattern\`; for a column of \`numeric(p, s)\`, bounds and values below 10 to the power of p − s |
| \`float4\`, \`float8\` | \`number\`, \`integer\` |
| \`bool\` | \`boolean\` |
| \`text\`, \`varchar\` | \`string\`; for a column of \`varchar(n)\`, \`maxLength\` up to n |
| \`uuid\` | \`string\`, \`format: uuid\` |
| \`timestamptz\` | \`string\`, \`format: date-time\` or \`date\` |
| \`timestamp\` | \`string\`, \`format: date\`, or a \`pattern\`; PostgreSQL drops the offset of a \`date-time\` |
| \`date\` | \`string\`, \`format: date\` |
| \`timetz\` | \`string\`, \`format: time\` |
| \`interval\` | \`string\`, \`format: duration\` |
| \`bytea\` | \`string\`, \`contentEncoding: base64\` |
| \`json\`, \`jsonb\` | anything |
| an enum | \`string\`, with an \`enum\` of its labels |
| an array | \`array\`, whose \`items\` fit the elements |
| every other type | \`string\` |

- If no value of the schema fits, skillc reports the error \`sql/parameter-type\`. Examples are a string for an \`int4\`, and \`minimum: 3000000000\` for an \`int4\`.
- If only some values of the schema fit, skillc reports the warning \`sql/parameter-may-not-fit\`. Examples are \`maximum: 3000000000\` for an \`int4\`, and a string without \`enum\` for an enum.
- If a call passes a value that does not fit, the call fails. The runtime never converts a number to text. It converts text to a number only for \`int8\` and \`numeric\`.
- If a schema lists its values (\`enum\`, \`const\`), PostgreSQL reads each value at compile time. skillc reports the values that PostgreSQL rejects.

## Parameters without a type

You may declare a parameter without a type, such as \`order_id:\` or \`order_id: { description: The order. }\`. Such a declaration has no \`type\`, \`enum\`, \`const\`, \`$ref\`, \`anyOf\` or similar keyword. The parameter then gets the type that PostgreSQL expects at its placeholder. skillc uses this type in the TypeScript types, the validator and the catalog:

<!-- inferred -->

An enum becomes a string with an \`enum\` of its labels. A domain becomes the type that it is based on. An array becomes a list of one dimension. Every other type becomes \`type: string\`.

- **Other keywords** stay, such as a description, a default, bounds, \`pattern\` or \`maxLength\`. skillc checks them against the type. With a keyword for numbers (\`minimum: 1\`, \`default: 10\`), an \`int8\` becomes an integer within ±9007199254740991, and a \`numeric\` becomes a number. If a keyword does not belong to the type, such as \`minimum\` for text, skillc reports \`sql/parameter-may-not-fit\`.
- **Several placeholders.** The parameter gets the type that fits all its placeholders. \`int4\` and \`int2\` give \`int2\`. Text and an enum give the enum. If no value fits all of them, skillc reports the error \`sql/parameter-types-apart\`.
- **Null.** The parameter does not accept null, even if the column does, because nothing equals NULL and because writing NULL erases a value. To accept null, declare a type: \`[string, "null"]\`. An optional parameter (\`note?:\`) that a call omits is NULL. The items of a list are never null.
- **Length.** If the statement writes the parameter to a \`varchar(n)\`, the parameter gets \`maxLength: n\`. If the statement only compares them, there is no \`maxLength\`. A longer text then finds no row.
- **LIMIT and OFFSET.** The parameter is an integer from 0, also in \`LIMIT coalesce(:max, 20)\`. In another expression, such as \`OFFSET (:page - 1) * 20\`, the parameter is any integer. So add \`minimum: 1\` there.
- **Checks that only a call makes.** PostgreSQL checks these when the tool is called: the CHECK of a domain, the digits of a \`numeric(p, s)\`, the range of an \`int8\`, and the length of a \`varchar(n)\` if the parameter is inside a function such as \`coalesce\`.
- **Rare values** do not fit: \`NaN\`, infinities, and years outside 0000 to 9999. If you need them, declare a type and a \`pattern\`.
- **No type.** Some placeholders have no type, as in \`SELECT :label AS label\`. skillc reports the error \`sql/untyped-parameter\`. Write a cast: \`SELECT :label::text AS label\`.
- **A wrong type.** PostgreSQL may expect another type than you do. In \`now() - :age\` PostgreSQL expects a point in time, so write \`:age::interval\`.

If a migration changes the type of a column, the next \`skillc generate\` changes the tools whose parameters have that type, and no others.

## What \`returns\` may say

\`returns\` may repeat the types above. If a column may be NULL, \`returns\` must accept null for that column.

- \`returns\` may restrict values that PostgreSQL does not check: the content of json, elements of arrays, the texts of a text column. The runtime then checks each value.
- For any other type, \`returns\` must accept all values of the type. Otherwise skillc reports the warning \`sql/returns-narrows\`. Examples are \`maximum: 100\` for an \`int4\`, \`integer\` for a \`float8\`, and an \`enum\` that lacks a label.
- If \`returns\` accepts no value of the column, skillc reports the error \`sql/returns-mismatch\`. skillc also reports this error for a \`format\` that no value of the type has.

## How \`tsc\` sees a migration

\`skillc db types\` writes the types of your tables to \`generated/databases\`. There a column has a type such as \`Pg<"int8">\`. \`Pg<"int8">\` is a string that \`tsc\` distinguishes from the strings of other PostgreSQL types. After a migration, run \`skillc db types\`. \`tsc\` then reports a tool that

- selects a column whose type changed, or that may now be NULL,
- writes NULL to a column that no longer accepts NULL,
- inserts rows without a column that new rows now need.

\`tsc\` does not check an expression over columns, such as \`sum(quantity)\`, or a statement that stays SQL text. For these, run \`skillc generate --check\`. Code that calls tools sees plain strings and numbers, not \`Pg<…>\`.
`;

/** Renders the page docs/sql/types.md. */
export function renderTypesPage(): string {
  const inferred = [
    "| PostgreSQL type | schema of the parameter |",
    "| --- | --- |",
    ...builtInTypes.flatMap(inferredLine),
  ];
  return `${head}\n${builtInTypes.map(line).join("\n")}\n${rest.replace("<!-- inferred -->", () => inferred.join("\n"))}`;
}

/** The row of a type; no row if its parameter is any text. */
function inferredLine(type: BuiltInType): readonly string[] {
  const schema = parameterSchema(
    [{ kind: "scalar", name: type.names[0] ?? "", traits: type }],
    false,
  );
  const keywords = Object.entries(schema ?? {}).map(
    ([name, value]) => `${name}: ${shownValue(value)}`,
  );
  const isAnyText =
    keywords.length === 1 && schema?.["type"] === "string" && !type.names.includes("text");
  return isAnyText
    ? []
    : [`| ${type.names.map(codeSpan).join(", ")} | ${codeSpan(keywords.join(", "))} |`];
}

function shownValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.join(", ")}]`;
  return typeof value === "string" && !/^[a-z-]+$/.test(value)
    ? JSON.stringify(value)
    : String(value);
}

function line(type: BuiltInType): string {
  const typeScript = printCode(
    typeScriptOf({ kind: "scalar", name: type.names[0] ?? "", traits: type }),
  );
  const [printed, json] = type.example;
  const cells = [
    type.names.map(codeSpan).join(", "),
    codeSpan(typeScript),
    type.form,
    codeSpan(printed),
    codeSpan(json),
  ];
  return `| ${cells.join(" | ")} |`;
}

function codeSpan(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
