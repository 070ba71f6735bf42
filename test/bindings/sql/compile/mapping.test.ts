import { expect, test } from "vitest";
import { ask, text } from "./ask.js";

test("a mapping to `${NAME}` is told that a setting is no value of a statement", async () => {
  const [line, ...others] = await ask({
    query: "SELECT id FROM people WHERE name = :tenant",
    parameters: { tenant: text },
    binding: { parameter_mapping: { tenant: "${TENANT}" } },
  });
  expect(line).toBe(
    'error sql/bad-mapping at "${TENANT}": `tenant: ${TENANT}` maps no placeholder to a parameter (a setting is no value of a statement: leave the entry out, and let the caller give the value as a parameter)',
  );
  expect(others.filter((each) => each.startsWith("error"))).toEqual([]);
});

test("`${NAME}` in a string is an error at its place", async () => {
  expect(await ask({ query: "SELECT id FROM people WHERE name = '${TENANT}'" })).toEqual([
    "error sql/placeholder at ${TENANT}: `${TENANT}` is not replaced in SQL: this is text of 9 characters (give the value as a parameter, `:name`; for the text itself write `'$' || '{TENANT}'`)",
  ]);
});

test.each([":note", "note"])("a mapping names a parameter as %s", async (note) => {
  const mapped = (mapping: object, query: string) =>
    ask({ query, parameters: { note: text }, binding: { parameter_mapping: mapping } });
  expect(await mapped({ n: note }, "SELECT id FROM people WHERE note = :n")).toEqual([]);
  expect(await mapped({ note }, "SELECT id FROM people WHERE note = :note")).toEqual([]);
});

test.each([
  ["", 'n: ":name"'],
  [":", 'n: ":name"'],
  ["{note}", 'n: ":note"'],
  ["{{ note }}", 'n: ":note"'],
])("a mapping that names no parameter, as %j, is one error", async (written, better) => {
  const found = await ask({
    query: "SELECT id FROM people WHERE note = :n",
    parameters: { note: text },
    binding: { parameter_mapping: { n: written } },
  });
  expect(found).toEqual([expect.stringContaining("error sql/bad-mapping at ")]);
  expect(found[0]).toContain(better);
});

test("a mapping whose placeholder has a colon is one error, at the placeholder", async () => {
  const found = await ask({
    query: "SELECT id FROM people WHERE note = :n",
    parameters: { note: text },
    binding: { parameter_mapping: { ":n": "note" } },
  });
  expect(found).toEqual([
    expect.stringMatching(/^error sql\/bad-mapping at ":n": .*`n: ":note"`\)$/),
  ]);
});

test.each(["'%:note%'", "E'%:note%'", "'a :note'", "':note'"])(
  "a placeholder in quotes, %s, is warned about where it stands",
  async (written) => {
    const query = `SELECT id FROM people WHERE note = :note OR name LIKE ${written}`;
    expect(await ask({ query, parameters: { note: text } })).toEqual([
      "warning sql/literal-parameter at :note: `:note` is text here, and not the parameter of that name (close the quotes around it: `'%' || :note || '%'`)",
    ]);
  },
);

test.each(["'12:note'", "'a::note'", "':nothing'", "to_char(born, 'HH24:MI')", "':notes'"])(
  "%s is text, and no placeholder",
  async (written) => {
    const query = `SELECT id FROM people WHERE note = :note OR name = ${written}`;
    expect(await ask({ query, parameters: { note: text } })).toEqual([]);
  },
);
