import {
  type DiagnosticEntries,
  type DiagnosticEntry,
  type ProjectFiles,
  referenceDiagnosticEntries,
} from "skillc/binding";

const endpoint = "endpoint: https://stock.example.com/graphql";

/** A project of one skill with one tool: lines of the tool, then lines of its binding. */
function project(tool: readonly string[], binding: readonly string[]): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  get-product:",
    "    description: Fetches one product.",
    ...tool.map((line) => `    ${line}`),
    "    binding:",
    "      type: graphql",
    ...binding.map((line) => `      ${line}`),
    "",
  ];
  return {
    "skills/stock-desk/SKILL.md": "---\nname: stock-desk\ndescription: Looks up products.\n---\n",
    "skills/stock-desk/metadata.yaml": lines.join("\n"),
  };
}

const sku = ["sku: string"];
const bySku = 'query: "query ($sku: ID!) { product(sku: $sku) { name } }"';

function entry(
  title: string,
  explanation: string,
  example: ProjectFiles,
  fixed = project(sku, [endpoint, bySku]),
): DiagnosticEntry {
  return { severity: "error", title, explanation, example, fixed };
}

/** Every diagnostic code of GraphQL bindings. */
export const graphqlDiagnostics: DiagnosticEntries = {
  ...referenceDiagnosticEntries("graphql", (text, unused = []) =>
    project(
      ["order_id: string", "note: string", ...unused.map((name) => `unused: [${name}]`)],
      [
        endpoint,
        'query: "query ($search: String!) { orders(search: $search) { id } }"',
        `variables: { search: "${text}" }`,
      ],
    ),
  ),
  "graphql/bad-endpoint": entry(
    "an endpoint that does not say who gets the request",
    "The endpoint is a literal http or https URL of origin and path, or `${NAME}` and maybe a path. A parameter in it would let a caller choose the server.",
    project(sku, ["endpoint: stock.example.com/graphql", bySku]),
  ),
  "graphql/bad-header": entry(
    "a header that can't be sent",
    "A header has a name of letters, digits and hyphens and a value of one line. Those that describe the body or the connection follow from the request.",
    project(sku, [endpoint, bySku, "headers: { Content-Type: text/plain }"]),
  ),
  "graphql/bad-schema": entry(
    "a schema file that holds no schema",
    "`schema` names a JSON file with the result of the introspection query, which the document is checked by.",
    {
      ...project(sku, [endpoint, bySku, "schema: ./schema.json"]),
      "skills/stock-desk/schema.json": "{}",
    },
  ),
  "graphql/syntax": entry(
    "not GraphQL",
    "The document is read by GraphQL's own parser. Its braces are GraphQL's: placeholders stand in `variables`.",
    project(sku, [endpoint, 'query: "query ($sku: ID!) { product(sku: $sku) { name }"']),
  ),
  "graphql/invalid-query": entry(
    "a document that the server would refuse",
    "The document is checked by the rules of the GraphQL specification: those on variables and fragments always, those on fields and types when `schema` is given.",
    project(sku, [endpoint, 'query: "query ($sku: ID!) { product(sku: $id) { name } }"']),
  ),
  "graphql/one-operation": entry(
    "no operation, or several",
    "A tool is one query or one mutation; fragments may stand beside it.",
    project([], [endpoint, 'query: "{ products { sku } } mutation { clear }"']),
    project([], [endpoint, 'query: "{ products { sku } }"']),
  ),
  "graphql/subscription": entry(
    "a subscription",
    "A call of a tool has one answer, and a subscription has any number of them.",
    project([], [endpoint, 'query: "subscription { products { sku } }"']),
    project([], [endpoint, 'query: "{ products { sku } }"']),
  ),
  "graphql/unknown-variable": entry(
    "a value for a variable that the operation does not declare",
    "`variables` gives values to the variables in the operation's head. A name that is not there would never be looked at.",
    project(sku, [endpoint, bySku, 'variables: { skuu: "{sku}" }']),
  ),
  "graphql/variable-without-value": entry(
    "a variable without a value",
    "A variable takes the parameter of its name, or what `variables` says. One that has neither, and no default, never has a value.",
    project(["number: string", "unused: [number]"], [endpoint, bySku]),
    project(["number: string"], [endpoint, bySku, 'variables: { sku: "{number}" }']),
  ),
  "graphql/optional-variable": entry(
    "a parameter that may be missing, for a variable that needs a value",
    "The server refuses a request in which a variable with `!` and without default is absent, and one in which it is null.",
    project(["sku?: string"], [endpoint, bySku]),
  ),
  "graphql/wrong-type": entry(
    "a parameter of another type than the variable",
    "The server refuses a value that does not fit the variable's type. `String` takes text, `ID` text and integers, `Int` integers, `Float` numbers, `Boolean` booleans, a list also one item.",
    project(["sku: number"], [endpoint, bySku]),
  ),
  "graphql/not-text": entry(
    "nothing, an object or an array inside text",
    "Alone, a placeholder keeps the parameter's JSON type and may be absent. Inside other text it is text, a number or a boolean.",
    project(["sku?: string"], [endpoint, bySku, 'variables: { sku: "no-{sku}" }']),
    project(sku, [endpoint, bySku, 'variables: { sku: "no-{sku}" }']),
  ),
};
