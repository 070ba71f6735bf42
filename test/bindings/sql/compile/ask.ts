import { createRegistry } from "../../../../src/bindings/registry.js";
import type { Diagnostic } from "../../../../src/core/diagnostic.js";
import { diagnose } from "../../../compiler/whole/compile-untyped.js";
import { sharedSqlBinding } from "../../../support/shared-sql.js";

const schema = `
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE people (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name varchar(20) NOT NULL,
  nick varchar(10),
  code char(3),
  aliases varchar(5)[],
  age smallint,
  mood mood NOT NULL DEFAULT 'good',
  note text,
  born date NOT NULL DEFAULT CURRENT_DATE
);
CREATE TABLE pets (id int PRIMARY KEY, owner bigint REFERENCES people (id), name text NOT NULL, note text);
CREATE DOMAIN short AS varchar(5);
CREATE DOMAIN shorter AS short;
CREATE TABLE sums (
  key uuid, amount numeric(6, 2), amounts numeric(4, 0)[], big numeric, code shorter, codes short[], host inet, day date, at timestamptz, number bigint, lasts interval, mac macaddr[]
);
CREATE VIEW adults AS SELECT id, name FROM people WHERE age >= 18;
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'x'; RETURN NEW; END $$;
CREATE EXTENSION citext;
CREATE EXTENSION hstore;
CREATE EXTENSION "uuid-ossp";
CREATE EXTENSION tablefunc;
CREATE TABLE settings (name citext PRIMARY KEY, value hstore);
CREATE SCHEMA billing;
CREATE TABLE billing.invoices (id int PRIMARY KEY, owner bigint, total numeric NOT NULL);
CREATE TYPE billing.currency AS ENUM ('EUR');
CREATE FUNCTION billing.taxed(integer) RETURNS integer IMMUTABLE LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION counted() RETURNS bigint VOLATILE LANGUAGE sql AS 'SELECT count(*) FROM people';
CREATE FUNCTION pure(integer) RETURNS integer IMMUTABLE LANGUAGE sql AS 'SELECT $1';
`;

/** A tool with one statement on a table of people. */
export interface StatementTool {
  readonly query: string;
  /** Schemas of the parameters by name. A name that ends in `?` is optional. */
  readonly parameters?: Readonly<Record<string, object | boolean>>;
  readonly returns?: object;
  /** Further keys of the tool. */
  readonly tool?: object;
  readonly binding?: object;
  readonly settings?: object;
}

/** Returns the compiler's diagnostics, such as `error sql/refused at :name: message (help)`. */
export async function ask(
  asked: StatementTool,
  sql = sharedSqlBinding,
): Promise<readonly string[]> {
  const files = filesFor(asked);
  const { diagnostics } = await diagnose(files, createRegistry([sql]));
  return diagnostics
    .filter(({ code }) => code.startsWith("sql/") || code.startsWith("retry/"))
    .map((each) => lineOf(each, files));
}

/** Returns the diagnostics of a write with high risk. */
export async function askWrite(
  { binding, ...asked }: StatementTool,
  sql = sharedSqlBinding,
): Promise<readonly string[]> {
  const write = {
    ...asked,
    tool: { risk_level: "high", ...asked.tool },
    binding: { read_only: false, ...binding },
  };
  return ask(write, sql);
}

export function filesFor({
  parameters = {},
  ...asked
}: StatementTool): Readonly<Record<string, string>> {
  const names = Object.keys(parameters);
  const metadata = {
    tools: {
      ask: {
        description: "Asks.",
        parameters: {
          type: "object",
          additionalProperties: false,
          required: names.filter((name) => !name.endsWith("?")),
          properties: Object.fromEntries(
            names.map((name) => [name.replace(/\?$/, ""), parameters[name]]),
          ),
        },
        ...(asked.returns && { returns: asked.returns }),
        ...asked.tool,
        binding: { type: "sql", connection: "${DB}", query: asked.query, ...asked.binding },
      },
    },
  };
  const settings = { databases: { DB: { schema: "db.sql", ...asked.settings } } };
  return {
    "skillc.yaml": JSON.stringify(settings),
    "db.sql": schema,
    "skills/people/SKILL.md": "---\nname: people\ndescription: Knows people.\n---\n",
    "skills/people/metadata.json": JSON.stringify(metadata),
  };
}

function lineOf(
  { code, help, message, severity, span }: Diagnostic,
  files: Readonly<Record<string, string>>,
): string {
  const place = (files[span.file] ?? "").slice(span.start, span.end);
  return `${severity} ${code} at ${place}: ${message}${help === undefined ? "" : ` (${help})`}`;
}

export const text = { type: "string" };

/** Returns a schema for rows with these columns. */
export function rowsOf(properties: Readonly<Record<string, object>>): object {
  return { type: "array", items: rowOf(properties) };
}

export function rowOf(properties: Readonly<Record<string, object>>): object {
  return { type: "object", required: Object.keys(properties), properties };
}
