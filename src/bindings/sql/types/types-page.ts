import { printCode } from "../../../core/code.js";
import type { JsonValue } from "../../../core/json.js";
import { type BuiltInType, builtInTypes } from "./builtin-types.js";
import { parameterSchema } from "./parameter-schema.js";
import { typeScriptOf } from "./sql-type.js";

const head = `# SQL types

This page lists the TypeScript type and the JSON form of each PostgreSQL type. You need it if you write \`returns\` or the type of a parameter by hand.

The runtime reads and writes PostgreSQL's text forms itself, so no digit and no microsecond is lost. A server and the embedded PostgreSQL give the same values. The runtime sets every session to
\`DateStyle\` ISO, \`IntervalStyle\` iso_8601, \`TimeZone\` UTC, \`bytea_output\` hex, \`array_nulls\` on, \`xmloption\` content and \`transform_null_equals\` off, and to the search path that skillc compiled
the tools with ([connections](../runtime/connections.md#postgresql)).

<!-- Written by \`npm run docs\` from the table in the source. -->

## Columns and parameters

| PostgreSQL | TypeScript | in JSON | PostgreSQL prints | JSON has |
| --- | --- | --- | --- | --- |`;

const rest = `
Parameters have the same forms. In addition, \`int8\` and \`numeric\` accept JSON numbers, and a list or an object may be a \`json\` or \`jsonb\`. A JSON integer beyond ±9007199254740991 was already rounded
when somebody parsed it. The runtime rejects it as an \`int8\` before it sends anything. Send an id back as it came from a column: as digits.

- **NULL** is null. An absent parameter is null in the statement. JSON's own null is NULL too, also for \`json\` and \`jsonb\`.
- **Enums** are unions of their labels. **Domains** have the type that they are based on.
- **Arrays** are arrays, and any element may be null: \`(number | null)[]\`. An array type may hold arrays of any depth, and PostgreSQL does not report the depth. A tool gets one dimension unless its
  \`returns\` says otherwise. A value of another depth fails the call. The result does not show bounds other than 1, such as \`[2:3]={7,8}\`.
- **Composite types, ranges, multiranges and the types of extensions** are strings, as PostgreSQL prints them.
- **Years** before 0000 and after 9999 have a sign and six digits, as in ECMAScript: \`-000043-03-15\` is 44 BC. Parameters accept the same form.
- **\`infinity\`** and **\`-infinity\`** are values of dates and timestamps. \`NaN\` and the infinities are values of \`numeric\`. In \`float4\` and \`float8\` they fail the call: cast them to text, or
  remove them with \`NULLIF\`.
- **JSON** is parsed. The call fails for an integer that a JavaScript number cannot hold, \`9007199254740993\`: select it as text, \`id::text\`. It also fails for a number out of range, \`1e400\`, and for
  more than 1000 levels. In a parameter for \`jsonb\`, the next rule applies to each text.
- **Text** contains no NUL and no half of a surrogate pair. The runtime rejects a parameter with one of them before it sends anything.

## Which parameters fit

If you declare a type, it must fit the type that PostgreSQL takes at the placeholder:

| PostgreSQL | JSON Schema |
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

- If no value of the schema fits, skillc reports the error \`sql/parameter-type\`: text for an \`int4\`, \`minimum: 3000000000\`, an \`enum\` without a label.
- If some values do not fit, or the schema does not say enough, skillc reports the warning \`sql/parameter-may-not-fit\`: \`maximum: 3000000000\`, any text for an enum, \`[string, integer]\` for \`text\`.
- A call with a value that does not fit fails. The runtime never converts a number to text. It converts text to a number only for \`int8\` and \`numeric\`.
- PostgreSQL reads the values that a schema lists (\`enum\`, \`const\`) at compile time.

## Parameters without a type

A parameter of a \`sql\` tool may leave its type to PostgreSQL. Write \`order_id:\` in the short form, \`{ description: Whose. }\` among \`properties\`, or any schema without \`type\`, list of values, \`$ref\` or
combination. The parameter then has the type that PostgreSQL takes at its placeholder, in types, validator and catalog:

<!-- inferred -->

An enum becomes a string with an \`enum\` of its labels. A domain becomes the type that it is based on. An array becomes a list of one dimension. Every other type becomes \`type: string\`.

- **Other keywords** stay: description, default, bounds, \`pattern\`, \`maxLength\`. skillc checks them against the type as usual. If they are about numbers (\`minimum: 1\`, \`default: 10\`), an \`int8\` becomes
  an integer within ±9007199254740991, and a \`numeric\` becomes a number. A keyword for another type, such as \`minimum\` for text, limits nothing: skillc reports \`sql/parameter-may-not-fit\`.
- **Several placeholders**: the parameter gets the type that fits all of them. \`int4\` and \`int2\` give \`int2\`. Text and an enum give the enum. If no value fits all, skillc reports the error
  \`sql/parameter-types-apart\`.
- **Null** needs a type that accepts it, \`[string, "null"]\`, even if the column accepts NULL. The items of a list are never null. The reason: nothing equals NULL, and writing NULL erases a value. An
  optional parameter (\`note?:\`) is NULL if it is absent.
- **Length**: a parameter that is written to a \`varchar(n)\` has \`maxLength: n\`. A parameter that is compared with one has no \`maxLength\`, because a longer text simply finds nothing.
- **LIMIT and OFFSET** take an integer from 0 on, also as \`LIMIT coalesce(:most, 20)\`. In an expression, \`OFFSET (:page - 1) * 20\`, the parameter is any integer, so add \`minimum: 1\`.
- **At call time only**, PostgreSQL checks a domain's CHECK, the digits of a \`numeric(p, s)\`, the length of a \`varchar(n)\` behind \`coalesce\` or another function, and the range of an \`int8\` in digits.
- **Rare values** do not fit such a parameter: \`NaN\`, the infinities, and years outside 0000 to 9999. If you need them, declare a type and a \`pattern\`.
- **No type**: in \`SELECT :label AS label\`, nothing decides the type. skillc reports the error \`sql/untyped-parameter\`. PostgreSQL itself rejects \`:since IS NULL\`, so write
  \`:since::timestamptz IS NULL\`. In \`now() - :age\` PostgreSQL takes a point in time, so write \`:age::interval\`. If a parameter is not a text elsewhere in the statement, cast it:
  \`SELECT :id::int AS id … WHERE id = :id\`.

If a migration changes the type of a column, \`skillc generate\` changes exactly the tools whose parameters take that type, with \`version.manifest\` and \`version.binding\`.

## What \`returns\` may say

\`returns\` may repeat the types above. It must accept null if a column may be NULL.

- It may narrow a type that PostgreSQL does not know: json, elements of arrays, the set of texts. The runtime then checks the value.
- It must accept all values of any other type. skillc reports the warning \`sql/returns-narrows\` for a \`maximum\` below the type's, a \`minimum\` above 0, an \`enum\` of numbers or dates, \`integer\` for a
  \`float8\`, or an \`enum\` with some of the labels.
- If no value of the column fits, skillc reports the error \`sql/returns-mismatch\`. A \`format\` that values of the type never have is an error too.

## How \`tsc\` sees a migration

A column in \`generated/databases\` has a type such as \`Pg<"int8">\`: a string, which \`tsc\` distinguishes from the strings of other PostgreSQL types. Each generated tool declares the columns that it selects
unchanged, and which of them may be null. After \`skillc db types\`, \`tsc\` therefore reports a tool that

- selects a column whose type changed, or that may now be NULL,
- writes NULL to a column that no longer accepts NULL,
- leaves out a column that new rows now need.

Callers see plain strings and numbers. \`tsc\` does not see expressions over columns, \`sum(quantity)\`, or statements that stay SQL text. \`skillc generate --check\` finds problems there.
`;

/** Renders the page docs/sql/types.md. */
export function renderTypesPage(): string {
  const inferred = [
    "| PostgreSQL | the parameter |",
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
