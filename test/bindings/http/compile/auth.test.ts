import { describe, expect, it } from "vitest";
import { compileFiles, linesOf } from "../../../support/compile.js";
import { httpModule } from "../../support/http-module.js";
import { httpTool } from "../../support/http-tool.js";

const tool = (...lines: readonly string[]) =>
  ["binding:", "  method: GET", "  url: https://a.example/", ...lines].join("\n");
const faults = (...lines: readonly string[]) => httpTool(tool(...lines)).lines;

describe("auth", () => {
  it.each([
    ["bearer: '${TOKEN}'", 'headers: [["Authorization", text("Bearer ", credential("TOKEN"))]]'],
    [
      "api_key: { in: header, name: X-Key, value: '${KEY}' }",
      'headers: [["X-Key", text(credential("KEY"))]]',
    ],
    [
      "api_key: { in: query, name: key, value: '${KEY}' }",
      'query: [["key", text(credential("KEY"))]]',
    ],
    [
      "api_key: { in: cookie, name: key, value: '${KEY}' }",
      'cookies: [["key", text(credential("KEY"))]]',
    ],
    [
      "basic: ['${USER}', '${PASSWORD}']",
      'auth: [basic(text(credential("USER")), text(credential("PASSWORD")))]',
    ],
    [
      "oauth2: { grant: client_credentials, token_url: '${AUTH_URL}/token', client_id: desk, client_secret: '${SECRET}', scopes: [read] }",
      'auth: [ oauth2({ grant: "client_credentials", tokenUrl: text(credential("AUTH_URL"), "/token"), clientId: "desk", clientSecret: text(credential("SECRET")), scopes: ["read"], }), ]',
    ],
    [
      "aws_sigv4: { access_key: '${A}', secret_key: '${S}', region: eu-central-1, service: s3 }",
      'auth: [ awsSigV4({ accessKey: text(credential("A")), secretKey: text(credential("S")), region: "eu-central-1", service: "s3", }), ]',
    ],
    [
      "client_certificate: { cert: '${CERT}', key: '${KEY}' }",
      'auth: [clientCertificate({ cert: text(credential("CERT")), key: text(credential("KEY")) })]',
    ],
  ])("emits code for { %s }", async (way, code) => {
    const { binding } = await httpModule(tool(`  auth: { ${way} }`));
    expect(binding.replace(/\s+/g, " ")).toContain(code);
  });

  it.each<[lines: readonly string[], line: unknown]>([
    [
      ["  auth: { bearer: '${T}' }", "  headers: { authorization: '${K}' }"],
      "5:14 http/auth-twice [authorization] `bearer` of `auth` already sets the header `authorization` (remove the header, or write `auth: none`)",
    ],
    [
      ["  auth: [{ bearer: '${T}' }, { basic: [a, '${P}'] }]"],
      "4:32 http/auth-twice [basic] `bearer` of `auth` already sets the header `authorization` (keep one of the two)",
    ],
    [
      [
        "  auth: { api_key: { in: header, name: x-key, value: '${T}' } }",
        "  headers: { X-Key: a }",
      ],
      "5:14 http/auth-twice [X-Key] `api_key` of `auth` already sets the header `x-key` (remove the header, or write `auth: none`)",
    ],
    [
      [
        "  auth: { api_key: { in: query, name: key, value: '${T}' } }",
        "  query: { Key: a, key: b }",
      ],
      "5:20 http/auth-twice [key] `api_key` of `auth` already sets the query parameter `key` (remove the query parameter, or write `auth: none`)",
    ],
    [
      [
        "  auth: [{ api_key: { in: cookie, name: k, value: '${T}' } }, { api_key: { in: cookie, name: k, value: '${U}' } }]",
      ],
      "4:65 http/auth-twice [api_key] `api_key` of `auth` already sets the cookie `k` (keep one of the two)",
    ],
    [
      ["  auth: { api_key: { in: header, name: 'x key', value: '${T}' } }"],
      "4:40 http/bad-header-name ['x key'] `x key` is not a header name (use letters, digits and `-`)",
    ],
    [
      ["  auth: { api_key: { in: header, name: Content-Length, value: '${T}' } }"],
      "4:40 http/forbidden-header [Content-Length] `Content-Length` can't be set by a binding: it follows from the body (remove it)",
    ],
    [
      ["  auth: { api_key: { in: cookie, name: 'a;b', value: '${T}' } }"],
      "4:40 http/bad-header-name ['a;b'] `a;b` is not the name of a cookie (use letters, digits and `-`)",
    ],
    [
      ["  auth: { oauth2: { grant: jwt_bearer, token_url: 'https://a.example/t', issuer: a } }"],
      "4:11 http/auth-lacks [oauth2] the grant `jwt_bearer` needs `private_key` (write `private_key: ${…}`)",
    ],
    [
      [
        "  auth: { oauth2: { grant: client_credentials, client_id: a, client_secret: '${S}', token_url: 'ftp://a.example/t' } }",
      ],
      expect.stringContaining("http/bad-origin"),
    ],
    [
      [
        "  auth: { oauth2: { grant: client_credentials, client_id: a, client_secret: '${S}', token_url: 'http://a.example/t' } }",
      ],
      expect.stringContaining("http/credential-in-clear"),
    ],
    [
      [
        "  auth: { oauth2: { grant: client_credentials, client_id: a, token_url: 'https://a.example/t' } }",
      ],
      "4:11 http/auth-lacks [oauth2] the grant `client_credentials` needs `client_secret` (write `client_secret: ${…}`)",
    ],
    [
      [
        "  auth: { oauth2: { grant: jwt_bearer, token_url: 'https://a.example/t', private_key: '${K}' } }",
      ],
      "4:11 http/auth-lacks [oauth2] the grant `jwt_bearer` needs `issuer` (write `issuer: ${…}`)",
    ],
    [
      ["  auth: { bearer: 'Bearer ${T}' }"],
      "4:19 http/repeated-prefix ['Bearer ${T}'] `bearer` writes `Bearer ` itself, so the service would get the word twice (write the token alone: `bearer: \"${TOKEN}\"`; for another scheme, write the header `Authorization` under `headers`)",
    ],
    [
      ["  auth: { bearer: 'Token ${T}' }"],
      expect.stringContaining("http/repeated-prefix ['Token ${T}'] a bearer token has no spaces"),
    ],
    [
      ["  auth: { basic: ['Basic ${U}', '${P}'] }"],
      "4:19 http/repeated-prefix ['Basic ${U}'] `basic` writes `Basic ` itself, so the word would be part of the user's name (write the name alone: `${U}`)",
    ],
    [
      ["  auth: { api_key: { in: header, name: X-Key, value: 'x-key: ${T}' } }"],
      "4:54 http/repeated-prefix ['x-key: ${T}'] the value begins with `X-Key`, so the service would get the name twice (write the value alone, without the name before it)",
    ],
    [
      ["  auth: { api_key: { in: query, name: key, value: 'key=${T}' } }"],
      expect.stringContaining("http/repeated-prefix ['key=${T}']"),
    ],
    [
      ["  headers: { Authorization: 'Authorization: Bearer ${T}' }"],
      expect.stringContaining("http/repeated-prefix"),
    ],
  ])("reports %j", (lines, line) => {
    expect(faults(...lines)).toEqual([line]);
  });

  it.each([
    "auth: { bearer: 'prefix_${T}' }",
    "auth: { basic: ['Basic users', '${P}'] }",
    "auth: { api_key: { in: header, name: Authorization, value: 'Bearer ${T}' } }",
    "auth: { api_key: { in: query, name: key, value: 'keyed-${T}' } }",
    "auth: [{ client_certificate: { cert: '${C}', key: '${K}' } }, { oauth2: { grant: client_credentials, client_id: a, token_url: 'https://a.example/t' } }]",
    "auth: { oauth2: { grant: jwt_bearer, client_id: a, private_key: '${K}', token_url: 'https://a.example/t' } }",
    "auth: { oauth2: { grant: refresh_token, client_id: a, refresh_token: '${R}', token_url: 'https://a.example/t' } }",
    "headers: { X-Names: 'x-names are ${N}' }",
  ])("accepts %s", (line) => {
    expect(faults(`  ${line}`)).toEqual([]);
  });

  it("accepts a query in the URL of a token endpoint, but no fragment", () => {
    const oauth2 = (url: string) =>
      `  auth: { oauth2: { grant: client_credentials, client_id: a, client_secret: '\${S}', token_url: '${url}' } }`;
    const query = "?p=B2C_1_sign-in";
    for (const url of [
      `https://a.example/t${query}`,
      `\${ID_URL}/t${query}`,
      `https://a.example${query}`,
    ])
      expect(faults(oauth2(url))).toEqual([]);
    expect(faults(oauth2("https://a.example/t?a#b"))).toEqual([
      expect.stringContaining("http/bad-origin"),
    ]);
  });

  it("rejects a parameter of the caller as a credential", () => {
    const lines = httpTool(
      `parameters: { type: object, required: [t], properties: { t: { type: string } } }\n${tool("  auth: { bearer: '{t}' }")}`,
    ).lines;
    expect(lines).toEqual([expect.stringContaining("http/parameter-in-auth [{t}]")]);
  });

  it("the `auth` of a skill applies to each tool that has no `auth` of its own", async () => {
    const binding = (more: string) =>
      `{ type: http, method: GET, url: "https://a.example/"${more} }`;
    const files = {
      "skills/desk/SKILL.md": "---\nname: desk\ndescription: A desk.\n---\n",
      "skills/desk/metadata.yaml": [
        "auth: { oauth2: { grant: client_credentials, token_url: 'https://id.example/token', client_id: desk, client_secret: '${SECRET}' } }",
        "tools:",
        `  one: { description: One., binding: ${binding("")} }`,
        `  two: { description: Two., binding: ${binding(", auth: none")} }`,
        `  three: { description: Three., binding: ${binding(", auth: { bearer: '${TOKEN}' }")} }`,
        "",
      ].join("\n"),
    };
    const compilation = await compileFiles(files);
    expect(linesOf(compilation, files)).toEqual([]);
    const textOf = (name: string) =>
      compilation.files.find(({ path }) => path === `desk/${name}.ts`)?.text ?? "";
    expect(textOf("one")).toContain('from "@skillc/runtime/v1/oauth2"');
    expect(textOf("two")).not.toContain("auth");
    expect(textOf("three")).toContain('credential("TOKEN")');
    expect(textOf("catalog")).toContain("net.http:post https://id.example/token");
    const without = {
      ...files,
      "skills/desk/metadata.yaml": files["skills/desk/metadata.yaml"].slice(
        files["skills/desk/metadata.yaml"].indexOf("tools:"),
      ),
    };
    const hashOf = (text: string) => /manifest:\s*"(\w+)"/.exec(text)?.[1];
    const bare = await compileFiles(without);
    const bareText = bare.files.find(({ path }) => path === "desk/one.ts")?.text ?? "";
    expect(hashOf(bareText)).not.toBe(hashOf(textOf("one")));
  });

  it("a mistake in the `auth` of a skill is reported once, for the skill and not for its tools", async () => {
    const binding = '{ type: http, method: GET, url: "https://a.example/" }';
    const files = {
      "skills/desk/SKILL.md": "---\nname: desk\ndescription: A desk.\n---\n",
      "skills/desk/metadata.yaml": [
        "auth: [{ bearer: '${T}' }, { api_key: { in: header, name: 'bad name', value: '{key}' } }, { basic: [a, '${P}'] }]",
        "tools:",
        `  one: { description: One., binding: ${binding} }`,
        `  two: { description: Two., binding: ${binding} }`,
        "",
      ].join("\n"),
    };
    const compilation = await compileFiles(files);
    const told = compilation.diagnostics.map(({ code, skill, tool }) => [code, skill, tool]);
    expect(told).toEqual([
      ["http/bad-header-name", "desk", undefined],
      ["http/parameter-in-auth", "desk", undefined],
      ["http/auth-twice", "desk", undefined],
    ]);
  });
});
