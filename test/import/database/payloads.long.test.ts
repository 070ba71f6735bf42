/** Whatever a database says, what is written and generated holds it in literals, or doesn't hold it. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { put, skillc } from "../../cli/support/command-line.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { importTables, shopWith } from "./support.js";

/** Ends of comments, strings and templates, of YAML and Markdown, and what would run after them. */
const payloads = [
  "*/ PWNED(); /*",
  "`; PWNED(); `",
  "${PWNED}",
  '"; PWNED(); "',
  "'; DROP TABLE orders; --",
  "\u2028PWNED()\u2029",
  "{{PWNED}} {PWNED}",
  "__proto__",
  "---\nname: PWNED\n---",
  "\r\nPWNED: 1\r\n",
  "\u0007\u001b[31mPWNED\u009b",
  "<<<<<<< PWNED\n=======\n>>>>>>> x",
  "&PWNED *a !!js/function",
  "# PWNED: 1",
  ":PWNED",
  "constructor",
  "ok?",
  "$1",
  "таблица",
  "a".repeat(63),
];

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

await describeWithService(postgresService, () => {
  test("names, comments and defaults of a database end in literals, or are reported", async () => {
    const schema = payloads.flatMap((payload, index) => {
      const column = quoted(payload);
      const table = `${quoted(`t${index}`)}`;
      return [
        `CREATE TABLE ${table} (id integer PRIMARY KEY, ${column} text DEFAULT ${literal(payload)})`,
        `COMMENT ON TABLE ${table} IS ${literal(payload)}`,
        `COMMENT ON COLUMN ${table}.${column} IS ${literal(payload)}`,
        `CREATE TABLE ${quoted(payload)} (id integer PRIMARY KEY)`,
      ];
    });
    const { root } = await shopWith(
      [`COMMENT ON SCHEMA public IS ${literal(payloads.join(" "))}`, ...schema].join(";\n"),
    );
    const { code, files, report, told } = await importTables(root, "SHOP_URL");
    expect([code, told]).toEqual([0, []]);
    expect(report.tables).toHaveLength(payloads.length * 2);
    const silent = report.tables.filter(
      ({ notes, taken }) => taken !== "whole" && notes.length === 0,
    );
    expect(silent).toEqual([]);
    const { tools_schema: tools } = parse(files["skills/shop/metadata.yaml"] ?? "");
    expect(Object.keys(tools).length).toBeGreaterThan(payloads.length * 6);
    for (const name of Object.keys(tools)) expect(`shop__${name}`).toMatch(/^[\w-]{1,64}$/);
    const [, front = ""] = (files["skills/shop/SKILL.md"] ?? "").split(/^---$/m);
    expect(parse(front)).toMatchObject({ name: "shop" });
    put(root, "skillc.yaml", "databases: { SHOP_URL: { introspect: true } }\n");
    const { code: checked, stderr } = await skillc(root, ["check", "--strict"]);
    expect(stderr).not.toMatch(/^(?:error|warning)/m);
    expect(checked).toBe(0);
  }, 600_000);
});
