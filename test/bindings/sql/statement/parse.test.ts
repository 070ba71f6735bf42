import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadParser } from "../../../../src/bindings/sql/statement/lexer.js";
import { parseStatement } from "../../../../src/bindings/sql/statement/parse.js";

beforeAll(loadParser);

function treeOf(text: string) {
  const parsed = parseStatement(text);
  if (parsed.kind !== "statement") throw new Error(parsed.diagnostics[0]?.message);
  return parsed.statement.tree;
}

function faultOf(text: string) {
  const parsed = parseStatement(text);
  if (parsed.kind !== "invalid") throw new Error("it is a statement");
  const [diagnostic] = parsed.diagnostics;
  return {
    ...diagnostic,
    at: text.slice(diagnostic?.at.start, diagnostic?.at.end),
    start: diagnostic?.at.start,
  };
}

describe("allowed statement", () => {
  test.each([
    ["SELECT 1", "SelectStmt"],
    ["  select 1 ; -- that is all", "SelectStmt"],
    ["VALUES (:a, 2)", "SelectStmt"],
    ["TABLE t", "SelectStmt"],
    ["(SELECT 1) UNION SELECT :b", "SelectStmt"],
    ["WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "SelectStmt"],
    ["INSERT INTO t VALUES (:a)", "InsertStmt"],
    ["UPDATE t SET a = :a", "UpdateStmt"],
    ["WITH x AS (SELECT 1) DELETE FROM t USING x", "DeleteStmt"],
    ["MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE", "MergeStmt"],
    ["TRUNCATE t", "TruncateStmt"],
  ])("parses %s", (text, kind) => {
    expect(Object.keys(treeOf(text))).toEqual([kind]);
  });
});

describe("diagnostic of a text", () => {
  test.each([
    ["", "no-statement", ""],
    [" -- nothing\n ", "no-statement", "-- nothing"],
    [";;", "no-statement", ";;"],
    ["SELECT :a; /* x */ DELETE FROM t; SELECT 2", "several-statements", "DELETE"],
    ["DROP TABLE t", "not-a-query", "DROP"],
    ["/* x */ create table t (a int)", "not-a-query", "create"],
    ["EXPLAIN SELECT 1", "not-a-query", "EXPLAIN"],
    ["BEGIN", "not-a-query", "BEGIN"],
    ["COPY t FROM stdin", "not-a-query", "COPY"],
    ["DO $$ BEGIN END $$", "not-a-query", "DO"],
    ["SELECT 'é😀' || :since FORM t", "syntax", "t"],
    ["SELECT :since, ]", "syntax", "]"],
    ["SELECT a FROM", "syntax", "FROM"],
    ["SELECT :a, 'open :b\nmore", "syntax", "'open :b"],
    ['SELECT :a, "open', "syntax", '"open'],
    ["SELECT :a, $x$ open", "syntax", "$x$ open"],
    ["SELECT :a /* open", "syntax", "/* open"],
    ["SELECT 1a", "syntax", "1a"],
    ["SELECT 'é', E'\\u00'", "syntax", "\\u00'"],
    ["SELECT 1\0; DROP TABLE t", "syntax", "\0"],
    ["SELECT '\ud800'", "syntax", "SELECT '\ud800'"],
    [": a", "syntax", ":"],
  ])("reports the problem and its position: %j is %s at %j", (text, kind, at) => {
    expect(faultOf(text)).toMatchObject({ kind, at });
  });

  test("quotes PostgreSQL's message, and suggests a replacement", () => {
    expect(faultOf("SELECT {id}")).toEqual({
      kind: "syntax",
      at: "{",
      start: 7,
      message: 'syntax error at or near "{"',
      help: "write `:id`: SQL is not a template",
    });
    expect(faultOf("drop table t").message).toBe("`DROP` is not a statement that a tool can run");
  });

  test("points at the right place behind placeholders of any length", () => {
    const text = "SELECT :a_rather_long_name, :b, :a_rather_long_name, FROM t";
    expect(faultOf(text)).toMatchObject({ at: "FROM", start: text.indexOf("FROM") });
  });
});

describe("limits of size and depth", () => {
  test("a large statement is accepted", () => {
    const list = Array.from({ length: 20_000 }, (_, index) => index).join(", ");
    expect(Object.keys(treeOf(`SELECT 1 WHERE 1 IN (${list})`))).toEqual(["SelectStmt"]);
    expect(Object.keys(treeOf(`SELECT '${"x".repeat(900_000)}'`))).toEqual(["SelectStmt"]);
  });

  test("a chain of a hundred operators is accepted", () => {
    expect(Object.keys(treeOf(`SELECT 'a'${" || 'a'".repeat(100)}`))).toEqual(["SelectStmt"]);
  });

  test.each([
    ["bytes", `SELECT '${"x".repeat(1_000_000)}'`],
    ["words", `SELECT 1${", 1".repeat(60_000)}`],
    ["parentheses", `SELECT ${"(".repeat(100_000)}1`],
    ["brackets", `SELECT ARRAY${"[".repeat(5000)}${"]".repeat(5000)}`],
    ["prefix operators", `SELECT ${"NOT ".repeat(20_000)}true`],
    ["a chain of operators", `SELECT 1${"+1".repeat(20_000)}`],
    ["casts", `SELECT 1${"::int".repeat(3000)}`],
    ["set operations", `SELECT 1${" UNION SELECT 1".repeat(300)}`],
    ["subqueries", `SELECT ${"(SELECT ".repeat(300)}1${")".repeat(300)}`],
    ["calls", `SELECT ${"f(".repeat(3000)}${")".repeat(3000)}`],
    ["comments inside each other", `SELECT 1 ${"/*".repeat(20_000)}${"*/".repeat(20_000)}`],
    ["open comments", `SELECT 1 ${"/*".repeat(20_000)}`],
    ["signs", `SELECT 1 ${"+-".repeat(20_000)}1`],
    ["joins", `SELECT 1 FROM a${" NATURAL JOIN a".repeat(3000)}`],
  ])("too many %s are reported, and the parser still works", (_, text) => {
    expect(faultOf(text).kind).toBe("too-large");
    expect(Object.keys(treeOf("SELECT 1"))).toEqual(["SelectStmt"]);
  });
});

test("no text makes the parser throw", () => {
  const words =
    "SELECT|FROM|WHERE|:a|:b::int|a|\"a|'|''|$$|$x$|(|)|[|]|:|::|:=|,|;|--|/*|*/|E'|U&'|$1|1|1a|😀|\u0001|\\|{|-|+|IN|CASE|END|\n";
  const text = fc.array(fc.constantFrom(...words.split("|"), " "), { maxLength: 30 });
  fc.assert(
    fc.property(text, fc.constantFrom("", " "), (parts, gap) => {
      const sql = parts.join(gap);
      const parsed = parseStatement(sql);
      for (const { at } of parsed.kind === "invalid" ? parsed.diagnostics : []) {
        expect(at.start).toBeGreaterThanOrEqual(0);
        expect(at.end).toBeGreaterThanOrEqual(at.start);
        expect(at.end).toBeLessThanOrEqual(sql.length);
      }
    }),
    { numRuns: 2000 },
  );
});
