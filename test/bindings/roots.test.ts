/** Named roots on their way from the text of a binding to generated code, by a kind that has one. */
import { expect, test } from "vitest";
import { compileFiles } from "../support/compile.js";
import { noteBinding } from "../support/rooted-kind.js";

const compileNote = (text: string) =>
  compileFiles(
    {
      "skills/desk/SKILL.md": "---\nname: desk\ndescription: Notes.\n---\n",
      "skills/desk/metadata.json": JSON.stringify({
        tools: {
          note: {
            description: "Note.",
            name: "string",
            binding: { type: "note", text },
          },
        },
      }),
    },
    { kinds: [noteBinding] },
  );

const codeOf = async (text: string): Promise<string | undefined> => {
  const { diagnostics, files } = await compileNote(text);
  expect(diagnostics).toEqual([]);
  const module = files.find(({ path }) => path === "desk/note.ts")?.text;
  return /\["note", p, (.*?)\],?\s*\)/s.exec(module ?? "")?.[1];
};

const told = async (text: string): Promise<readonly (readonly unknown[])[]> =>
  (await compileNote(text)).diagnostics.map(({ code, help, message }) => [code, message, help]);

test("a place in a root becomes an expression of its own, which type-checks", async () => {
  expect(await codeOf("{name} {result.id} ${KEY}")).toBe(
    'text(p.name, " ", result.id, " ", credential("KEY"))',
  );
});

test("a field that a root doesn't declare is told, with the one that was meant", async () => {
  expect(await told("{name} {result.idd}")).toEqual([
    ["note/unknown-root-field", "`result` declares no field `idd`", "did you mean `id`?"],
  ]);
});

test("a field of what is no object is told", async () => {
  expect(await told("{name} {result.id.first}")).toEqual([
    [
      "note/unknown-root-field",
      "`result.id` may be text, which has no fields",
      "write `{result.id}` for the value itself",
    ],
  ]);
});

test("a root is no parameter: what nothing else uses stays unused", async () => {
  expect(await told("{result.id}")).toEqual([
    [
      "note/unused-parameter",
      expect.stringContaining("`name` reaches nothing"),
      expect.any(String),
    ],
  ]);
});
