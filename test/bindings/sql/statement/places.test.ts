import { beforeAll, describe, expect, test } from "vitest";
import type { Node } from "@pgsql/types";
import { loadParser } from "../../../../src/bindings/sql/statement/lexer.js";
import { parseStatement } from "../../../../src/bindings/sql/statement/parse.js";
import { readPlaces } from "../../../../src/bindings/sql/statement/places.js";
import { walk } from "../../../../src/bindings/sql/statement/tree.js";

beforeAll(loadParser);

function read(text: string) {
  const parsed = parseStatement(text);
  if (parsed.kind !== "statement") throw new Error(parsed.diagnostics[0]?.message);
  const places = readPlaces(parsed.statement);
  const textAt = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  return {
    statement: parsed.statement,
    ofByte: (byte: number) => textAt(places.ofByte(byte)),
    ofPosition: (position: number) => textAt(places.ofPosition(position)),
  };
}

/** The author's text at each column and parameter of the tree. */
function referencesOf(text: string): readonly string[] {
  const { statement, ofByte } = read(text);
  const found: string[] = [];
  walk(statement.tree, (node: Node) => {
    if ("ColumnRef" in node) found.push(ofByte(node.ColumnRef.location ?? 0));
    if ("ParamRef" in node) found.push(ofByte(node.ParamRef.location ?? 0));
  });
  return found;
}

describe("location in the tree", () => {
  test("points at the author's word, behind other alphabets and placeholders", () => {
    const text = `SELECT '😀é', o.total, "Ünï"."x", :since, größe, :größe, :since, o . * FROM o`;
    const all = ["o.total", `"Ünï"."x"`, ":since", "größe", ":größe", ":since", "o . *"];
    expect(referencesOf(text)).toEqual(all);
  });

  test("points at the right word behind many placeholders", () => {
    const names = Array.from({ length: 120 }, (_, index) => `:${"p".repeat(index % 7)}_${index}`);
    expect(referencesOf(`SELECT ${names.join(",")}`)).toEqual(names);
  });
});

describe("position of an error", () => {
  test("counts code points from 1", () => {
    const text = "SELECT '😀é', :since::text, o.wrong FROM orders AS o";
    const { statement, ofPosition } = read(text);
    const before = statement.sql.slice(0, statement.sql.indexOf("o.wrong"));
    expect(ofPosition(Array.from(before).length + 1)).toBe("o.wrong");
  });

  test("points at the nearest word if it is outside of the text", () => {
    const { ofPosition, ofByte } = read("SELECT :since");
    expect([ofPosition(1000), ofPosition(0), ofByte(-1)]).toEqual([":since", "SELECT", "SELECT"]);
  });
});
