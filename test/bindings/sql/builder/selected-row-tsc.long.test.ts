import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { build, printed } from "./built.js";
import { proved } from "./corpus.js";
import { selected } from "./selected.js";
import { shop } from "./shop.js";
import { typeErrors } from "./typecheck.js";

beforeAll(loadModule);

/** The rows of the corpus as types; those of which nothing is known are left out. */
function rowsOf(typeOf: (type: string) => string): readonly (string | undefined)[] {
  return statements.map((sql) => {
    const known = Object.entries(selected(sql)).filter(([, type]) => type !== "?");
    const members = known.map(([name, type]) => `${JSON.stringify(name)}: ${typeOf(type)}`);
    return members.length === 0 ? undefined : `{ ${members.join("; ")} }`;
  });
}

const statements = Object.values(proved).flat();

test("TypeScript finds the columns that changed, and no others", { timeout: 240_000 }, () => {
  const code = statements.map((sql) => printed(build(sql).chain));
  const errors = typeErrors(
    code,
    shop,
    rowsOf((type) => type),
  );
  const wrong = statements.flatMap((sql, at) =>
    errors[at] === undefined ? [] : [`${sql}: ${errors[at]}`],
  );
  expect(wrong).toEqual([]);
  const others = rowsOf(() => "never");
  expect(others.filter((row) => row !== undefined).length).toBeGreaterThan(100);
  const refused = typeErrors(code, shop, others);
  const unseen = statements.filter(
    (_, at) => others[at] !== undefined && refused[at] === undefined,
  );
  expect(unseen).toEqual([]);
});
