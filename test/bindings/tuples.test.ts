/** Tuples in the places of a request or command that take a list of scalars. */
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { compileFiles, linesOf } from "../support/compile.js";

const text = { type: "string" };
const code = { type: "string", maxLength: 3 };
const post = { type: "http", method: "POST", url: "https://a.example/x" };

const bindings: Readonly<Record<string, object>> = {
  "an entry of a query": { ...post, query: { at: "{at}" }, body: "none" },
  "a styled entry of a query": {
    ...post,
    query: { at: { value: "{at}", style: "form", explode: false } },
    body: "none",
  },
  "a part of a multipart body": { ...post, body: { multipart: { at: "{at}" } } },
  "the paths of a command": {
    type: "command",
    command: ["git", "show", "--", "{at...}"],
    paths: ["at"],
    allowed_paths: { read: ["."] },
  },
  "the arguments of a command": { type: "command", command: ["git", "show", "--", "{at...}"] },
};

/** Compiles and type-checks a tool with this binding. Returns the codes of errors. */
async function errorsOf(binding: object, at: object): Promise<readonly string[]> {
  const parameters = {
    type: "object",
    additionalProperties: false,
    required: ["at"],
    properties: { at: { type: "array", ...at } },
  };
  const tools_schema = { send: { description: "Sends.", parameters, binding } };
  const files = {
    "skills/a/SKILL.md": "---\nname: a\ndescription: Sends.\n---\n",
    "skills/a/metadata.yaml": stringify({ tools_schema }),
  };
  const lines = linesOf(await compileFiles(files), files);
  return lines.flatMap((line) => / error (\S+?):/.exec(line)?.[1] ?? []);
}

describe.each(Object.entries(bindings))("a tuple as %s", (_, binding) => {
  test.each([
    ["optional items and no further ones", { prefixItems: [text, code], items: false }],
    ["further items of one type", { prefixItems: [text, code], items: text }],
    ["required items", { prefixItems: [text, text], items: false, minItems: 2 }],
  ])("compiles and type-checks if its scalars are %s", async (_name, at) => {
    expect(await errorsOf(binding, at)).toEqual([]);
  });

  test.each([
    ["a second item", { prefixItems: [text, { type: "object" }], items: false }],
    ["a further item", { prefixItems: [text], items: { type: "object" } }],
  ])("causes an error before the type check if %s is an object", async (_name, at) => {
    expect(await errorsOf(binding, at)).toEqual([
      expect.stringMatching(/^(?:http\/not-a-scalar|command\/bad-\S+)$/),
    ]);
  });
});
