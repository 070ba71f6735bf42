/** Named roots on their way from the text of a binding to generated code, in a kind that has one. */
import { describe, expect, test } from "vitest";
import { catalogIn } from "../support/catalog.js";
import { compileFiles } from "../support/compile.js";
import { noteBinding } from "../support/rooted-kind.js";

const compileNote = (text: string, parameter = "name") =>
  compileFiles(
    {
      "skills/desk/SKILL.md": "---\nname: desk\ndescription: Notes.\n---\n",
      "skills/desk/metadata.json": JSON.stringify({
        tools: {
          note: {
            description: "Note.",
            [parameter]: "string",
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

const told = async (text: string, parameter?: string): Promise<readonly (readonly unknown[])[]> =>
  (await compileNote(text, parameter)).diagnostics.map(({ code, help, message }) => [
    code,
    message,
    help,
  ]);

test("a path into a root becomes an expression that type-checks", async () => {
  expect(await codeOf("{name} {result.id} ${KEY}")).toBe(
    'text(p.name, " ", result.id, " ", credential("KEY"))',
  );
});

test("an undeclared field of a root causes an error with a suggestion", async () => {
  expect(await told("{name} {result.idd}")).toEqual([
    ["note/unknown-root-field", "`result` declares no field `idd`", "did you mean `id`?"],
  ]);
});

test("a field of a value that is not an object causes an error", async () => {
  expect(await told("{name} {result.id.first}")).toEqual([
    [
      "note/unknown-root-field",
      "`result.id` may be text, which has no fields",
      "write `{result.id}` for the value itself",
    ],
  ]);
});

test("a root is no parameter, so a parameter that nothing else uses stays unused", async () => {
  expect(await told("{result.id}")).toEqual([
    ["note/unused-parameter", expect.stringContaining("`name` has no effect"), expect.any(String)],
  ]);
});

test("a root with the name of a parameter causes an error at each place", async () => {
  const { diagnostics } = await compileNote("{result.id} {result}", "result");
  expect(diagnostics.map(({ code, message, related }) => [code, message, related?.length])).toEqual(
    [
      [
        "note/ambiguous-reference",
        "`{result.id}` doesn't refer to the tool's parameter `result`",
        1,
      ],
      ["note/ambiguous-reference", "`{result}` doesn't refer to the tool's parameter `result`", 1],
    ],
  );
});

describe("the caller as a root of a project's own kind", () => {
  test("becomes an expression, and the contract and the catalog list its fields", async () => {
    expect(await codeOf("{name} {caller.subject} {caller.tenant}")).toBe(
      'text(p.name, " ", caller.subject, " ", caller.tenant)',
    );
    const { files } = await compileNote("{name} {caller.subject} of {caller.tenant}");
    const textOf = (wanted: string) => files.find(({ path }) => path === wanted)?.text ?? "";
    expect(textOf("desk/note.ts")).toContain('caller: ["tenant", "subject"],');
    const { skills } = catalogIn(files);
    expect(skills[0]?.tools[0]?.["caller"]).toEqual(["tenant", "subject"]);
  });

  test("does not appear in a tool that uses nothing of it", async () => {
    const { files } = await compileNote("{name} {result.id}");
    const naming = files.filter(({ text }) => /caller: \[|"caller"/.test(text));
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  test.each([
    ["{name} {caller.tennant}", "`caller` declares no field `tennant`", "did you mean `tenant`?"],
    [
      "{name} {caller.roles}",
      "`caller` declares no field `roles`",
      "its fields are `tenant`, `subject`, `origin`, `trace`",
    ],
    [
      "{name} {caller}",
      "`caller` alone is not a value",
      "name one of its fields: `{caller.tenant}`, `{caller.subject}`, `{caller.origin}`, `{caller.trace}`",
    ],
    [
      "{name} {caller.__proto__}",
      "`caller` declares no field `__proto__`",
      "its fields are `tenant`, `subject`, `origin`, `trace`",
    ],
  ])("causes an error for an unknown field: %s", async (text, message, help) => {
    expect(await told(text)).toEqual([["note/unknown-root-field", message, help]]);
  });

  test("causes an error if a parameter has its name, which does not count as unused then", async () => {
    expect(await told("{caller.tenant}", "caller")).toEqual([
      [
        "note/ambiguous-reference",
        "`{caller.tenant}` doesn't refer to the tool's parameter `caller`",
        "rename the parameter: `{caller…}` never refers to it",
      ],
    ]);
  });
});
