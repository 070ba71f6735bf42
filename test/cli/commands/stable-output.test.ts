import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { filesIn, makeProject, put, skillc } from "../support/command-line.js";

const skill = "skills/desk/SKILL.md";

const text = `---
name: desk
description: Looks after orders.
tools:
  get-order:
    description: Gets an order.
    order_id: string
    binding: { type: http, url: "https://orders.example.com/orders/{order_id}", method: GET }
  list-orders:
    description: Lists orders.
    binding: { type: http, url: "https://orders.example.com/orders", method: GET }
  tell-customer:
    description: Tells a customer.
    text: string
---
Be kind.
`;

let root: string;
let before: Readonly<Record<string, string>>;

beforeEach(async () => {
  root = makeProject({ [skill]: text });
  await skillc(root, ["generate"]);
  before = filesIn(root);
});

async function changedBy(edited: string): Promise<readonly string[]> {
  put(root, skill, edited);
  expect((await skillc(root, ["generate"])).code).toBe(0);
  return changed(skill);
}

function changed(...but: readonly string[]): readonly string[] {
  const after = filesIn(root);
  const paths = Object.keys({ ...before, ...after }).filter((path) =>
    path.startsWith("generated/"),
  );
  return paths.filter((path) => after[path] !== before[path] && !but.includes(path)).toSorted();
}

describe("the files that an edit changes", () => {
  const catalog = ["generated/desk/catalog.ts"];
  const versions = ["generated/desk/versions.ts"];

  test("do not include any after an edit of a comment", async () => {
    expect(await changedBy(text.replace("tools:", "# All of them.\ntools:"))).toEqual([]);
  });

  test("include the skill's version and the texts for models after an edit of prose", async () => {
    expect(await changedBy(text.replace("Be kind.", "Be kind and brief."))).toEqual(
      [...catalog, ...versions].toSorted(),
    );
  });

  test("include the tool's module and the texts about it after an edit of a tool's description", async () => {
    expect(await changedBy(text.replace("Gets an order.", "Gets one order."))).toEqual(
      [
        ...catalog,
        ...versions,
        "generated/desk/get-order.ts",
        "generated/desk/handlers.ts",
      ].toSorted(),
    );
  });
});

describe("the checksums of a folder", () => {
  const place = "generated/desk/versions.ts";
  const module = "generated/desk/get-order.ts";

  test.each([
    ["are gone", () => rmSync(join(root, place))],
    ["hold what a merge left", () => put(root, place, conflict(before[place] ?? ""))],
    ["say nothing that can be read", () => put(root, place, `${before[place]?.split("\n")[0]}\n`)],
  ])("get written again if they %s", async (_, damage) => {
    damage();
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    expect(changed()).toEqual([]);
  });

  test("reveal an edit by hand, which is not overwritten", async () => {
    put(root, module, `${before[module]}// mine\n`);
    put(root, skill, text.replace("Gets an order.", "Gets one order."));
    const { code, stderr } = await skillc(root, ["generate"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("error[output/edited-by-hand]")]);
    expect(changed(module)).toEqual([]);
  });

  test("report no edit in a module with a merge conflict, which is written again", async () => {
    put(root, module, conflict(before[module] ?? ""));
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    expect(changed()).toEqual([]);
  });
});

/** A file as git leaves it when both sides changed its last line but one. */
function conflict(file: string): string {
  const lines = file.split("\n");
  const [last = ""] = lines.splice(-3, 1, "");
  return [
    ...lines.slice(0, -2),
    "<<<<<<< HEAD",
    last,
    "=======",
    `${last} `,
    ">>>>>>> other",
    ...lines.slice(-2),
  ].join("\n");
}
