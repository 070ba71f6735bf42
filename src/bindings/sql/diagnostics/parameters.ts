import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { callerDiagnosticEntries } from "../../../kit/reference-diagnostics.js";
import { highRisk, sqlEntry, sqlExample, writes } from "./example.js";

const byCustomer = "SELECT id FROM orders WHERE customer = :customer";
const insert =
  "INSERT INTO orders (id, customer, status) VALUES (:order_id, :customer, 'open') RETURNING id";
const triggered = `CREATE TABLE notes (id bigint PRIMARY KEY, written_at timestamptz NOT NULL);
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.written_at := now(); RETURN NEW; END $$;
CREATE TRIGGER stamp BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION stamp();
`;
const mapping = 'parameter_mapping: { customer: ":customer_name" }';

/** Diagnostics of placeholders and parameters. */
export const parameterDiagnosticEntries: DiagnosticEntries = {
  "sql/unknown-parameter": sqlEntry({
    title: "a placeholder that names no parameter",
    explanation:
      "Each `:name` gets its value from the parameter with that name, or from the parameter that `parameter_mapping` gives it. Without such a parameter, the placeholder has no value.",
    example: {
      query: "SELECT id FROM orders WHERE customer = :custmer",
      parameters: ["customer: string"],
    },
    fixed: { query: byCustomer },
  }),
  "sql/unused-parameter": sqlEntry({
    title: "a parameter that the statement doesn't use",
    explanation:
      "A caller who passes a parameter expects it to matter. Use each parameter in the statement, or list it in the tool's `unused`. A placeholder in quotes is text and doesn't count.",
    example: { query: "SELECT id FROM orders", parameters: ["customer: string"] },
    fixed: { query: byCustomer },
  }),
  "sql/untyped-parameter": sqlEntry({
    title: "a parameter whose type skillc can't infer",
    explanation:
      "A parameter without `type` gets the type that PostgreSQL expects at its placeholder. PostgreSQL expects no type if the placeholder alone is a column of the result, or if the parameter is listed in `unused`. Write the `type` of such a parameter.",
    example: {
      query: "SELECT :label AS label, count(*) AS orders FROM orders",
      parameters: ["label:"],
    },
    fixed: { parameters: ["label: string"] },
  }),
  "sql/parameter-types-apart": sqlEntry({
    title: "a parameter without a type, used as types that share no value",
    explanation:
      "A parameter without `type` gets a type that fits every place of its placeholder. Here PostgreSQL expects types that have no value in common, such as a date and a number. No value would fit all places.",
    example: {
      query: "SELECT id FROM orders WHERE customer = :wanted OR length(customer) = :wanted",
      parameters: ["wanted:"],
    },
    fixed: {
      query: "SELECT id FROM orders WHERE customer = :wanted OR length(customer) = :length",
      parameters: ["wanted:", "length:"],
    },
  }),
  "sql/not-unused": sqlEntry({
    title: "`unused` lists a parameter that the statement uses",
    explanation:
      "`unused` is for parameters that the tool ignores on purpose. The statement uses this parameter, so it doesn't belong in the list.",
    example: { query: byCustomer, parameters: ["customer: string"], tool: ["unused: [customer]"] },
    fixed: { tool: [] },
  }),
  "sql/unknown-unused": sqlEntry({
    title: "`unused` lists an unknown parameter",
    explanation:
      "`unused` lists parameters of the tool. Another name is a misspelling, or a parameter that the tool no longer has.",
    example: { query: byCustomer, parameters: ["customer: string"], tool: ["unused: [custmer]"] },
    fixed: { tool: [] },
  }),
  "sql/bad-mapping": sqlEntry({
    title: "an invalid entry of `parameter_mapping`",
    explanation:
      'In `parameter_mapping`, the key is the placeholder without its colon. The value is the name of a parameter, with or without a colon: `customer: ":customer_name"`. The value may also be one field of the caller, without other text: `tenant: "{caller.tenant}"`.',
    example: {
      query: byCustomer,
      parameters: ["customer_name: string"],
      binding: ['parameter_mapping: { ":customer": customer_name }'],
    },
    fixed: { binding: [mapping] },
  }),
  ...callerDiagnosticEntries("sql", (field, parameter) =>
    sqlExample({
      query: `SELECT id FROM orders WHERE customer = :tenant AND note = :${parameter}`,
      parameters: [`${parameter}: string`],
      binding: [`parameter_mapping: { tenant: "{caller.${field}}" }`],
    }),
  ),
  "sql/unused-mapping": sqlEntry({
    title: "a mapping for a placeholder that the statement doesn't have",
    explanation:
      "`parameter_mapping` connects a placeholder of the statement with a parameter of another name. The statement has no placeholder with this name, so the entry does nothing.",
    example: {
      query: "SELECT id FROM orders WHERE customer = :customer_name",
      parameters: ["customer_name: string"],
      binding: [mapping],
    },
    fixed: { binding: [] },
  }),
  "sql/parameter-type": sqlEntry({
    title: "a parameter that never fits the type in PostgreSQL",
    explanation:
      "No value that the parameter's schema accepts fits the type at its place in the statement, so no call with a value could succeed. The type may differ, the numbers may be out of range, an `enum` may list no label of the PostgreSQL enum, or `minLength` may exceed the length of the column. docs/sql/types.md lists the types that fit. If some values fit, skillc reports the warning `sql/parameter-may-not-fit` instead. A default that can't be sent is also an error, because every call without the parameter fails.",
    example: {
      query: "SELECT id FROM orders WHERE length(note) > :least",
      parameters: ["least: { type: integer, minimum: 3000000000 }"],
    },
    fixed: { parameters: ["least: { type: integer, minimum: 0, maximum: 10000 }"] },
  }),
  "sql/parameter-may-not-fit": sqlEntry({
    severity: "warning",
    title: "a parameter with values that PostgreSQL may reject",
    explanation:
      "The parameter's schema accepts more values than the type in PostgreSQL, or is too vague to be sure. Examples are any text for a uuid, an integer without bounds for `int4`, a `maxLength` longer than a `varchar(40)`, and an `enum` with a label that the PostgreSQL enum lacks. A call with such a value fails in the database. A stricter schema rejects the value before the call and tells the model what is allowed.",
    example: {
      query: "SELECT id FROM orders WHERE status = :status",
      parameters: ["status: string"],
    },
    fixed: { parameters: ["status: { type: string, enum: [open, shipped] }"] },
  }),
  "sql/never-true": sqlEntry({
    severity: "warning",
    title: "a condition that is never true for NULL",
    explanation:
      "A parameter that is absent or null is NULL in the statement. A comparison with NULL (`=`, `>`, LIKE) is never true, so the statement finds no rows. If an absent parameter means no filter, write `:note::text IS NULL OR note = :note`. If you want to find NULL, write `note IS NOT DISTINCT FROM :note`. A literal `note = NULL` never finds a row; write `note IS NULL`.",
    example: { query: "SELECT id FROM orders WHERE note = :note", parameters: ["note?: string"] },
    fixed: { query: "SELECT id FROM orders WHERE :note::text IS NULL OR note = :note" },
  }),
  "sql/literal-parameter": sqlEntry({
    severity: "warning",
    title: "a placeholder in quotes",
    explanation:
      "Everything between quotes is text, including `:name`, so PostgreSQL compares with exactly these characters. If the value belongs inside a text, join the parts with `||`. In `set_config` of skillc.yaml, `caller.tenant` without braces is text too.",
    example: {
      query: "SELECT id FROM orders WHERE note = :note OR note LIKE '%:note%'",
      parameters: ["note: string"],
    },
    fixed: { query: "SELECT id FROM orders WHERE note = :note OR note LIKE '%' || :note || '%'" },
  }),
  "sql/constant-order": sqlEntry({
    severity: "warning",
    title: "rows sorted by a placeholder",
    explanation:
      "A placeholder stands for a value, never for the name of a column. The value is the same for every row, so the rows come in any order. Choose a column with `CASE`. If the columns have different types, write one `CASE` for each, separated by commas.",
    example: {
      query: "SELECT id FROM orders ORDER BY :column",
      parameters: ["column: { type: string, enum: [customer, status] }"],
    },
    fixed: {
      query:
        "SELECT id FROM orders ORDER BY CASE :column WHEN 'customer' THEN customer WHEN 'status' THEN status::text END",
    },
  }),
  "sql/negative-limit": sqlEntry({
    severity: "warning",
    title: "a limit that may be negative",
    explanation:
      "PostgreSQL rejects a negative LIMIT or OFFSET when the statement runs. `minimum: 0` tells the caller before the call.",
    example: {
      query: "SELECT id FROM orders ORDER BY id LIMIT :most",
      parameters: ["most: { type: integer, maximum: 100 }"],
    },
    fixed: { parameters: ["most: { type: integer, minimum: 0, maximum: 100 }"] },
  }),
  "sql/null-not-stored": sqlEntry({
    title: "NULL for a column that rejects NULL",
    explanation:
      "A parameter that is absent or null is NULL in the statement, even if the column has a default, and PostgreSQL rejects the row. Make the parameter required, or replace NULL with `coalesce`. PostgreSQL rejects a literal NULL in every call, and also DEFAULT if the column has no default.",
    example: {
      query: insert,
      parameters: ["order_id: integer", "customer?: { type: string, maxLength: 40 }"],
      tool: highRisk,
      binding: [...writes, "rows: one"],
    },
    fixed: { parameters: ["order_id: integer", "customer: { type: string, maxLength: 40 }"] },
  }),
  "sql/column-left-out": sqlEntry({
    title: "new rows without a required column",
    explanation:
      "If an INSERT doesn't name a column, the column gets its default, or NULL if it has no default. This column rejects NULL and has no default, so PostgreSQL rejects every new row.",
    example: {
      query: "INSERT INTO orders (id, status) VALUES (:order_id, 'open') RETURNING id",
      parameters: ["order_id: integer"],
      tool: highRisk,
      binding: [...writes, "rows: one"],
    },
    fixed: {
      query: insert,
      parameters: ["order_id: integer", "customer: { type: string, maxLength: 40 }"],
    },
  }),
  "sql/may-be-left-out": sqlEntry({
    severity: "warning",
    title: "new rows without a required column, on a table with a trigger",
    explanation:
      "The INSERT doesn't name a column that rejects NULL and has no default, as in `sql/column-left-out`. A trigger that runs before the INSERT, or a rule, may fill the column. skillc doesn't check what the trigger does, and `tsc` can't check the rows.",
    example: {
      query: "INSERT INTO notes (id) VALUES (:note_id) RETURNING id",
      parameters: ["note_id: integer"],
      tool: highRisk,
      binding: [...writes, "rows: one"],
      schema: triggered,
    },
    fixed: {
      query: "INSERT INTO notes (id, written_at) VALUES (:note_id, now()) RETURNING id",
    },
  }),
};
