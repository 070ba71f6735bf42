/** A statement whose Kysely code does not type-check is sent as the text that it is. */
import { expect, test } from "vitest";
import { compileFiles, linesOf } from "../../../support/compile.js";

const project = {
  "skillc.yaml": "databases: { DB: { schema: [schema.sql] } }\n",
  "schema.sql": "CREATE TABLE tags (id int PRIMARY KEY, label text NOT NULL);\n",
  "skills/tags/SKILL.md": `---
name: tags
description: Reads tags.
tools:
  shadowed:
    description: Finds tags by a query that is called like the table.
    parameters:
      type: object
      required: [label, skip, most]
      properties: { label: { type: string }, skip: { type: integer }, most: { type: integer, minimum: 0 } }
    binding:
      type: sql
      connection: \${DB}
      query: |
        WITH tags AS (SELECT label AS id FROM tags)
        SELECT id FROM tags WHERE id = :label OFFSET :skip LIMIT :most
  plain:
    description: Counts tags.
    binding: { type: sql, connection: "\${DB}", query: SELECT count(*) AS n FROM tags }
---
`,
};

test("a statement whose builder code does not type-check becomes text with a diagnostic, and the project compiles", async () => {
  const cache = new Map<string, string>();
  const compilation = await compileFiles(project, { cache });
  const said = linesOf(compilation, project).filter((each) => /not-translated|error/.test(each));
  expect(said).toEqual([
    "skills/tags/SKILL.md:15:9 info sql/not-translated: the statement stays SQL text: TypeScript rejects the code for it",
  ]);
  const textOf = (tool: string) =>
    compilation.files.find(({ path }) => path === `tags/${tool}.ts`)?.text;
  expect(textOf("shadowed")).toContain("WHERE id = ${p.label} OFFSET ${p.skip} LIMIT ${p.most}");
  expect(textOf("shadowed")).toContain('parameters: ["text", "int8", "int8"]');
  expect(textOf("plain")).toContain('.selectFrom("tags")');
  const again = await compileFiles(project, { cache });
  expect(again.counts).toMatchObject({ compiled: 0, reused: 1 });
  expect(again.files).toEqual(compilation.files);
  expect(again.diagnostics).toEqual(compilation.diagnostics);
});
