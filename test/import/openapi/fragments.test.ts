/** Paths as AWS's documents have them, which tell operations apart by a fragment. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { importText, ok, openApi } from "./support.js";

const only = (name: string, where: string, value: string, more: object = {}) => ({
  name,
  in: where,
  required: true,
  schema: { type: "string", enum: [value] },
  ...more,
});
const given = (name: string, where: string) => ({
  name,
  in: where,
  required: true,
  schema: { type: "string" },
});

function toolsIn(files: Readonly<Record<string, string>>): Record<string, Record<string, object>> {
  const [text = ""] = Object.entries(files).flatMap(([path, each]) =>
    path.endsWith("metadata.yaml") ? [each] : [],
  );
  return parse(text).tools_schema;
}

test("a fragment that repeats parameters with one value sets these values, and no parameter of the tool", async () => {
  const { files, report, told } = await importText(
    openApi({
      "/#X-Amz-Target=Backup.ListGateways": {
        post: {
          operationId: "ListGateways",
          parameters: [
            only("X-Amz-Target", "header", "Backup.ListGateways"),
            { name: "MaxResults", in: "query", schema: { type: "string" } },
          ],
          ...ok,
        },
      },
      "/#Operation=CancelJob&Action=${X}{y}": {
        post: {
          operationId: "CancelJob",
          parameters: [
            only("Operation", "query", "CancelJob"),
            only("Action", "query", "${X}{y}"),
            only("Version", "query", "2010-06-03"),
          ],
          ...ok,
        },
      },
    }),
  );
  expect(told).toEqual([]);
  expect(report.operations.map(({ path, taken }) => [path, taken])).toEqual([
    ["/#X-Amz-Target=Backup.ListGateways", "whole"],
    ["/#Operation=CancelJob&Action=${X}{y}", "whole"],
  ]);
  const { "cancel-job": cancel, "list-gateways": list } = toolsIn(files);
  expect(list).toMatchObject({
    parameters: { properties: { MaxResults: { type: "string" } } },
    binding: {
      url: "${SHOP_URL}/",
      headers: { "X-Amz-Target": "Backup.ListGateways" },
      query: { MaxResults: "{MaxResults}" },
    },
  });
  expect(list?.["parameters"]).not.toHaveProperty("required");
  expect(cancel).toMatchObject({
    parameters: { required: ["Version"], properties: { Version: { enum: ["2010-06-03"] } } },
    binding: {
      url: "${SHOP_URL}/",
      query: { Operation: "CancelJob", Action: "$${{X}}{{y}}", Version: "{Version}" },
    },
  });
});

test("a fragment that names required parameters leaves them to the caller", async () => {
  const { files, told } = await importText(
    openApi({
      "/tags/{arn}": {
        get: { operationId: "listTags", parameters: [given("arn", "path")], ...ok },
      },
      "/tags/{arn}#tagKeys&x-account": {
        delete: {
          operationId: "untag",
          parameters: [
            given("arn", "path"),
            given("tagKeys", "query"),
            given("x-account", "header"),
          ],
          ...ok,
        },
      },
    }),
  );
  expect(told).toEqual([]);
  expect(toolsIn(files)["untag"]).toMatchObject({
    parameters: { required: ["arn", "tagKeys", "x-account"] },
    binding: { url: "${SHOP_URL}/tags/{arn}", query: { tagKeys: "{tagKeys}" } },
  });
});

test.each([
  ["no parameter", [], "no required parameter `overload` whose only value is `stream`"],
  ["another value", [only("overload", "query", "bytes")], "whose only value is `stream`"],
  ["a parameter of any value", [given("overload", "query")], "whose only value is `stream`"],
  [
    "a parameter that may be left out",
    [only("overload", "query", "stream", { required: false })],
    "no required parameter `overload`",
  ],
])("a fragment with %s omits the operation", async (_what, parameters, why) => {
  const { told } = await importText(
    openApi({
      "/detect": { post: { operationId: "detect", ...ok } },
      "/detect#overload=stream": { post: { operationId: "detectStream", parameters, ...ok } },
    }),
  );
  expect(told).toMatchObject([{ code: "import/operation-left-out" }]);
  expect(told[0]?.message).toContain(
    "requests do not send the fragment of the path `/detect#overload=stream`, and the operation has",
  );
  expect(told[0]?.message).toContain(why);
});
