import { describe, expect, it } from "vitest";
import { httpTool } from "../../support/http-tool.js";

/** A GET without parameters whose binding goes on with these lines, from line 4 on. */
function withLines(...lines: readonly string[]) {
  const head = ["binding:", "  method: GET", "  url: https://a.example/"];
  return httpTool([...head, ...lines].join("\n"));
}

const faults = (...lines: readonly string[]) =>
  withLines(...lines.map((line) => `  ${line}`)).lines;

describe("response_mapping.path", () => {
  it.each<[path: string, steps: readonly unknown[], singular: boolean]>([
    ["$", [], true],
    ["$.data", ["data"], true],
    ["$['odd name'][0][-1]", ["odd name", 0, -1], true],
    ["$.items[*].id", ["items", { each: true }, "id"], false],
    ["$.items[?@.open].id", ["items", { each: true }, "id"], false],
    ["$.items[0:2]", ["items", { each: true }], false],
    ["$.a..b", ["a"], false],
    ["$.a['b','c'].d", ["a"], false],
  ])("reads %s", (path, steps, singular) => {
    const { resolved, lines } = withLines(`  response_mapping: { path: "${path}" }`);
    expect(lines).toEqual([]);
    expect(resolved?.config.dataPath?.steps.map(({ at }) => at)).toEqual(steps);
    expect(resolved?.config.dataPath?.singular).toBe(singular);
  });

  it.each<[path: string, place: string, reason: string]>([
    ["$.", "4:32 http/bad-json-path []", "it ends too early"],
    ["$.a[", "4:34 http/bad-json-path []", "it ends too early"],
    [
      "$.a.b c",
      "4:36 http/bad-json-path [c]",
      "expected '.', '..' or a bracketed selection, found 'c'",
    ],
    ["$.a[?nope(@)]", "4:35 http/bad-json-path [n]", "no such function 'nope'"],
    ["$.a[99999999999999999999]", "4:34 http/bad-json-path [9]", "index out of range"],
  ])("points at the character where %s goes wrong", (path, place, reason) => {
    expect(faults(`response_mapping: { path: "${path}" }`)).toEqual([
      `${place} \`${path}\` is not a JSONPath: ${reason} (write an RFC 9535 query: \`$.data\`, \`$.items[0].id\`, \`$['odd name']\`)`,
    ]);
  });

  it.each([
    ["data.items", "$.data.items"],
    [".data", "$.data"],
  ])("suggests how to write %s", (path, better) => {
    expect(faults(`response_mapping: { path: ${path} }`)).toEqual([
      `4:29 http/bad-json-path [${path.charAt(0)}] \`${path}\` is not a JSONPath: expected '$', found '${path.charAt(0)}' (write \`${better}\`)`,
    ]);
  });

  it("rejects a path longer than 2,000 characters, before a parser runs out of stack", () => {
    const [line] = faults(`response_mapping: { path: "$[?${"!".repeat(5000)}@.a]" }`);
    expect(line).toMatch(
      /^4:29 http\/bad-json-path .* is not a JSONPath: longer than 2000 characters/,
    );
  });
});

const schema =
  "{ type: object, required: [data], properties: { data: { type: object, properties: { " +
  "items: { type: array, items: { type: object, properties: { id: { type: string } } } }, " +
  "map: { type: object, additionalProperties: { type: string } }, free: { type: object }, total: { type: number } } } } }";

const both = (returns: string, text: string) =>
  httpTool(
    [
      `returns: ${returns}`,
      "binding:",
      "  method: GET",
      "  url: https://a.example/",
      `  response_schema: ${schema}`,
      `  response_mapping: { path: "${text}" }`,
    ].join("\n"),
  ).lines;

const pathFaults = (text: string) =>
  faults(`response_schema: ${schema}`, `response_mapping: { path: "${text}" }`);

describe("response path and `response_schema`", () => {
  it.each([
    "$",
    "$.data",
    "$.data.items[0].id",
    "$.data.items[-1].id",
    "$.data.items[*].id",
    "$.data.map.x",
    "$.data.free.x.y",
    "$..nowhere",
    "$.data['items','nowhere']",
  ])("the schema allows the path %s", (text) => {
    expect(pathFaults(text)).toEqual([]);
  });

  it.each<[text: string, line: string]>([
    [
      "$.dta",
      "5:32 http/unknown-response-field [dta] the body has no field `dta` by its schema (did you mean `data`?)",
    ],
    [
      "$.data.nope",
      "5:37 http/unknown-response-field [nope] `data` has no field `nope` by its schema (it has `items`, `map`, `free`, `total`)",
    ],
    [
      "$.data.items[*].idd",
      "5:46 http/unknown-response-field [idd] `data.items[*]` has no field `idd` by its schema (did you mean `id`?)",
    ],
    [
      "$.data.items.id",
      "5:43 http/unknown-response-field [id] `data.items` is an array by its schema, which has no fields (write `[*]` for every item, or `[0]` for the first)",
    ],
    [
      "$.data.total.x",
      "5:43 http/unknown-response-field [x] `data.total` is a number by its schema, which has no fields",
    ],
    [
      "$.data[0]",
      "5:37 http/unknown-response-field [0] `data` is an object by its schema, which has no items",
    ],
    [
      "$.data.total[*]",
      "5:43 http/unknown-response-field [*] `data.total` is a number by its schema, which has no items",
    ],
    [
      "$.data.totl",
      "5:37 http/unknown-response-field [totl] `data` has no field `totl` by its schema (did you mean `total`? it has `items`, `map`, `free`, `total`)",
    ],
  ])("reports that the schema lacks a value at %s", (text, line) => {
    expect(pathFaults(text)).toEqual([line]);
  });

  it("suggests only the nearest of many field names for a misspelt one", () => {
    const names = Array.from({ length: 9 }, (_, index) => `field_number_${index}`);
    const many = `{ type: object, properties: { ${names.map((name) => `${name}: {}`).join(", ")} } }`;
    const at = (path: string) =>
      faults(`response_schema: ${many}`, `response_mapping: { path: ${path} }`).join();
    expect(at("$.fieldNumber_3")).toContain("by its schema (did you mean `field_number_3`?)");
    expect(at("$.total")).toMatch(/\(it has `field_number_0`, (.*), `field_number_7`, …\)$/);
  });

  it.each<[path: string, schema: string]>([
    ["$.other", "{ properties: { a: {} }, additionalProperties: { type: string } }"],
    [
      "$.list[*].id",
      "{ properties: { list: { prefixItems: [{ type: string }], items: { type: object } } } }",
    ],
  ])("accepts a path that only `additionalProperties` or `items` describes: %s", (path, schema) => {
    expect(faults(`response_schema: ${schema}`, `response_mapping: { path: "${path}" }`)).toEqual(
      [],
    );
  });

  it("a path is not checked if there is no schema", () => {
    expect(faults('response_mapping: { path: "$.anything.at[3].all", error_path: $.x }')).toEqual(
      [],
    );
  });

  it("`error_path` is checked by `error_schema`, or by `response_schema` if there is no `error_schema`", () => {
    const error = "error_schema: { type: object, properties: { message: { type: string } } }";
    expect(
      faults(`response_schema: ${schema}`, error, "response_mapping: { error_path: $.message }"),
    ).toEqual([]);
    expect(
      faults(`response_schema: ${schema}`, error, "response_mapping: { error_path: $.data }"),
    ).toEqual([
      "6:37 http/unknown-response-field [data] the body has no field `data` by its schema (it has `message`)",
    ]);
    expect(
      faults(`response_schema: ${schema}`, "response_mapping: { error_path: $.message }"),
    ).toEqual([
      "5:37 http/unknown-response-field [message] the body has no field `message` by its schema (describe the bodies of errors in `error_schema`)",
    ]);
  });

  describe("`returns` and the response path", () => {
    it.each([
      ["{ type: object }", "$.data"],
      ["{ type: number }", "$.data.total"],
      ["{ type: [array, 'null'] }", "$.data.items"],
      ["{ type: array }", "$.data.items[*].id"],
      ["{}", "$.data"],
    ])("`returns: %s` fits a value at %s", (returns, text) => {
      expect(both(returns, text)).toEqual([]);
    });

    it("reports that an integer of `returns` narrows a number of the response", () => {
      expect(both("{ type: integer }", "$.data.total")).toEqual([
        expect.stringMatching(/http\/returns-narrows .* `returns` takes an integer/),
      ]);
    });

    it.each<[returns: string, text: string, found: string, wanted: string]>([
      ["{ type: string }", "$.data", "an object", "text"],
      ["{ type: object }", "$.data.items", "an array", "an object"],
      ["{ type: string }", "$.data.items[*].id", "an array", "text"],
    ])("`returns: %s` does not fit a value at %s", (returns, text, found, wanted) => {
      const written = `"${text}"`;
      expect(both(returns, text)).toEqual([
        `6:29 http/returns-mismatch [${written}] the response has ${found} here, but \`returns\` expects ${wanted} ` +
          "(write a `response_mapping.path` to the value that `returns` describes)",
      ]);
    });
  });
});

const statuses = (text: string) => faults(`response_mapping: { status_codes: { ${text} } }`);

describe("status_codes", () => {
  it.each([
    '"201": success',
    '404: not_found, "409": conflict',
    "500: error",
    '"202": accepted, "203": accepted',
    '"304": not_modified',
    "599: e2",
  ])("accepts %s", (text) => {
    expect(statuses(text)).toEqual([]);
  });

  const codeHelp =
    "(write three digits, 100 to 599, a range such as `4XX`, or `default` for every other failure)";
  it.each<[text: string, line: string]>([
    ["4xx: a", "4:39 http/bad-status-code [4xx] `4xx` is not a status code (write `4XX`)"],
    ["99: a", `4:39 http/bad-status-code [99] \`99\` is not a status code ${codeHelp}`],
    ["600: a", `4:39 http/bad-status-code [600] \`600\` is not a status code ${codeHelp}`],
    ['"0404": a', `4:39 http/bad-status-code ["0404"] \`0404\` is not a status code ${codeHelp}`],
    [
      "404: notFound",
      "4:44 http/bad-status-name [notFound] `notFound` is not a name for a status (use lower-case letters, digits and `_`: `not_found`)",
    ],
    [
      "404: Not-Found",
      "4:44 http/bad-status-name [Not-Found] `Not-Found` is not a name for a status (use lower-case letters, digits and `_`: `not_found`)",
    ],
    [
      "404: '4'",
      "4:44 http/bad-status-name ['4'] `4` is not a name for a status (use lower-case letters, digits and `_`)",
    ],
    [
      "202: shadow",
      "4:44 http/bad-status-name [shadow] `shadow` is the status of a call that was recorded instead of sent (choose another name)",
    ],
    [
      "404: success",
      "4:44 http/misleading-status [success] `success` has `data`, but 404 is a failure (give it a name of its own, such as `accepted` or `not_found`)",
    ],
    [
      "204: error",
      "4:44 http/misleading-status [error] 204 is a success, but `error` has no `data` (give it a name of its own, such as `accepted` or `not_found`)",
    ],
    [
      "default: success",
      "4:48 http/misleading-status [success] `success` has `data`, but `default` stands for failures (give it a name of its own, such as `accepted` or `not_found`)",
    ],
    [
      "default: { as: error, schema: true }",
      "4:69 http/schema-of-error [true] `error` stands for every failure that fits no schema, so it can't have a schema (give this status a name of its own, such as `as: refused`; for `error_path` alone, write `error_schema`)",
    ],
    [
      "200: { as: success, schema: true }, 201: { as: success, schema: true }",
      "4:103 http/success-twice [true] `success` already has a schema (give this status a name of its own, such as `as: accepted`, or keep one of the two)",
    ],
    [
      "201: { as: created, schema: true }, 202: created",
      "4:67 http/ambiguous-status [true] `created` also stands for 202, which has no schema or path of its own (give each status a name of its own, or give both a schema)",
    ],
    [
      "404: { as: not_found, schema: { properties: { message: {} } }, path: $.mesage }",
      "4:110 http/unknown-response-field [mesage] the body has no field `mesage` by its schema (did you mean `message`?)",
    ],
    [
      "202: pending, 409: pending",
      "4:58 http/ambiguous-status [pending] `pending` stands for 202 and for 409, but only one of them has `data` (give each status a name of its own)",
    ],
  ])("rejects %s", (text, line) => {
    expect(statuses(text)).toEqual([line]);
  });
});

describe("status in its long form", () => {
  it.each(["404", "4XX", "default"])("accepts the status %s", (code) => {
    const { lines, resolved } = withLines(
      "  response_mapping:",
      "    status_codes:",
      `      ${code}: { as: gone, schema: { type: string }, path: $ }`,
    );
    expect(lines).toEqual([]);
    expect(resolved?.config.statuses).toMatchObject([
      { code, name: "gone", schema: { schema: { type: "string" } }, path: { steps: [] } },
    ]);
  });

  it("a status that is named `success` decides the type of all successes", () => {
    const { lines, resolved } = withLines(
      "  response_mapping:",
      "    status_codes:",
      "      200: { as: success, schema: { type: object }, path: $.a }",
    );
    expect(lines).toEqual([]);
    expect(resolved?.config.response?.schema).toMatchObject({ type: "object" });
    expect(resolved?.config.dataPath?.text).toBe("$.a");
  });

  it("a status without content needs no response schema, whatever `returns` declares", () => {
    const { lines } = httpTool(
      [
        "returns: { type: object }",
        "binding:",
        "  method: DELETE",
        "  url: https://a.example/",
        "  response_mapping: { status_codes: { 204: removed } }",
      ].join("\n"),
    );
    expect(lines).toEqual([]);
  });
});

describe("max_response_bytes", () => {
  it("defaults to 10 MiB", () => {
    expect(withLines().resolved?.config.maxResponseBytes).toBe(10_485_760);
    expect(withLines("  max_response_bytes: 100").resolved?.config.maxResponseBytes).toBe(100);
  });
});
