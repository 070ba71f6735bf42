import { describe, expect, it } from "vitest";
import { answerMasks } from "../../../../src/bindings/http/emit/masks.js";
import { httpTool } from "../../support/http-tool.js";

const secret = "{ type: string, x-sensitive: true }";
const inData = `{ type: object, properties: { data: { type: array, items: { type: object, properties: { pin: ${secret} } } }, key: ${secret} } }`;

function masksOf(...lines: readonly string[]) {
  const { resolved } = httpTool(
    ["binding:", "  method: GET", "  url: https://a.example/", ...lines].join("\n"),
  );
  if (resolved === undefined) throw new Error("it did not resolve");
  return answerMasks(resolved.config);
}

describe("masks of secrets in responses", () => {
  it("a secret of `response_schema` is masked in the part of the response that the path finds", () => {
    const response = `  response_schema: ${inData}`;
    expect(masksOf(response).data).toEqual([["key"], ["data", "*", "pin"]]);
    const mapped = (path: string) => masksOf(response, `  response_mapping: { path: "${path}" }`);
    expect(mapped("$.data").data).toEqual([["*", "pin"]]);
    expect(mapped("$.data[0]").data).toEqual([["pin"]]);
    expect(mapped("$.data[*].pin").data).toEqual([["*"]]);
    expect(mapped("$.key").data).toEqual([[]]);
    expect(mapped("$..pin").data).toEqual([[]]);
  });

  it("a secret in the schema of a single status is masked", () => {
    const masks = masksOf(
      "  response_mapping:",
      "    status_codes:",
      `      "201": { as: created, schema: { type: object, properties: { token: ${secret} } } }`,
      `      "409": { as: conflict, schema: { type: object, properties: { owner: { type: object, properties: { ssn: ${secret} } } } } }`,
    );
    expect(masks).toEqual({
      data: [],
      own: { created: [["token"]] },
      errors: [["owner", "ssn"]],
    });
  });

  it("a secret of `error_schema` is masked in the whole body of an error if the path may find nothing", () => {
    const schema = `  error_schema: { type: object, properties: { message: { type: string }, pin: ${secret} } }`;
    const path = (to: string) => `  response_mapping: { error_path: ${to} }`;
    expect(masksOf(schema, path("$.message")).errors).toEqual([["pin"]]);
    expect(masksOf(schema, path("$.pin")).errors).toEqual([[]]);
  });
});
