import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binding } from "../../../examples/graphql/binding/index.js";
import type { GraphqlConfig } from "../../../examples/graphql/binding/model.js";
import { createRegistry } from "../../../src/bindings/registry.js";
import { checkedProject } from "../../compiler/resolve/skill-project.js";
import { compileHere, filesBelow } from "./compile-example.js";
import { unicodeText } from "../../support/unicode-text.js";

const kinds = createRegistry([binding]);

const path = "skills/stock-desk/SKILL.md";
const schema = filesBelow("skills")["skills/stock-desk/schema.json"] ?? "";

/** A tool with these lines of parameters and binding, checked: `line:column code [shown] message (help)` for each error. */
async function errors(parameters: readonly string[], binding: readonly string[]) {
  const text = [
    "---",
    "name: stock-desk",
    "description: Looks up products.",
    "tools:",
    "  get-product:",
    "    description: Fetches one product.",
    "    binding:",
    "      type: graphql",
    "      endpoint: https://stock.example.com/graphql",
    ...binding.map((line) => `      ${line}`),
    ...parameters.map((line) => `    ${line}`),
    "---",
    "",
  ].join("\n");
  const files = { [path]: text, "skills/stock-desk/schema.json": schema };
  const { diagnostics } = await checkedProject(files, kinds);
  return diagnostics
    .filter((each) => each.severity === "error")
    .map(({ code, span, message, help }) => {
      const before = text.slice(0, span.start).split("\n");
      const place = `${before.length}:${(before.at(-1) ?? "").length + 1}`;
      const proposal = help === undefined ? "" : ` (${help})`;
      return `${place} ${code} [${text.slice(span.start, span.end)}] ${message}${proposal}`;
    });
}

const product = [
  "query: |",
  "  query GetProduct($sku: ID!) {",
  "    product(sku: $sku) { name }",
  "  }",
];

/** Line 10 is `query: |`, line 11 the first of the document. */
const document = (...lines: readonly string[]) => ["query: |", ...lines.map((each) => `  ${each}`)];

describe("GraphQL document", () => {
  it("rejects a comment that YAML folds into the next line", async () => {
    const folded = ["query: >", "  query ($sku: ID!) { product(sku: $sku) { name } # all", "  }"];
    expect(await errors(["sku: string"], folded)).toContainEqual(
      expect.stringMatching(/^11:57 binding\/folded-comment \[# all\] /),
    );
  });

  it("accepts the syntax of GraphQL", async () => {
    expect(await errors(["sku: string"], product)).toEqual([]);
    expect(await errors([], ['query: "{ products { sku } }"'])).toEqual([]);
    expect(
      await errors([], document("# all", "{ ...All }", "fragment All on Query { a }")),
    ).toEqual([]);
  });

  it("keeps its braces, which are not placeholders", async () => {
    const lines = document(
      "query ($sku: ID!) {",
      '  product(sku: $sku) { name(as: "{sku} ${X}") }',
      "}",
    );
    expect(await errors(["sku: string"], lines)).toEqual([]);
  });

  it("reports a syntax error at the character where GraphQL's parser stops", async () => {
    expect(
      await errors(
        ["sku: string"],
        document("query ($sku: ID!) {", "  product(sku $sku) { name }", "}"),
      ),
    ).toEqual(["12:23 graphql/syntax [$] expected `:`, found `$`"]);
    expect(await errors([], ['query: "{ products { sku }"'])).toEqual([
      "10:32 graphql/syntax [}] expected Name, found <EOF>",
    ]);
    expect(await errors([], ['query: ""'])).toEqual(['10:14 graphql/syntax [""] unexpected <EOF>']);
  });

  it("rejects endless nesting without running out of stack", async () => {
    const [error] = await errors([], [`query: "${"{a".repeat(5000)}"`]);
    expect(error).toMatch(/graphql\/syntax .* 2000 tokens/);
    const [list] = await errors(
      [],
      [`query: "query ($a: ${"[".repeat(900)}Int${"]".repeat(900)}) { a(a: $a) }"`],
    );
    expect(list).toContain("graphql/variable-without-value [$a]");
  });

  it("reports variables that are never used, and variables that are not declared", async () => {
    const lines = document(
      "query Get($sku: ID!, $id: ID) {",
      "  product(sku: $skuu) { name }",
      "}",
    );
    expect(await errors(["sku: string", "id?: string"], lines)).toEqual([
      "11:19 graphql/invalid-query [$sku] variable `$sku` is never used in operation `Get`",
      "11:30 graphql/invalid-query [$id] variable `$id` is never used in operation `Get`",
      "12:24 graphql/invalid-query [$skuu] variable `$skuu` is not defined by operation `Get`",
    ]);
  });

  it("rejects a document without exactly one operation", async () => {
    expect(await errors([], document("{ a }", "mutation B { b }"))).toEqual([
      "12:9 graphql/one-operation [mutation] the document has 2 operations, and a tool is one (make a tool of each)",
    ]);
    expect(await errors([], ['query: "fragment A on B { c }"'])).toEqual([
      '10:14 graphql/one-operation ["fragment A on B { c }"] the document has 0 operations, and a tool is one (write a query or a mutation)',
    ]);
  });

  it("rejects a subscription", async () => {
    expect(await errors([], document("subscription { stock }"))).toEqual([
      "11:9 graphql/subscription [subscription] a subscription goes on, and a call of a tool has one answer (write a query that asks for the present state)",
    ]);
  });
});

describe("schema of the server", () => {
  it("reports fields, arguments and types that the server lacks", async () => {
    const lines = [
      "schema: ./schema.json",
      ...document(
        "query ($sku: ID!, $first: Integer!) {",
        "  product(skuu: $sku) { nam }",
        "  products(first: $first) { sku }",
        "}",
      ),
    ];
    expect(await errors(["sku: string", "first: integer"], lines)).toEqual([
      "12:35 graphql/invalid-query [Integer] unknown type `Integer`",
      "13:11 graphql/invalid-query [product] field `product` argument `sku` of type `ID!` is required, but it was not provided",
      "13:19 graphql/invalid-query [skuu] unknown argument `skuu` on field `Query.product` (did you mean `sku`?)",
      "13:33 graphql/invalid-query [nam] cannot query field `nam` on type `Product` (did you mean `name`?)",
    ]);
  });

  it("reports that an input object is an object", async () => {
    const lines = [
      "schema: ./schema.json",
      'query: "mutation ($product: NewProduct!) { addProduct(product: $product) { sku } }"',
    ];
    expect(await errors(["product: object"], lines)).toEqual([]);
    expect(await errors(["product: string"], lines)).toEqual([
      "11:25 graphql/wrong-type [$product] `product` may be text, which `$product: NewProduct!` does not take (make the two types agree)",
    ]);
  });

  it("must exist and be a GraphQL schema", async () => {
    expect(await errors(["sku: string"], ["schema: ./other.json", ...product])).toEqual([
      "10:15 file/not-found [./other.json] there is no file `./other.json` (skillc looked for `skills/stock-desk/other.json`)",
    ]);
    const [error] = await errors(["sku: string"], ["schema: ./SKILL.md", ...product]);
    expect(error).toMatch(
      /^10:15 graphql\/bad-schema \[\.\/SKILL\.md\] the file is no introspection/,
    );
  });
});

describe("variables", () => {
  it("take the parameters of their names, or values of the author", async () => {
    const lines = document(
      "query ($sku: ID!, $first: Int) {",
      "  a(sku: $sku, first: $first) { b }",
      "}",
    );
    expect(await errors(["sku: string", "first?: integer"], lines)).toEqual([]);
    const renamed = [...lines, 'variables: { sku: "no-{number}", first: 3 }'];
    expect(await errors(["number: integer"], renamed)).toEqual([]);
    expect(await errors([], [...lines, 'variables: { sku: "${SKU}", first: null }'])).toEqual([]);
  });

  it("reports a variable without a value", async () => {
    expect(await errors(["skuu: string", "unused: [skuu]"], product)).toEqual([
      "11:26 graphql/variable-without-value [$sku] nothing gives `$sku: ID!` a value (name a parameter `sku`, or add `sku` to `variables`)",
    ]);
    const withDefault = document("query ($first: Int! = 5) { a(first: $first) }");
    expect(await errors([], withDefault)).toEqual([]);
  });

  it("reports a value for an undeclared variable", async () => {
    expect(await errors(["sku: string"], [...product, 'variables: { skuu: "{sku}" }'])).toEqual([
      "14:20 graphql/unknown-variable [skuu] the operation declares no variable `$skuu` (did you mean `sku`?)",
    ]);
  });

  it("reports placeholders without a parameter, and unused parameters", async () => {
    expect(await errors(["sku: string"], [...product, 'variables: { sku: "{skuu}" }'])).toEqual([
      "14:26 graphql/unknown-parameter [{skuu}] `skuu` is not a parameter of `get-product` (did you mean `sku`?)",
    ]);
    expect(await errors(["sku: string", "note: string"], product)).toEqual([
      "15:11 graphql/unused-parameter [string] `note` has no effect: the binding never uses it (write `{note}` where it belongs, or `unused: [note]` beside `binding`)",
    ]);
  });

  it("reports an optional parameter for a required variable", async () => {
    expect(await errors(["sku?: string"], product)).toEqual([
      "11:26 graphql/optional-variable [$sku] `sku` is optional, and `$sku: ID!` needs a value (make it required, give it a `default`, or drop the `!`)",
    ]);
    expect(await errors(["sku: { type: [string, 'null'] }"], product)).toEqual([
      "11:26 graphql/optional-variable [$sku] `sku` may be null, and `$sku: ID!` needs a value (make it required, give it a `default`, or drop the `!`)",
    ]);
    expect(await errors(["sku: { type: string, default: a }"], product)).toEqual([]);
    const nullable = document("query ($sku: ID, $n: Int! = 1) { a(sku: $sku, n: $n) }");
    expect(await errors(["sku?: { type: [string, 'null'] }", "n?: integer"], nullable)).toEqual([]);
  });

  it.each<[type: string, parameter: string, fault?: string]>([
    ["String", "string"],
    ["String", "integer", "`v` may be an integer"],
    ["ID", "string"],
    ["ID", "integer"],
    ["ID", "number", "`v` may be a number"],
    ["Int", "integer"],
    ["Int", "number", "`v` may be a number"],
    ["Float", "integer"],
    ["Float", "number"],
    ["Boolean", "boolean"],
    ["Boolean", "string", "`v` may be text"],
    ["DateTime", "object"],
    ["[String!]!", "{ type: array, items: { type: string } }"],
    ["[String!]!", "string"],
    ["[String]", "{ type: array, items: { type: integer } }", "items of `v` may be an integer"],
    ["[String]", "{ type: array, items: { type: [string, 'null'] } }"],
    ["[String!]", "{ type: array, items: { type: [string, 'null'] } }", "items of `v` may be null"],
    ["[[Int]]", "{ type: array, items: { type: array, items: { type: integer } } }"],
    [
      "[[Int]]",
      "{ type: array, items: { type: array, items: { type: string } } }",
      "items of items of `v` may be text",
    ],
    ["String", "{ type: array, items: { type: string } }", "`v` may be an array"],
    ["String", "{ type: [string, integer], enum: [a, 1] }", "`v` may be an integer"],
  ])(
    "a variable of type %s is checked against a parameter of type %s",
    async (type, parameter, fault) => {
      const lines = document(`query ($v: ${type}) { a(v: $v) }`);
      expect(await errors([`v: ${parameter}`], lines)).toEqual(
        fault === undefined
          ? []
          : [
              `11:16 graphql/wrong-type [$v] ${fault}, which \`$v: ${type}\` does not take (make the two types agree)`,
            ],
      );
    },
  );

  it("checks literal values, too", async () => {
    const lines = document("query ($n: Int!, $s: String) { a(n: $n, s: $s) }");
    expect(await errors([], [...lines, "variables: { n: null, s: true }"])).toEqual([
      "12:23 graphql/optional-variable [null] `null` may be null, and `$n: Int!` needs a value (make it required, give it a `default`, or drop the `!`)",
      "12:32 graphql/wrong-type [true] `true` may be a boolean, which `$s: String` does not take (make the two types agree)",
    ]);
  });

  it("accept text only with scalars that are always present", async () => {
    const lines = document("query ($s: String) { a(s: $s) }");
    const value = [...lines, 'variables: { s: "a {b} {c}" }'];
    expect(await errors(["b?: string", "c: { type: object }"], value)).toEqual([
      "12:26 graphql/not-text [{b}] `b` is optional, and inside text there is always text, a number or a boolean (let it stand alone, or make it a required scalar)",
      "12:30 graphql/not-text [{c}] `c` may be an object, and inside text there is always text, a number or a boolean (let it stand alone, or make it a required scalar)",
    ]);
  });
});

/** Capabilities of a tool with this endpoint, or its errors. */
async function reached(endpoint: string): Promise<readonly string[]> {
  const text = `---\nname: stock-desk\ndescription: d\ntools:\n  a:\n    description: d\n    p: string\n    binding: { type: graphql, endpoint: "${endpoint}", query: "query ($p: ID) { a(p: $p) }" }\n---\n`;
  const { diagnostics, skills } = await checkedProject({ [path]: text }, kinds);
  const errors = diagnostics.filter((each) => each.severity === "error");
  const tools = skills.flatMap((each) => each.tools);
  const capabilities = tools.flatMap((tool) => {
    const config = binding.capabilities?.(
      tool.binding.config as GraphqlConfig,
      [],
      `stock-desk/${tool.name}`,
    );
    return config?.map(({ capability }) => capability) ?? [];
  });
  return [...errors.map((each) => each.code), ...capabilities];
}

describe("endpoint", () => {
  it.each([
    "https://stock.example.com/graphql",
    "http://127.0.0.1:4000",
    "${STOCK_URL}",
    "${STOCK_URL}/v1/graphql",
  ])("%s is the capability of its tool", async (endpoint) => {
    expect(await reached(endpoint)).toEqual([`net.http:post ${endpoint}`]);
  });

  it.each([
    "stock.example.com/graphql",
    "/graphql",
    "ftp://stock.example.com",
    "https://",
    "https://user:pw@stock.example.com/graphql",
    "https://stock.example.com/graphql?a=1",
    "https://stock.example.com/graphql#a",
    "https://0x7f.1/graphql",
    "https://stock.example.com\\\\@evil.example/graphql",
    "https://{p}.example.com",
    "https://stock.example.com/{p}",
    "https://${HOST}/graphql",
    "${STOCK_URL}.example.com",
    "${STOCK_URL}${PATH}",
  ])("rejects %s", async (endpoint) => {
    expect(await reached(endpoint)).toContain("graphql/bad-endpoint");
  });
});

/** Errors of `headers: { … }`. */
function headers(text: string): Promise<readonly string[]> {
  return errors(["sku: string"], [...product, `headers: { ${text} }`]);
}

describe("headers", () => {
  it("accept text, parameters and credentials", async () => {
    expect(await headers('X-Sku: "{sku}", X-N: 2, Authorization: "Bearer ${TOKEN}"')).toEqual([]);
  });

  it("reject names and values that can't be sent", async () => {
    expect(await headers('"X Y": a, Content-Type: text/plain, X-A: "a\\nb"')).toEqual([
      '14:18 graphql/bad-header ["X Y"] `X Y` is not a header name (use letters, digits and `-`)',
      "14:28 graphql/bad-header [Content-Type] `Content-Type` is not for a binding to set: it follows from the request (remove it)",
      "14:61 graphql/bad-header [\\n] a header value is one line of Latin-1 text (remove this character)",
    ]);
  });
});

const piece = fc.constantFrom(
  ...'{ } ( $a : [ ] ! " """ ` ${ */ \\ \u2028 a query fragment on ... @ # \n é 𝕏 __proto__'.split(
    " ",
  ),
);
const anyText = fc.oneof(
  unicodeText(),
  fc.array(piece, { maxLength: 30 }).map((each) => each.join(" ")),
);

/** A project of one skill with these bindings, a tool each. */
function projectOf(bindings: readonly object[]) {
  const tools = bindings.map((each, index) => [
    `tool-${index}`,
    { description: "d", binding: { type: "graphql", endpoint: "https://a.example", ...each } },
  ]);
  return {
    "skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\n",
    "skills/s/metadata.json": JSON.stringify({ tools_schema: Object.fromEntries(tools) }),
  };
}

it("any text as a document gets a diagnostic, and never crashes the compiler", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (query) => {
      const { diagnostics } = await checkedProject(projectOf([{ query }]), kinds);
      expect(diagnostics.length).toBeGreaterThan(0);
    }),
    { numRuns: 200 },
  );
});

it("any text becomes literals and no other code", { timeout: 60_000 }, async () => {
  const property = fc.asyncProperty(
    fc.array(anyText, { minLength: 25, maxLength: 25 }),
    async (texts) => {
      const bindings = texts.map((text) => ({
        // A JSON string is a GraphQL string too.
        query: `query ($__proto__: String) { a(b: $__proto__, c: ${JSON.stringify(text)}) }`,
        variables: JSON.parse(
          `{"__proto__": ${JSON.stringify(text.replace(/[{}$]/g, ""))}}`,
        ) as object,
      }));
      const { diagnostics, files } = await compileHere(projectOf(bindings));
      expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
      expect(files.length).toBeGreaterThan(texts.length);
    },
  );
  await fc.assert(property, { numRuns: 1 });
});
