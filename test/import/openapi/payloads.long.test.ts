/** Any text of a document appears in generated code only in literals and comments. */
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { compileFiles } from "../../support/compile.js";
import { importText } from "./support.js";

/** Ends of comments, strings and templates, and what would run after them. */
const payloads = [
  "*/ PWNED(); /*",
  "// \n PWNED()",
  "`; PWNED(); `",
  "${PWNED()}",
  '"; PWNED(); "',
  "'; PWNED(); '",
  '\\"; PWNED(); //',
  "\u2028PWNED()\u2029",
  "</script><script>PWNED()</script>",
  "]; PWNED(); [",
  "{{PWNED}}",
  "{PWNED}",
  "__proto__",
  "constructor",
  "---\nname: PWNED\n---",
  "\r\nPWNED: 1\r\n",
  "\u0000\u0007\u001b[31mPWNED\u009b",
  "\ud800PWNED",
  "<<<<<<< PWNED\n=======\n>>>>>>> x",
  "*PWNED",
  "&PWNED a",
  "!!js/function PWNED",
  "# PWNED: 1",
];

/** Half of a surrogate pair stands in no URI, so that no reference can name it. */
function referenceTo(name: string): string {
  const isName = name.toWellFormed() === name;
  const step = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return `#/components/schemas/${isName ? encodeURIComponent(step) : "Ref"}`;
}

/**
 * A document that says the payload wherever an author's own words may stand.
 *
 * @param isPlain leaves out what decides how a request is sent
 */
function documentOf(payload: string, isPlain: boolean): string {
  const schema = {
    type: "object",
    title: payload,
    description: payload,
    required: [payload],
    properties: {
      [payload]: { type: "string", description: payload, enum: [payload, "a"], example: payload },
      plain: { type: "string", default: payload, format: payload, pattern: payload },
      list: { type: "array", items: { const: payload } },
      ref: { $ref: referenceTo(payload) },
    },
    "x-payload": payload,
  };
  const content = { "application/json": { schema, example: payload } };
  // Names that a reference can't hold are renamed, which takes keys that decide what is sent.
  const { [payload]: _, ...plain } = schema.properties;
  const asTheyAre = {
    "application/json": { schema: { ...schema, required: ["plain"], properties: plain } },
  };
  const operation = (extra: object) => ({
    summary: payload,
    description: payload,
    tags: [payload],
    externalDocs: { url: payload, description: payload },
    ...extra,
  });
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: payload, description: payload, version: payload },
    servers: [{ url: payload, description: payload }, { url: `https://${payload}` }],
    tags: [{ name: payload, description: payload }],
    ...(!isPlain && { security: [{ [payload]: [payload] }] }),
    paths: {
      [`/a/${payload}`]: {
        get: operation({
          operationId: payload,
          parameters: ["query", "header", ...(isPlain ? [] : ["cookie"]), payload].map((where) => ({
            name: payload,
            in: where,
            description: payload,
            ...(!isPlain && { style: payload }),
            schema: { type: "string", default: payload },
          })),
          responses: {
            200: { description: payload, headers: isPlain ? {} : { [payload]: {} }, content },
            [payload]: { description: payload },
          },
        }),
      },
      "/b/{id}": {
        post: operation({
          parameters: [
            {
              name: "id",
              in: "path",
              required: true,
              schema: { type: "string", description: payload },
            },
          ],
          requestBody: {
            description: payload,
            required: true,
            content: isPlain ? asTheyAre : content,
          },
          responses: { 201: { description: payload, content } },
        }),
      },
    },
    components: {
      schemas: {
        [payload]: { type: "string", description: payload },
        Ref: { type: "string", description: payload },
      },
      securitySchemes: { [payload]: { type: "apiKey", in: "header", name: payload } },
    },
  });
}

/** Uses of the name that a payload brings, wherever it is not the name of a property, or of the type that is called after a component. */
function usesIn(text: string): readonly string[] {
  const found: string[] = [];
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const { parent } = node;
    const isName =
      (ts.isPropertySignature(parent) ||
        ts.isPropertyAssignment(parent) ||
        ts.isPropertyAccessExpression(parent)) &&
      parent.name === node;
    const isTypeName =
      ts.isTypeReferenceNode(parent) ||
      ((ts.isTypeAliasDeclaration(parent) || ts.isInterfaceDeclaration(parent)) &&
        parent.name === node) ||
      (ts.isImportSpecifier(parent) && (parent.isTypeOnly || parent.parent.parent.isTypeOnly));
    if (ts.isIdentifier(node) && node.text === "PWNED" && !isName && !isTypeName)
      found.push(parent.getText().slice(0, 80));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
}

const loneSurrogate =
  /^the compiler rejects the tool: U\+D800 is half of a surrogate pair, .* \(`http\/lone-surrogate`\)$/;

describe.each(payloads.map((payload) => [JSON.stringify(payload), payload]))("%s", (_, payload) => {
  test("stays text in the skills, in every field of a document", async () => {
    const { code, files, report, stderr } = await importText(documentOf(payload, false));
    expect([code, stderr]).toEqual([0, ""]);
    // A path with a fragment that no parameter says is none; the other operation has a path of its own.
    // A request can't have a field whose name UTF-8 can't write.
    const outcome = payload.isWellFormed() ? [/^(?:part|whole)$/, /^/] : [/^no$/, loneSurrogate];
    const withBody = report.operations.at(-1);
    expect(withBody?.taken).toMatch(outcome[0] ?? "");
    expect(withBody?.notes.at(-1)?.message ?? "").toMatch(outcome[1] ?? "");
    expect(report.operations.some(({ tool }) => tool !== null)).toBe(true);
    expect(Object.keys(files).filter((path) => !/^skills\/[\w./-]+$/.test(path))).toEqual([]);
    const written = Object.values(files).join("");
    expect(written).not.toMatch(/[^\P{Cc}\n\t]|[\u2028\u2029\u202e]|\p{Cs}/u);
    const metadata = Object.entries(files).filter(([path]) => path.endsWith(".yaml"));
    for (const [, text] of metadata) expect(Object.keys(parse(text))).toContain("tools_schema");
  });

  test("stays a literal or a comment in the generated code, in every field of a document", async () => {
    const { files } = await importText(documentOf(payload, true));
    const compiled = await compileFiles(files);
    const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
    const modules = compiled.files.filter(({ path }) => path.endsWith(".ts"));
    expect(modules.length).toBeGreaterThan(4);
    for (const { text } of modules) expect(usesIn(text)).toEqual([]);
  });
});
