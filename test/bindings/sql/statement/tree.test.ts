import { beforeAll, describe, expect, test } from "vitest";
import type { Node } from "@pgsql/types";
import { loadParser } from "../../../../src/bindings/sql/statement/lexer.js";
import { parseSql, parseStatement } from "../../../../src/bindings/sql/statement/parse.js";
import { childrenOf, nodesBelow, walk } from "../../../../src/bindings/sql/statement/tree.js";

beforeAll(loadParser);

function treeOf(text: string): Node {
  const parsed = parseStatement(text);
  if (parsed.kind !== "statement") throw new Error(parsed.diagnostics[0]?.message);
  return parsed.statement.tree;
}

function kindsIn(text: string): readonly string[] {
  const kinds: string[] = [];
  walk(treeOf(text), (node) => void kinds.push(...Object.keys(node)));
  return kinds;
}

/** Objects below a field that the walk doesn't come by: it would have lost a node. */
function lostIn(node: Node): readonly string[] {
  if ("A_Const" in node) return [];
  const [kind, fields] = Object.entries(node)[0] ?? ["", {}];
  const children = childrenOf(node).map((child) => Object.values(child)[0] as object);
  const objects = Object.entries(fields as object).flatMap(([field, value]) =>
    [value]
      .flat(3)
      .flatMap((item: unknown) =>
        typeof item === "object" && item && Object.keys(item).length > 0 ? [{ field, item }] : [],
      ),
  );
  const named = ({ item }: { item: object }) =>
    children.some((child) => child === item || child === Object.values(item)[0]);
  return [
    ...objects.filter((object) => !named(object)).map(({ field }) => `${kind}.${field}`),
    ...childrenOf(node).flatMap(lostIn),
  ];
}

describe("walk through a tree", () => {
  test("visits nodes in the order of the text, and restores kinds that the parser omits", () => {
    expect(kindsIn("INSERT INTO t (a) SELECT 1 UNION SELECT b::int FROM u x")).toEqual([
      "InsertStmt",
      "RangeVar",
      "ResTarget",
      "SelectStmt",
      "SelectStmt",
      "ResTarget",
      "A_Const",
      "SelectStmt",
      "ResTarget",
      "TypeCast",
      "ColumnRef",
      "String",
      "TypeName",
      "String",
      "String",
      "RangeVar",
      "Alias",
    ]);
  });

  test("skips the nodes below a node on request", () => {
    const kinds: string[] = [];
    walk(treeOf("SELECT (SELECT a), b"), (node) => {
      kinds.push(...Object.keys(node));
      return !("SubLink" in node);
    });
    expect(kinds.filter((kind) => kind === "ColumnRef")).toHaveLength(1);
  });

  test.each([
    "WITH RECURSIVE x(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM x) SEARCH DEPTH FIRST BY a SET o CYCLE a SET c USING p SELECT * FROM x",
    'INSERT INTO t AS x (a, b[1]) OVERRIDING SYSTEM VALUE VALUES (1, DEFAULT) ON CONFLICT (lower(a) COLLATE "C") WHERE b DO UPDATE SET (a, b) = (SELECT 1, 2) WHERE x.a = 1 RETURNING WITH (OLD AS o) o.*, new.a AS b',
    "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND u.b THEN UPDATE SET a = 1 WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED THEN INSERT (a) VALUES (u.a) RETURNING merge_action()",
    "SELECT DISTINCT ON (a) sum(x ORDER BY y) FILTER (WHERE z) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES), percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM a TABLESAMPLE bernoulli (10) REPEATABLE (1) WINDOW w AS (PARTITION BY c) ORDER BY 1 USING < NULLS LAST LIMIT 1 OFFSET 2 FOR UPDATE OF a SKIP LOCKED",
    "SELECT * FROM a JOIN b USING (x) AS j LEFT JOIN LATERAL (SELECT 1) s ON true, ROWS FROM (f(1) AS (a int), g()) WITH ORDINALITY r, generate_series(1, 2) AS h(i), XMLTABLE('/a' PASSING x COLUMNS c int PATH 'b' DEFAULT 1), JSON_TABLE(j, '$' PASSING 1 AS p COLUMNS (n FOR ORDINALITY, v int PATH '$.v' DEFAULT 1 ON EMPTY ERROR ON ERROR, NESTED PATH '$.x' COLUMNS (y text FORMAT JSON)))",
    "SELECT JSON_OBJECT('a' VALUE 1 ABSENT ON NULL RETURNING jsonb), JSON_ARRAY(1, 2 FORMAT JSON), JSON_ARRAY(SELECT 1 RETURNING text), JSON_OBJECTAGG(a : b) FILTER (WHERE c), JSON_ARRAYAGG(a ORDER BY b RETURNING jsonb), JSON_VALUE(j, '$' PASSING 1 AS x RETURNING int DEFAULT 0 ON EMPTY), JSON_QUERY(j, '$' WITH WRAPPER), JSON_EXISTS(j, '$'), JSON_SCALAR(1), JSON_SERIALIZE(a RETURNING text), JSON('{}'), a IS JSON OBJECT",
    "SELECT CASE a WHEN 1 THEN 2 ELSE 3 END, COALESCE(a, b), GREATEST(a, b), ROW(1, 2), (r).x, a[1:2], a[3], NOT a AND (b OR c), a IS NULL, b IS TRUE, a BETWEEN 1 AND 2, a = ANY (b), a IN (1, 2), a IN (SELECT 1), EXISTS (SELECT 1), ARRAY(SELECT 1), ARRAY[1, 2], a COLLATE \"C\", a AT TIME ZONE 'x', f(VARIADIC a), f(b => 1), CURRENT_DATE, GROUPING(a), XMLELEMENT(NAME x, XMLATTRIBUTES(a AS b)), XMLSERIALIZE(CONTENT a AS text), x IS DOCUMENT, NULLIF(a, b), interval '1' day FROM t GROUP BY DISTINCT ROLLUP (a), CUBE (b), GROUPING SETS ((a), ()) HAVING true",
    "UPDATE t SET a = DEFAULT, (b, c) = ROW (1, 2) FROM u WHERE CURRENT OF k",
    "SELECT 1 AS a INTO x",
  ])("visits every node of %s", (text) => {
    expect(lostIn(treeOf(text))).toEqual([]);
  });

  test("walks a tree of any depth", () => {
    const parsed = parseSql(`SELECT 1${"+1".repeat(1900)}`);
    if (parsed.kind !== "parsed") throw new Error(parsed.diagnostic.message);
    const [statement] = parsed.statements;
    expect(nodesBelow(statement!.stmt!, 1902)).not.toEqual([]);
    expect(nodesBelow(statement!.stmt!, 1903)).toEqual([]);
  });
});
