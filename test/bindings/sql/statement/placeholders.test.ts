import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadParser, readTokens } from "../../../../src/bindings/sql/statement/lexer.js";
import { numberPlaceholders } from "../../../../src/bindings/sql/statement/placeholders.js";

beforeAll(loadParser);

function number(text: string) {
  return numberPlaceholders(text, readTokens(text) ?? []);
}

function sqlOf(text: string): string {
  const numbered = number(text);
  if (!("sql" in numbered)) throw new Error(numbered.map(({ message }) => message).join("; "));
  return numbered.sql;
}

describe("`${NAME}` in quotes", () => {
  test.each([
    ["SELECT '${TENANT}'", "${TENANT}"],
    ["SELECT 'a-${TENANT}-b'", "${TENANT}"],
    ["SELECT E'\\n${TENANT}'", "${TENANT}"],
    ["SELECT U&'${TENANT}'", "${TENANT}"],
    ["SELECT $$${TENANT}$$", "${TENANT}"],
    ["SELECT $q$ ${ tenant } $q$", "${ tenant }"],
    ['SELECT 1 AS "${TENANT}"', "${TENANT}"],
  ])("reports %s at its position", (text, written) => {
    const found = number(text);
    if ("sql" in found) throw new Error("it was taken for text");
    expect(found.map(({ at }) => text.slice(at.start, at.end))).toEqual([written]);
  });

  test("the error explains how to write the value and the text itself", () => {
    expect(number("SELECT '${TENANT}'")).toEqual([
      {
        kind: "placeholder",
        at: { start: 8, end: 17 },
        message: "`${TENANT}` is not replaced in SQL: this is text of 9 characters",
        help: "pass the value as a parameter, `:name`; for the text itself, write `'$' || '{TENANT}'`",
      },
    ]);
  });

  test.each([
    "SELECT '$' || '{TENANT}'",
    "SELECT '$5', '{}', '{a,b}', '${', '${}', '${1}', '$ {A}'",
    "SELECT 1 -- ${TENANT}\n/* ${TENANT} */",
  ])("accepts %s, which can't be a setting", (text) => {
    expect(number(text)).toEqual({ sql: text, placeholders: [] });
  });
});

describe("name with a colon", () => {
  test.each([
    ["SELECT :a", "SELECT $1"],
    ["SELECT :a, :b, :a", "SELECT $1, $2, $1"],
    ["SELECT :a, :A", "SELECT $1, $2"],
    ["SELECT :a::text", "SELECT $1::text"],
    ["SELECT :größe, '😀', :b", "SELECT $1, '😀', $2"],
    ["SELECT :select, :user, :left, :name", "SELECT $1, $2, $3, $4"],
    ["SELECT x=:a, x>=:b, x<>:c, x||:d, -:e", "SELECT x=$1, x>=$2, x<>$3, x||$4, -$5"],
    ["SELECT j ->> :k, j ? :k, j @> :o", "SELECT j ->> $1, j ? $1, j @> $2"],
    ["SELECT f(a := :b, c => :d)", "SELECT f(a := $1, c => $2)"],
    ["SELECT (:a).x", "SELECT ($1).x"],
  ])("becomes a numbered parameter: %s", (text, sql) => {
    expect(sqlOf(text)).toBe(sql);
  });

  test.each([
    "SELECT ':a', E'\\':b', N':c', B'1', U&'\\0041:d', 'it''s :e'",
    'SELECT ":a", U&"d:b", "a""b:c"',
    "SELECT $$ :a $$, $tag$ :b $$ :c $tag$",
    "SELECT 1 -- :a\n/* :b /* :c */ :d */",
    "SELECT 'a'\n':b'",
    "SELECT x::text, x :: text",
    "SELECT f(a := 1)",
    "SELECT '\u0001:a', '\u001f'",
  ])("leaves %j unchanged", (text) => {
    expect(number(text)).toEqual({ sql: text, placeholders: [] });
  });

  test("keeps every position of a name", () => {
    expect(number("SELECT :a, '😀', :b, :a")).toEqual({
      sql: "SELECT $1, '😀', $2, $1",
      placeholders: [
        {
          name: "a",
          at: [
            { start: 7, end: 9 },
            { start: 21, end: 23 },
          ],
        },
        { name: "b", at: [{ start: 17, end: 19 }] },
      ],
    });
  });
});

describe("colon that separates", () => {
  test.each([
    // Nothing is bound.
    ["a[1:2]", "a[1:2]"],
    ["a[lo:hi]", "a[lo:hi]"],
    ["a[lo : hi]", "a[lo : hi]"],
    ["a[: n]", "a[: n]"],
    ["a[:2]", "a[:2]"],
    ['a[:"n"]', 'a[:"n"]'],
    ["a[n:]", "a[n:]"],
    ["a[:]", "a[:]"],
    ["a[f(1):g(2)]", "a[f(1):g(2)]"],
    ["a[b[1]:c]", "a[b[1]:c]"],
    ["a[name:x]", "a[name:x]"],
    ["a[CASE WHEN true THEN 1 END:x]", "a[CASE WHEN true THEN 1 END:x]"],
    ["a[b::int:c]", "a[b::int:c]"],
    ["$$x$$[1:y]", "$$x$$[1:y]"],
    ["(a)[1:y][2:z]", "(a)[1:y][2:z]"],
    ["JSON_OBJECT('k':v, 'l' : w)", "JSON_OBJECT('k':v, 'l' : w)"],
    ["json_objectagg(k:v)", "json_objectagg(k:v)"],
    // A name right behind the bracket, an operator, a comma or a colon is.
    ["a[:n]", "a[$1]"],
    ["a[:n:]", "a[$1:]"],
    ["a[:lo:hi]", "a[$1:hi]"],
    ["a[:lo: :hi]", "a[$1: $2]"],
    ["a[1: :hi]", "a[1: $1]"],
    ["a[i + :n]", "a[i + $1]"],
    ["a[i + :n:x]", "a[i + $1:x]"],
    ["a[f(:x, :y):2]", "a[f($1, $2):2]"],
    ["a[:n::int]", "a[$1::int]"],
    ["a[CASE WHEN x THEN :y ELSE :z END]", "a[CASE WHEN x THEN $1 ELSE $2 END]"],
    ["JSON_OBJECT('k': :v, :l:w, 'm' VALUE :x)", "JSON_OBJECT('k': $1, $2:w, 'm' VALUE $3)"],
    ["JSON_OBJECT('k':f(:v))", "JSON_OBJECT('k':f($1))"],
    ["ARRAY[:a, :b]", "ARRAY[$1, $2]"],
    ["ARRAY[[:a, x LIKE :b], [:c]]", "ARRAY[[$1, x LIKE $2], [$3]]"],
    ["ARRAY[1, 2][:i]", "ARRAY[1, 2][$1]"],
  ])("does not become a placeholder: %s", (text, sql) => {
    expect(sqlOf(`SELECT ${text}`)).toBe(`SELECT ${sql}`);
  });
});

describe("notation that is not a placeholder", () => {
  test.each([
    ["SELECT $1", "$1", "write a named placeholder, such as `:id`, for a parameter of the tool"],
    ["SELECT :1", ":1", "write `:name`"],
    ["SELECT :'who'", ":'who'", "write `:who`"],
    ['SELECT :"who"', ':"who"', "write `:who`"],
    ["SELECT a FROM t LIMIT:n", ":n", "put a space before `:n`"],
    ["SELECT a:b", ":b", "put a space before `:b`"],
    ["SELECT :a:b", ":b", "put a space before `:b`"],
    ["SELECT é:b", ":b", "put a space before `:b`"],
  ])("the error suggests a replacement: %s", (text, part, help) => {
    const start = text.lastIndexOf(part);
    const at = { start, end: start + part.length };
    expect(number(text)).toEqual([expect.objectContaining({ kind: "placeholder", at, help })]);
  });

  test("reports every occurrence", () => {
    expect(number("SELECT $1, :2, :ok")).toHaveLength(2);
  });
});

test("keeps any text in quotes", () => {
  const quoted = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(quoted, (text) => {
      const sql = `SELECT '${text.replaceAll("'", "''")}', $skillc$${text}$skillc$, :a`;
      expect(sqlOf(sql)).toBe(sql.replace(/:a$/, "$1"));
    }),
  );
});
