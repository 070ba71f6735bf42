import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { withoutLayout } from "../../../src/bindings/sql/statement/layout.js";
import { loadParser, readTokens } from "../../../src/bindings/sql/statement/lexer.js";
import { runs } from "../../support/runs.js";

describe("statement without its layout", () => {
  test.each([
    ["SELECT 1\n  FROM a -- why\nWHERE b", "SELECT 1 FROM a WHERE b"],
    ["  SELECT\t/* a /* nested */ one */\r\n 1 ", "SELECT 1"],
    ["SELECT 1/**/+2", "SELECT 1 +2"],
    ["SELECT 5 - -1", "SELECT 5 - -1"],
  ])("puts %j on one line", (sql, plain) => {
    expect(withoutLayout(sql)).toBe(plain);
  });

  test.each([
    "SELECT '  --  ' , 'it''s  /* so */'",
    `SELECT "a  b" , "say ""hi""  --"`,
    "SELECT E'\\'  -- ' , e'\\\\'",
    "SELECT date'\\' , '  --'",
    "SELECT $$  -- $$ , $a$ $$  '  $a$",
    "SELECT a$b$ FROM t WHERE c = $1",
    "SELECT n'  ' , u&'\\0041  '",
    "SELECT größe$  FROM t".replace("  ", " "),
  ])("keeps the text in quotes: %s", (sql) => {
    expect(withoutLayout(sql)).toBe(sql);
  });

  test.each([
    ["SELECT '  a", "SELECT '  a"],
    ["SELECT  $a$  b", "SELECT $a$  b"],
    ["SELECT  /* /*  */  a", "SELECT /* /*  */  a"],
    ['SELECT  "  a  --', 'SELECT "  a  --'],
    ["SELECT  E'\\'  --", "SELECT E'\\'  --"],
  ])("keeps the text behind an unclosed quote or comment: %j", (sql, plain) => {
    expect(withoutLayout(sql)).toBe(plain);
  });

  test.each(["$a$", "/*", "'", '"', "E'\\", "--", "$", "e", "/* */", "''"])(
    "takes linear time for many repetitions of `%s`",
    (part) => {
      const sql = part.repeat(200_000);
      expect(withoutLayout(sql).length).toBeLessThanOrEqual(sql.length);
    },
  );

  test("changes nothing the second time", () => {
    for (const sql of ["a  --b\nc", "'x'  'y'", "$q$ $q$  $", "E'a\\'b'  c"])
      expect(withoutLayout(withoutLayout(sql))).toBe(withoutLayout(sql));
  });
});

describe("PostgreSQL's own lexer", () => {
  beforeAll(loadParser);

  /** What may stand side by side in a text, and mean something else for it. */
  const parts = [" ", "  ", "\n", "\t", "--", "-", "/*", "*/", "/", "*", "'", "''", '"', "\\"];
  const words = [
    "$",
    "$a$",
    "$$",
    "a",
    "e",
    "E",
    "n",
    "u&",
    "date",
    "1",
    "$1",
    ":a",
    "ß",
    ";",
    "x",
  ];

  /** A string that goes on in another line is one word, and has layout in it. */
  const wordsOf = (text: string) =>
    readTokens(text)
      ?.map((token) => withoutLayout(token.text))
      .join(" ");

  test("finds the same words with and without the layout", () => {
    let compared = 0;
    const texts = fc.array(fc.constantFrom(...parts, ...words), { maxLength: 24 });
    fc.assert(
      fc.property(texts, (written) => {
        const text = written.join("");
        const words = wordsOf(text);
        if (words === undefined) return;
        compared += 1;
        expect(wordsOf(withoutLayout(text))).toBe(words);
      }),
      { numRuns: runs(4000) },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
