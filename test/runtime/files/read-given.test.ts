import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { giveFile } from "../../../src/runtime/files/give-file.js";
import { readGiven } from "../../../src/runtime/files/read-given.js";
import { emptyFolder, makeTree } from "../rollback/backups/trees.js";

/** Reads a file of a project, all of whose folders are listed in skillc.yaml. */
async function textOf(directory: string, path: string, folders = ["."]): Promise<string> {
  const rules = { at: [], folders };
  const file = giveFile({ path }, "/scan", rules);
  await readGiven(file, rules, directory, 1000);
  return Buffer.from(file.bytes ?? []).toString();
}

test("a file parameter reads no credentials and no records of the project", async () => {
  const directory = emptyFolder();
  makeTree(directory, {
    ".env": { target: "own/env" },
    ".skillc/approvals/a.json": "secret",
    "own/env": "TOKEN=s3cret",
    link: { target: ".skillc/approvals/a.json" },
    "notes/.env": "of the notes",
  });
  for (const path of [".env", "own/env", ".skillc/approvals/a.json", "link"])
    await expect(textOf(directory, path)).rejects.toMatchObject({
      message: expect.stringContaining("credentials or records of the project"),
    });
  expect(await textOf(directory, "notes/.env")).toBe("of the notes");
});

test("a file parameter reads a folder of skillc that skillc.yaml lists by its name", async () => {
  const directory = emptyFolder();
  fs.mkdirSync(join(directory, ".skillc/downloads"), { recursive: true });
  fs.writeFileSync(join(directory, ".skillc/downloads/a"), "a");
  const folders = [".skillc/downloads"];
  expect(await textOf(directory, ".skillc/downloads/a", folders)).toBe("a");
});
