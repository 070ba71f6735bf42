/** `<<` in documents of others, which merges as their own tools have it. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { importText } from "./support.js";

const head = "openapi: 3.0.3\ninfo: { title: Shop, version: '1' }\n";

const importYaml = (text: string) => importText("", ["api.yaml"], { "api.yaml": `${head}${text}` });

test("a merge key brings the entries of the mappings that it names, below those of its own", async () => {
  const { files, told } = await importYaml(`
x-limit: &limit { name: limit, in: query, required: true, schema: { type: integer } }
x-usual: &usual
  tags: [pets]
  summary: Usual
  responses: { 200: { description: ok, content: { application/json: {} } } }
x-parameters: &parameters
  summary: Not this
  parameters: [*limit]
paths:
  /pets:
    get:
      operationId: listPets
      <<: [*usual, *parameters]
    post: { <<: *usual, operationId: addPet, summary: Own }
`);
  expect(told).toEqual([]);
  expect(parse(files["skills/pets/metadata.yaml"] ?? "").tools_schema).toMatchObject({
    "list-pets": { description: "Usual", parameters: { required: ["limit"] } },
    "add-pet": { description: "Own" },
  });
});

test.each([
  ["text", "<<: usual", "parse/merge-key"],
  ["a list of more than mappings", "<<: [*usual, 1]", "parse/merge-key"],
  ["itself", "<<: *self", "parse/recursive-alias"],
  ["what nobody named", "<<: *missing", "parse/unknown-alias"],
])("a merge key of %s causes an error", async (_what, line, code) => {
  const { code: ended, told } = await importYaml(`
x-usual: &usual { summary: Usual }
paths:
  /pets:
    get: &self
      ${line}
      responses: { 200: { description: ok } }
`);
  expect(ended).toBe(1);
  expect(told.map((each) => each.code)).toEqual([code]);
});

test.each([
  [
    "of lists of the one before",
    Array.from({ length: 30 }, (_, at) => `x${at + 1}: &x${at + 1} { <<: [*x${at}, *x${at}] }`),
  ],
  [
    "of one large mapping again and again",
    [
      `x1: &x1 { ${Array.from({ length: 2000 }, (_, at) => `k${at}: 1`).join(", ")} }`,
      ...Array.from({ length: 2000 }, (_, at) => `y${at}: { <<: *x1 }`),
    ],
  ],
])("merge keys %s come to too much, and end", async (_what, lines) => {
  const { told } = await importYaml(`x0: &x0 { a: 1 }\n${lines.join("\n")}\npaths: {}\n`);
  expect(told.map(({ code }) => code)).toEqual(["parse/too-large"]);
});
