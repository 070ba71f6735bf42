import { expect, test } from "vitest";
import { ask, askWrite, text } from "./ask.js";

test("the error for a mapping to `${NAME}` explains that a setting is not a value of a statement", async () => {
  const [line, ...others] = await ask({
    query: "SELECT id FROM people WHERE name = :tenant",
    parameters: { tenant: text },
    binding: { parameter_mapping: { tenant: "${TENANT}" } },
  });
  expect(line).toBe(
    'error sql/bad-mapping at "${TENANT}": `tenant: ${TENANT}` must map a placeholder to a parameter (a setting can\'t be a value in a statement: remove the entry, and let the caller pass the value as a parameter)',
  );
  expect(others.filter((each) => each.startsWith("error"))).toEqual([]);
});

test("`${NAME}` in a string is an error at its position", async () => {
  expect(await ask({ query: "SELECT id FROM people WHERE name = '${TENANT}'" })).toEqual([
    "error sql/placeholder at ${TENANT}: `${TENANT}` is not replaced in SQL: this is text of 9 characters (pass the value as a parameter, `:name`; for the text itself, write `'$' || '{TENANT}'`)",
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
])("a mapping that names no parameter, such as %j, is one error", async (written, better) => {
  const found = await ask({
    query: "SELECT id FROM people WHERE note = :n",
    parameters: { note: text },
    binding: { parameter_mapping: { n: written } },
  });
  expect(found).toEqual([expect.stringContaining("error sql/bad-mapping at ")]);
  expect(found[0]).toContain(better);
});

test.each(["caller.tenant", ":caller.tenant"])(
  "the error for a mapping to %s suggests the caller's field in braces",
  async (written) => {
    const [line] = await ask({
      query: "SELECT id FROM people WHERE note = :n",
      binding: { parameter_mapping: { n: written } },
    });
    expect(line).toMatch(
      /^error sql\/unknown-parameter at .*: `caller\.tenant` is not a parameter of .* \(write `"\{caller\.tenant\}"`\)$/,
    );
  },
);

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

const joined = "close the quotes around it: `'%' || :note || '%'`";
const unquoted = "remove the quotes: `:note`";
const quoted = [
  ["'%:note%'", joined],
  ["E'%:note%'", joined],
  ["'a :note'", joined],
  ["':note'", unquoted],
] as const;

test.each(quoted)(
  "a placeholder in quotes, %s, is warned about at its position",
  async (written, help) => {
    const query = `SELECT id FROM people WHERE note = :note OR name LIKE ${written}`;
    expect(await ask({ query, parameters: { note: text } })).toEqual([
      `warning sql/literal-parameter at :note: \`:note\` is text here, not the parameter with that name (${help})`,
    ]);
  },
);

test.each(quoted)(
  "the error for a parameter whose only placeholder is in quotes, %s, explains that",
  async (written, help) => {
    const query = `SELECT id FROM people WHERE name LIKE ${written}`;
    expect(await ask({ query, parameters: { note: text } })).toEqual([
      `error sql/unused-parameter at {"type":"string"}: \`note\` has no effect: \`:note\` is in quotes, where it is text (${help})`,
    ]);
  },
);

test("the error for a quoted placeholder uses its name in the mapping", async () => {
  const found = await ask({
    query: "SELECT id FROM people WHERE name = ':n'",
    parameters: { note: text },
    binding: { parameter_mapping: { n: "note" } },
  });
  expect(found).toContainEqual(
    expect.stringContaining("`note` has no effect: `:n` is in quotes, where it is text"),
  );
});

test.each([
  ["UPDATE people SET note = NULL", "UPDATE"],
  ["DELETE FROM people", "DELETE"],
])(
  "the error for an unused parameter of %s without a condition points out the missing condition",
  async (query, verb) => {
    const found = await askWrite({
      query,
      parameters: { id: { type: "string", pattern: "^[0-9]+$" } },
    });
    expect(found[0]).toBe(
      `error sql/unused-parameter at {"type":"string","pattern":"^[0-9]+$"}: \`id\` has no effect: \`${verb}\` has no condition, so it applies to every row of \`people\` (choose the rows: \`WHERE … = :id\`)`,
    );
  },
);

test.each(["'12:note'", "'a::note'", "':nothing'", "to_char(born, 'HH24:MI')", "':notes'"])(
  "%s is text and not a placeholder",
  async (written) => {
    const query = `SELECT id FROM people WHERE note = :note OR name = ${written}`;
    expect(await ask({ query, parameters: { note: text } })).toEqual([]);
  },
);
