import { loadModule } from "libpg-query";
import { ts } from "ts-morph";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Chain,
  type ChainType,
  childrenOf,
} from "../../../../src/bindings/sql/builder/chain.js";
import { compileChain } from "../../../../src/bindings/sql/builder/evaluate.js";
import { build, printed } from "./built.js";
import { shop } from "./shop.js";

beforeAll(loadModule);

const print = (sql: string) => printed(build(sql).chain);

describe("code of a statement", () => {
  test.each([
    [
      "SELECT o.id, c.name AS customer FROM orders o LEFT JOIN customers c ON c.id = o.customer_id ORDER BY o.created_at DESC",
      'db.selectFrom("orders as o").leftJoin("customers as c", "c.id", "o.customer_id").select(["o.id", "c.name as customer"]).orderBy("o.created_at", "desc")',
    ],
    [
      "SELECT id FROM orders WHERE status = 'open' AND total > 10 AND note IS NULL",
      'db.selectFrom("orders").select("id").where("status", "=", sql.lit<"open">("open")).where("total", ">", sql<string>`10`).where("note", "is", null)',
    ],
    [
      "SELECT count(*) FILTER (WHERE paid) FROM orders",
      'db.selectFrom("orders").select((eb) => [eb.fn.countAll<string>().filterWhere(sql<boolean>`${eb.ref("paid")}`).as("count")])',
    ],
    [
      "UPDATE orders SET total = total + 1, paid = true",
      'db.updateTable("orders").set({ "total": (eb) => sql<string>`${eb.ref("total")} + 1`, "paid": sql.lit(true) })',
    ],
    [
      "SELECT id FROM orders NATURAL JOIN items",
      'db.selectFrom(sql<Database["orders"]>`${sql.table("orders")}`.as<"orders">(sql`"orders" natural`)).innerJoin("items", (join) => join).select("id")',
    ],
  ])("prints the code of %s", (sql, expected) => {
    expect(print(sql)).toBe(expected);
  });

  test("keeps the author's text in a template, with holes for parameters", () => {
    const sql = "SELECT (o).*, ':x', '`${' FROM orders o -- :y\n WHERE id = :id AND note = '\\'";
    expect(print(sql)).toBe(
      "sql`SELECT (o).*, ':x', '\\`\\${' FROM orders o -- :y\n WHERE id = ${params.id} AND note = '\\\\'`",
    );
  });
});

describe("author's text in fragments", () => {
  const hostile = [
    "`",
    "${1}",
    "\\",
    "\\`",
    "$",
    "a$",
    "\r\n",
    "\u2028",
    "*/",
    "</script>",
    "'",
    '"',
    "\ud7ff",
    "ü😀",
  ];

  test.each(hostile)("text comes back unchanged: %j", (text) => {
    const constant = `'${text.replaceAll("'", "''")}'`;
    const name = `"x${text.replaceAll('"', '""')}"`;
    const built = build(`SELECT note || ${constant} || :p || ${constant} AS ${name} FROM orders`);
    expect(built.proved).toBe(true);
    expect(textsRead(printed(built.chain))).toEqual(textsOf(built.chain));
  });
});

/** The texts in a chain: those of literals, and the fixed ones of templates. */
function textsOf(chain: Chain): readonly string[] {
  const own =
    chain.kind === "template"
      ? chain.strings
      : chain.kind === "literal" && typeof chain.value === "string"
        ? [chain.value]
        : [];
  return [...own, ...childrenOf(chain).flatMap(textsOf)].toSorted();
}

/** The texts in code, as TypeScript reads them. */
function textsRead(code: string): readonly string[] {
  const source = ts.createSourceFile("x.ts", code, ts.ScriptTarget.ES2023, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.toSorted();
}

describe("parameters", () => {
  const of = (sql: string, type: ChainType | undefined) =>
    printed(build(sql, { snapshot: shop, argumentType: () => type }).chain);
  const string: ChainType = { kind: "keyword", name: "string" };
  const number: ChainType = { kind: "keyword", name: "number" };
  const nullable: ChainType = { kind: "union", of: [string, { kind: "keyword", name: "null" }] };

  test("a parameter of the column's type stands alone, nullable or not", () => {
    const sql = "SELECT id FROM orders WHERE note = :note";
    const expected = 'db.selectFrom("orders").select("id").where("note", "=", params.note)';
    expect(of(sql, string)).toBe(expected);
    expect(of(sql, nullable)).toBe(expected);
  });

  test("a parameter of another type is cast in TypeScript, and not in SQL", () => {
    expect(of("SELECT id FROM orders WHERE total = :total", number)).toContain(
      '.where("total", "=", sql.val(params.total).$castTo<string | null>())',
    );
    expect(of("INSERT INTO audit.events (kind) VALUES (:kind)", nullable)).toContain(
      'values({ "kind": sql.val(params.kind).$castTo<string>() })',
    );
  });

  test("an array is wrapped, because Kysely would spread it", () => {
    const texts: ChainType = { kind: "array", of: nullable };
    expect(of("SELECT id FROM orders WHERE tags = :tags", texts)).toContain(
      "sql.val(params.tags).$castTo<(string | null)[] | null>()",
    );
  });

  test("a parameter in a result of CASE is bound, because Kysely would write it into the SQL", () => {
    expect(of("SELECT CASE WHEN paid THEN :a END FROM orders", string)).toContain(
      ".then(sql.val(params.a))",
    );
  });

  test("values have the order in which Kysely numbers them", () => {
    const built = build("SELECT id FROM orders WHERE note = :b AND id = :a OR note = :b");
    expect(compileChain(built.chain).parameters).toEqual(["b", "a", "b"]);
  });
});
