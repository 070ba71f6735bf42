/** The report of an import, for people and for programs. */
import { expect, test } from "vitest";
import { makeProject, skillc } from "../../cli/support/command-line.js";
import { importIn, ok, openApi } from "./support.js";

test("one line stands for equal notes about many tools", async () => {
  const schemes = { token: { type: "http", scheme: "digest" } };
  const paths = Object.fromEntries(
    ["a", "b", "c"].map((name) => [`/${name}`, { get: { ...ok, security: [{ token: [] }] } }]),
  );
  const root = makeProject({
    "api.json": openApi(paths, { components: { securitySchemes: schemes } }),
  });
  const { stderr } = await skillc(root, ["import", "openapi", "api.json"]);
  expect(stderr.match(/tools do not support the authentication.*/g)).toEqual([
    "tools do not support the authentication `token` (3 tools)",
  ]);
  // Programs get each of them.
  const { report, told } = await importIn(root, ["api.json"]);
  expect(told).toHaveLength(3);
  expect(report.operations.map(({ notes }) => notes.length)).toEqual([1, 1, 1]);
});

test("lists the parameters that have another name in the tool", async () => {
  const parameters = [
    { name: "tweet.fields", in: "query", schema: { type: "string" } },
    { name: "id", in: "path", required: true, schema: { type: "string" } },
  ];
  const schema = { type: "object", properties: { id: { type: "string" } } };
  const requestBody = { required: true, content: { "application/json": { schema } } };
  const root = makeProject({
    "api.json": openApi({
      "/a/{id}": { get: { ...ok, parameters }, put: { ...ok, parameters, requestBody } },
    }),
  });
  const { stdout } = await skillc(root, ["import", "openapi", "api.json"]);
  expect(stdout).toContain(
    "Parameters with other names than in the API:\n  tweet.fields → tweet_fields (2 tools)\n  id → body_id\n",
  );
  const { report } = await importIn(root, ["api.json"]);
  const tweet = { from: "tweet.fields", to: "tweet_fields" };
  expect(report.operations).toMatchObject([
    { renamed: [tweet] },
    { renamed: [tweet, { from: "id", to: "body_id" }] },
  ]);
});
