import { hasSqlDetails, parseSync } from "libpg-query";
import { beforeAll, describe, expect, test } from "vitest";
import { loadParser, quotedWord } from "../../../../src/bindings/sql/statement/lexer.js";

beforeAll(loadParser);

function errorOf(sql: string) {
  try {
    parseSync(sql);
  } catch (error) {
    if (hasSqlDetails(error)) return error;
    throw error;
  }
  throw new Error("libpg-query parses it");
}

describe("words of libpg-query's errors, which have no SQLSTATE", () => {
  test.each([
    ["SELECT 'a b", `unterminated quoted string at or near "'a b"`],
    ['SELECT "a b', 'unterminated quoted identifier at or near ""a b"'],
    ["SELECT $x$ a", 'unterminated dollar-quoted string at or near "$x$ a"'],
    ["SELECT /* a", 'unterminated /* comment at or near "/* a"'],
    ["SELECT b'0", `unterminated bit string literal at or near "b'0"`],
    ["SELECT x'0", `unterminated hexadecimal string literal at or near "x'0"`],
  ])("an unclosed %s is recognized by `unterminated … at or near …`", (sql, message) => {
    expect(errorOf(sql).message).toBe(message);
  });

  test("a full stack is recognized by `memory exhausted`", () => {
    expect(errorOf(`SELECT ${"(".repeat(20_000)}1`).message).toMatch(/^memory exhausted/);
  });

  test("an error of libpg-query still has no field for a SQLSTATE, which would be better", () => {
    expect(Object.keys(errorOf("SELECT 'a").sqlDetails ?? {}).toSorted()).toEqual(
      ["cursorPosition", "fileName", "functionName", "lineNumber", "message"].toSorted(),
    );
  });
});

describe("word of a statement in a message of any language", () => {
  const sql =
    'UPDATE people SET nam = 1, "Ü x" = 2, name = 3 WHERE people.relation = 4 AND x = 5 AND x = 6';

  test.each([
    ['column "nam" of relation "people" does not exist', "nam"],
    ["Spalte »nam« von Relation »people« existiert nicht", "nam"],
    ["la colonne « nam » de la relation « people » n'existe pas", "nam"],
    ["列 “nam” 不存在", "nam"],
    ["リレーション\u300cpeople\u300dの列\u300cnam\u300dは存在しません", undefined],
    ['column "Ü x" does not exist', '"Ü x"'],
    ['constraint "public.nam" does not exist', "nam"],
    ['relation "nix" does not exist', undefined],
    ['column "x" is ambiguous', undefined],
  ])("finds in %s the word %s", (message, word) => {
    const found = quotedWord(sql, message);
    expect(found && sql.slice(found.start, found.end)).toBe(word);
  });
});
