import { printCode } from "../../../core/code.js";
import type { JsonValue } from "../../../core/json.js";
import { type BuiltInType, builtInTypes } from "./builtin-types.js";
import { parameterSchema } from "./parameter-schema.js";
import { typeScriptOf } from "./sql-type.js";

const head = `# SQL types

How values travel between JSON and PostgreSQL. The runtime reads and writes PostgreSQL's text forms itself, so no digit and no microsecond is lost on the way, and a
server and the embedded engine give the same. Every session is set to \`DateStyle\` ISO, \`IntervalStyle\` iso_8601, \`TimeZone\` UTC, \`bytea_output\` hex, \`array_nulls\` on,
\`xmloption\` content and \`transform_null_equals\` off, whatever the server's own settings are, and to the search path that tools were compiled with
([runtime.md](runtime.md#connections)).

<!-- Written by \`npm run docs\` from the table in the source. -->

## Columns and parameters

| PostgreSQL | TypeScript | in JSON | PostgreSQL prints | JSON has |
| --- | --- | --- | --- | --- |`;

const rest = `
Parameters take the same forms. In addition, \`int8\` and \`numeric\` take JSON numbers, and a list or an object may be a \`json\` or \`jsonb\`. A JSON number that is an integer beyond
±9007199254740991 has been rounded by whoever read it: as an \`int8\` it is refused before anything is sent. An id that came out of a column as digits goes back as digits.

- **NULL** is null. A parameter that is absent is null to the statement; so is JSON's own null, for \`json\` and \`jsonb\` too.
- **Enums** are unions of their labels. **Domains** are what they are based on.
- **Arrays** are arrays, and any element may be null: \`(number | null)[]\`; those of a domain too. An array type may hold arrays of any depth, which PostgreSQL doesn't tell: a tool gets
  one dimension unless its \`returns\` says more, and a value of another depth fails the call. Bounds other than 1, \`[2:3]={7,8}\`, are not told.
- **Composite types, ranges, multiranges and the types of extensions** are strings as PostgreSQL prints them.
- **Years** before 0000 and after 9999 have a sign and six digits: \`-000043-03-15\` is 44 BC, as ECMAScript has it. They are read back the same.
- **\`infinity\`** and **\`-infinity\`** stay what they are for dates and timestamps; \`NaN\` and the infinities of \`numeric\` too. Of \`float4\` and \`float8\` they fail the call: cast them
  to text, or leave them out with \`NULLIF\`.
- **JSON** is parsed. An integer in it whose digits a JavaScript number can't hold, \`9007199254740993\`, fails the call: give it as text, \`id::text\`. A number beyond the range, \`1e400\`, fails the call too, and so do more than 1000 levels. In
  a parameter for \`jsonb\`, texts are what text is.
- **Text** has no NUL and no half of a surrogate pair; a parameter with one is refused before anything is sent.

## Which parameters fit

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
| \`timestamp\` | \`string\`, \`format: date\`, or a \`pattern\`; of a \`date-time\` PostgreSQL drops the offset |
| \`date\` | \`string\`, \`format: date\` |
| \`timetz\` | \`string\`, \`format: time\` |
| \`interval\` | \`string\`, \`format: duration\` |
| \`bytea\` | \`string\`, \`contentEncoding: base64\` |
| \`json\`, \`jsonb\` | anything |
| an enum | \`string\`, with an \`enum\` of its labels |
| an array | \`array\`, whose \`items\` fit the elements |
| the rest | \`string\` |

What can never fit, as no value that the schema allows is one of the type, is the error \`sql/parameter-type\`: text for an \`int4\`, \`minimum: 3000000000\`, an \`enum\` without a label. What may not fit, as some
values are none or the schema doesn't say enough, is the warning \`sql/parameter-may-not-fit\`: \`maximum: 3000000000\`, any text for an enum, \`[string, integer]\` for \`text\`. A call with a value that doesn't
fit is refused; text is never made of a number, nor a number of text but for \`int8\` and \`numeric\`. The values that a schema lists (\`enum\`, \`const\`) are read by PostgreSQL when the tool is compiled.

## Parameters without a type

A parameter of a \`sql\` tool may leave its type to PostgreSQL: \`order_id:\` in short form, \`{ description: Whose. }\` among \`properties\`, any schema with no \`type\`, no list of values, no \`$ref\` and
no combination. It is then of the type that PostgreSQL takes where its placeholder stands, in types, validator and catalog alike:

<!-- inferred -->

An enum is a string with an \`enum\` of its labels, a domain what it is based on, an array a list of one dimension, the rest \`type: string\`.

- **What is said beside it** is kept: description, default, bounds, \`pattern\`, \`maxLength\`. It is checked against the type like any other. Where it speaks of numbers (\`minimum: 1\`, \`default: 10\`), an
  \`int8\` is an integer within ±9007199254740991, and a \`numeric\` a number. A limit of other values,
  \`minimum\` where PostgreSQL takes text, limits nothing: that is the warning \`sql/parameter-may-not-fit\`.
- **At several places** it is what fits all of them: \`int4\` and \`int2\` make an \`int2\`, text and an enum the enum. Where no value fits all, that is the error \`sql/parameter-types-apart\`.
- **Null** is only taken where a type says so, \`[string, "null"]\`, whether the column takes NULL or not, and no item of a list is null: nothing equals NULL, and writing one erases what was there. A
  parameter that may be left out (\`note?:\`) is NULL then, as ever.
- **Length.** What is written to a \`varchar(n)\` has \`maxLength: n\`. What is compared with one has not: a longer text is none of its values, so it is not found, which is the answer.
- **LIMIT and OFFSET** take an integer from 0 on, also as \`LIMIT coalesce(:most, 20)\`. What is computed, \`OFFSET (:page - 1) * 20\`, is any integer: say \`minimum: 1\`.
- **What only PostgreSQL checks**, when the tool is called: a domain's CHECK, the digits of a \`numeric(p, s)\`, the length of a \`varchar(n)\` behind \`coalesce\` or another function, the range of an
  \`int8\` given as digits.
- **Rare values**, \`NaN\`, the infinities and years beyond 0000 to 9999, are no values of such a parameter: give it a type and a \`pattern\` where they are wanted.
- **Nothing tells a type** in \`SELECT :label AS label\`: that is the error \`sql/untyped-parameter\`. PostgreSQL itself refuses \`:since IS NULL\`, so write \`:since::timestamptz IS NULL\`. In
  \`now() - :age\` it takes a point in time, so write \`:age::interval\`. Where the parameter is no text in another place, cast it: \`SELECT :id::int AS id … WHERE id = :id\`.

When a migration changes the type of a column, \`skillc generate\` changes the tools whose parameters take it, with \`version.manifest\` and \`version.binding\`, and no others.

## What \`returns\` may say

The types above, and null where it may come. It may narrow what PostgreSQL doesn't know: json, elements of arrays, which texts; the runtime then checks it. Of any other type it
takes all values: a \`maximum\` below the type's, a \`minimum\` above 0, an \`enum\` of numbers or dates, \`integer\` for a \`float8\`, an \`enum\` with some labels are the warning \`sql/returns-narrows\`. What no value of the column fits is the error \`sql/returns-mismatch\`, and a \`format\`
that values of the type never have is an error.

## What \`tsc\` sees of a migration

A column in \`generated/databases\` is a \`Pg<"int8">\`: a string like any other, which \`tsc\` tells from the strings of other PostgreSQL types. Each generated tool says which columns it
selects as they stand there, and which of them may be null. So after \`skillc db types\`, a tool is an error that selects a column of another type or one that may now be NULL,
gives NULL to a column that takes none any more, or leaves one out of new rows that has to be there. Callers see plain strings and numbers.

What is computed from columns, \`sum(quantity)\`, and statements that stay SQL text are not seen so: \`skillc generate --check\` finds those.
`;

/** docs/sql-types.md. */
export function renderTypesPage(): string {
  const inferred = [
    "| PostgreSQL | the parameter |",
    "| --- | --- |",
    ...builtInTypes.flatMap(inferredLine),
  ];
  return `${head}\n${builtInTypes.map(line).join("\n")}\n${rest.replace("<!-- inferred -->", () => inferred.join("\n"))}`;
}

/** None for what is any text. */
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
