import { describe, expect, it } from "vitest";
import { httpTool } from "../../support/http-tool.js";

const code = "http/default-sent-by-patch";

/** The places and messages of the warnings about defaults of a tool with these parameters. */
function warnings(properties: string, binding: readonly string[], method = "PATCH") {
  const { lines } = httpTool(
    [
      `parameters: { type: object, additionalProperties: false, required: [id], properties: { id: { type: string, default: me }, ${properties} } }`,
      "binding:",
      `  method: ${method}`,
      '  url: "https://a.example/orders/{id}"',
      ...binding.map((line) => `  ${line}`),
    ].join("\n"),
  );
  return lines.filter((line) => line.includes(code)).map((line) => line.replace(/^\S+ \S+ /, ""));
}

const hidden = "hidden: { type: boolean, default: false }";
const told = (name: string, value: string) =>
  `every call without \`${name}\` sets it to \`${value}\`, because a PATCH sends the default (remove the default, and describe the API's default in \`description\`)`;

describe("default that a PATCH sends", () => {
  it("warns of a default in a PATCH body that is made of the other parameters", () => {
    expect(warnings(hidden, [])).toEqual([`[false] ${told("hidden", "false")}`]);
  });

  it.each([
    ["a JSON body", 'body: { json: { a: ["{hidden}"] } }'],
    ["a template", 'body_template: { a: "{hidden}" }'],
    ["a form", 'body: { form: { a: "{hidden}" } }'],
    ["a multipart body", 'body: { multipart: { a: "{hidden}" } }'],
    ["a raw body", 'body: { raw: "x {hidden}", type: text/plain }'],
  ])("warns of a default in %s", (_, body) => {
    expect(warnings(hidden, [body])).toEqual([`[false] ${told("hidden", "false")}`]);
  });

  it("warns of a default inside an object once for each property", () => {
    const owner = "{ type: object, properties: { role: { type: string, default: user } } }";
    expect(warnings(`owner: ${owner}`, [])).toEqual([`[user] ${told("owner.role", '"user"')}`]);
    const body = 'body: { json: { a: "{owner.role}", b: "{owner}" } }';
    expect(warnings(`owner: ${owner}`, [body])).toEqual([`[user] ${told("owner.role", '"user"')}`]);
  });

  it("does not warn of a default in a path or a query, or of one that another method sends", () => {
    expect(warnings(hidden, ['query: { h: "{hidden}" }'])).toEqual([]);
    expect(warnings(hidden, [], "POST")).toEqual([]);
    expect(warnings(hidden, [], "PUT")).toEqual([]);
  });
});
