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

/** What can be wrong between the placeholders of a statement and the parameters of its tool. */
export const parameterDiagnosticEntries: DiagnosticEntries = {
  "sql/unknown-parameter": sqlEntry({
    title: "a placeholder that names no parameter",
    explanation:
      "Each `:name` takes its value from the parameter of that name, or from the one that `parameter_mapping` gives it.",
    example: {
      query: "SELECT id FROM orders WHERE customer = :custmer",
      parameters: ["customer: string"],
    },
    fixed: { query: byCustomer },
  }),
  "sql/unused-parameter": sqlEntry({
    title: "a parameter that reaches nothing",
    explanation:
      "A caller who passes a parameter expects it to matter. Each one stands in the statement, or is listed in the tool's `unused`. In quotes a placeholder is text.",
    example: { query: "SELECT id FROM orders", parameters: ["customer: string"] },
    fixed: { query: byCustomer },
  }),
  "sql/untyped-parameter": sqlEntry({
    title: "a parameter without a type that nothing in the statement tells",
    explanation:
      "A parameter without `type` has the one that PostgreSQL takes where its placeholder stands. A placeholder that is a column of the result by itself may be anything, and one that " +
      "stands nowhere, of a parameter listed under `unused`, too: there the author says the type.",
    example: {
      query: "SELECT :label AS label, count(*) AS orders FROM orders",
      parameters: ["label:"],
    },
    fixed: { parameters: ["label: string"] },
  }),
  "sql/parameter-types-apart": sqlEntry({
    title: "a parameter without a type, at places of types that have no value in common",
    explanation:
      "A parameter without `type` takes what PostgreSQL takes at every place of its placeholder. Where no value is of all those types, as a date and a number, there is no such parameter.",
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
    title: "a parameter listed as unused that the statement uses",
    explanation:
      "`unused` is for parameters that deliberately reach nothing. One that stands in the statement does not belong there.",
    example: { query: byCustomer, parameters: ["customer: string"], tool: ["unused: [customer]"] },
    fixed: { tool: [] },
  }),
  "sql/unknown-unused": sqlEntry({
    title: "`unused` names no parameter",
    explanation:
      "`unused` lists parameters of the tool; another name there is a leftover or a misspelling.",
    example: { query: byCustomer, parameters: ["customer: string"], tool: ["unused: [custmer]"] },
    fixed: { tool: [] },
  }),
  "sql/bad-mapping": sqlEntry({
    title: "a mapping that maps nothing",
    explanation:
      'In `parameter_mapping` the key is the placeholder without its colon, the value the name of a parameter, with a colon or without: `customer: ":customer_name"`; or one field of the caller and nothing around it: `tenant: "{caller.tenant}"`.',
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
    title: "a mapping of a placeholder that the statement lacks",
    explanation:
      "`parameter_mapping` is for placeholders of the statement whose parameter has another name.",
    example: {
      query: "SELECT id FROM orders WHERE customer = :customer_name",
      parameters: ["customer_name: string"],
      binding: [mapping],
    },
    fixed: { binding: [] },
  }),
  "sql/parameter-type": sqlEntry({
    title: "a parameter whose values can't be of the type that PostgreSQL takes",
    explanation:
      "Nothing that the schema of a parameter accepts is a value of the type that its place in the statement has, so that no call that gives one could succeed: another type, numbers beyond its range, " +
      "an `enum` without a label of the PostgreSQL enum, a `minLength` above what the column holds. docs/sql/types.md lists which fit. Where some values fit, that is the warning " +
      "`sql/parameter-may-not-fit`. A default that can't be sent is an error too: it fails every call that leaves the parameter out.",
    example: {
      query: "SELECT id FROM orders WHERE length(note) > :least",
      parameters: ["least: { type: integer, minimum: 3000000000 }"],
    },
    fixed: { parameters: ["least: { type: integer, minimum: 0, maximum: 10000 }"] },
  }),
  "sql/parameter-may-not-fit": sqlEntry({
    severity: "warning",
    title: "a parameter that may have values that PostgreSQL does not take",
    explanation:
      "The schema accepts more than the type has, or says too little to be sure: a text where a uuid is wanted, an integer without bounds for `int4`, a `maxLength` above what a `varchar(40)` holds, an " +
      "`enum` with a label that the PostgreSQL enum lacks. A call with such a value fails in the " +
      "database; a schema that says what is allowed refuses it before, and tells a model.",
    example: {
      query: "SELECT id FROM orders WHERE status = :status",
      parameters: ["status: string"],
    },
    fixed: { parameters: ["status: { type: string, enum: [open, shipped] }"] },
  }),
  "sql/never-true": sqlEntry({
    severity: "warning",
    title: "a condition that NULL keeps from coming true",
    explanation:
      "A parameter that is absent or null is NULL in the statement, and nothing is equal to NULL, nor greater, nor like it: the statement then finds no rows. Mostly no filter is meant: " +
      "`:note::text IS NULL OR note = :note`. Where NULL is to be found, `note IS NOT DISTINCT FROM :note`. A NULL that is written out, `note = NULL`, finds nothing in any call: `note IS NULL`.",
    example: { query: "SELECT id FROM orders WHERE note = :note", parameters: ["note?: string"] },
    fixed: { query: "SELECT id FROM orders WHERE :note::text IS NULL OR note = :note" },
  }),
  "sql/literal-parameter": sqlEntry({
    severity: "warning",
    title: "a placeholder in quotes",
    explanation:
      "Between quotes everything is text, `:name` as well: PostgreSQL compares with these very characters. Put texts together with `||` where the value belongs inside one.",
    example: {
      query: "SELECT id FROM orders WHERE note = :note OR note LIKE '%:note%'",
      parameters: ["note: string"],
    },
    fixed: { query: "SELECT id FROM orders WHERE note = :note OR note LIKE '%' || :note || '%'" },
  }),
  "sql/constant-order": sqlEntry({
    severity: "warning",
    title: "rows that are sorted by a placeholder",
    explanation:
      "A placeholder stands for a value, which is the same for every row: it is never the name of a column, and the rows come in any order. `CASE` chooses among columns; where their types differ, one " +
      "`CASE` for each, behind a comma.",
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
      "LIMIT and OFFSET take no negative number: PostgreSQL refuses the statement when it is called with one. `minimum: 0` tells the caller instead.",
    example: {
      query: "SELECT id FROM orders ORDER BY id LIMIT :most",
      parameters: ["most: { type: integer, maximum: 100 }"],
    },
    fixed: { parameters: ["most: { type: integer, minimum: 0, maximum: 100 }"] },
  }),
  "sql/null-not-stored": sqlEntry({
    title: "NULL, or a parameter that may be absent, for a column that takes no NULL",
    explanation:
      "A parameter that is absent or null is NULL in the statement, also where the column has a default: PostgreSQL refuses such a row. Make the parameter required, or say with `coalesce` what stands " +
      "in its place. A NULL that is written out, or a DEFAULT where the column has none, is refused in every call.",
    example: {
      query: insert,
      parameters: ["order_id: integer", "customer?: { type: string, maxLength: 40 }"],
      tool: highRisk,
      binding: [...writes, "rows: one"],
    },
    fixed: { parameters: ["order_id: integer", "customer: { type: string, maxLength: 40 }"] },
  }),
  "sql/column-left-out": sqlEntry({
    title: "new rows without a column that takes no NULL",
    explanation:
      "A column that an INSERT does not name has its default, or NULL where it has none: PostgreSQL refuses every such row when the column takes no NULL.",
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
    title: "new rows without a column that takes no NULL, on a table with a trigger",
    explanation:
      "As `sql/column-left-out`, but a trigger that runs before rows are inserted, or a rule, may fill the column. What it does is not looked at, and `tsc` can't see the rows then.",
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
