import { loadModule } from "libpg-query";
import { beforeAll, describe, expect, test } from "vitest";
import { whyDifferent } from "../../../../src/bindings/sql/builder/prove.js";
import { statementOf } from "./built.js";

beforeAll(loadModule);

function why(author: string, compiled: string, parameters: readonly (string | undefined)[] = []) {
  const { tree, placeholders } = statementOf(author);
  const names = placeholders.map(({ name }) => name);
  return whyDifferent(tree, names, { sql: compiled, parameters });
}

describe("statements with the same meaning", () => {
  test.each([
    ["SELECT id FROM orders", 'select "id" from "orders"'],
    ["SELECT count(*) FROM orders", 'select count(*) as "count" from "orders"'],
    ["SELECT 1 + 1, x::int FROM t", 'select 1 + 1 as "?column?", (x)::int as "x" from "t"'],
    ["SELECT EXISTS (SELECT 1)", 'select exists (select 1 as "?column?") as "exists"'],
    ["SELECT x.id FROM audit.x", 'select x.id from audit.x as "x"'],
    ["SELECT * FROM f(1)", 'select * from f(1) as "f"'],
    ["SELECT * FROM (SELECT 1)", 'select * from (select 1) as "unnamed_subquery"'],
    ["SELECT 1 FROM a, b", "select 1 from a cross join b"],
    ["SELECT 1 FROM a, LATERAL f(a.x) AS g", "select 1 from a cross join f(a.x) as g"],
    ["SELECT 1 FROM a WHERE (x = 1) AND ((y) = 2)", "select 1 from a where x = 1 and y = 2"],
    [
      "WITH RECURSIVE t AS (SELECT 1 AS n UNION SELECT n FROM t) TABLE t",
      'with recursive "t"("n") as (select 1 as n union select n from t) select * from t',
    ],
  ])("the proof accepts two texts of one statement: %s", (author, compiled) => {
    expect(why(author, compiled)).toBeUndefined();
  });

  test("may have several numbers for one named parameter", () => {
    const author = "SELECT 1 FROM t WHERE a = :x AND b = :y AND c = :x";
    const compiled = "select 1 from t where a = $1 and b = $2 and c = $3";
    expect(why(author, compiled, ["x", "y", "x"])).toBeUndefined();
    expect(why(author, compiled, ["x", "y", "y"])).toMatch(/differs at/);
    expect(why(author, compiled, ["y", "x", "x"])).toMatch(/differs at/);
  });
});

describe("statements with different meanings", () => {
  test.each([
    ["SELECT id FROM orders LIMIT 1", "select id from orders limit 100"],
    ["SELECT a, b FROM t", "select b, a from t"],
    ["SELECT a AS x FROM t", "select a as y from t"],
    ["SELECT a AS x FROM t", "select a from t"],
    ["SELECT a FROM t WHERE x = 'a'", "select a from t where x = 'A'"],
    ["SELECT a FROM t WHERE x = 1", "select a from t where x = '1'"],
    ["SELECT a FROM t WHERE x = 1.0", "select a from t where x = 1.00"],
    ["SELECT a FROM t WHERE x AND (y OR z)", "select a from t where x and y or z"],
    ["SELECT a FROM t WHERE NOT (x AND y)", "select a from t where not x and y"],
    ["SELECT a + b * c FROM t", 'select (a + b) * c as "?column?" from t'],
    ["SELECT a - (b - c) FROM t", 'select a - b - c as "?column?" from t'],
    ["SELECT a FROM t x", "select a from t y"],
    ["SELECT a FROM t", "select a from s.t"],
    ["SELECT a FROM t ORDER BY a", "select a from t order by a desc"],
    ["SELECT a FROM t ORDER BY a ASC", "select a from t order by a"],
    ["SELECT a FROM t LEFT JOIN u ON true", "select a from t join u on true"],
    [
      "SELECT a FROM t JOIN u ON x LEFT JOIN v ON y",
      "select a from t left join v on y join u on x",
    ],
    ["SELECT 1 FROM a, b LEFT JOIN c ON x", "select 1 from a cross join b left join c on x"],
    ["SELECT DISTINCT a FROM t", "select a from t"],
    ["SELECT a FROM t UNION SELECT b FROM u", "select a from t union all select b from u"],
    ["SELECT a::int FROM t", 'select a::int8 as "a" from t'],
    ["SELECT f(x) FROM t", 'select f(distinct x) as "f" from t'],
    ["SELECT a FROM t FOR UPDATE", "select a from t for share"],
    ["INSERT INTO t (a, b) VALUES (1, 2)", "insert into t (b, a) values (2, 1)"],
    ["UPDATE t SET a = 1", "update t set a = 1 where true"],
    ["DELETE FROM t WHERE a = 1", "delete from t"],
    ["WITH x AS (SELECT 1) SELECT 2", "with x as materialized (select 1) select 2"],
    ["SELECT * FROM (SELECT 1), (SELECT 2)", 'select * from (select 1) as "a", (select 2) as "b"'],
    ["SELECT 1", "select 1; select 1"],
    ["SELECT 1", "select"],
    ["SELECT 1", "select 1 +"],
  ])("the proof distinguishes %s and %s", (author, compiled) => {
    expect(why(author, compiled)).toBeTypeOf("string");
  });

  test("a constant that became a bound value is detected", () => {
    expect(why("SELECT 1", "select $1", [undefined])).toBe("a constant became a bound value");
  });

  test("a bound value that became a constant is detected", () => {
    expect(why("SELECT :x", "select 1")).toMatch(/differs/);
  });
});
