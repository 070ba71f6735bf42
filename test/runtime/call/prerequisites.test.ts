import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCredentials } from "../../../src/runtime/credentials/credentials.js";
import { type Surroundings, unmetPrerequisites } from "../../../src/runtime/call/prerequisites.js";
import type { Prerequisites } from "../../../src/runtime/tool.js";

function missing(wanted: Prerequisites, here: Partial<Surroundings> = {}) {
  const credentials = createCredentials({ given: { SET: "x", EMPTY: "" } });
  return unmetPrerequisites(wanted, {
    credentials,
    config: {},
    path: "",
    platform: "linux",
    ...here,
  });
}

/** A folder with an executable, a file that isn't one, and a folder of that name. */
function binFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillc-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "tool"), "");
  chmodSync(join(folder, "tool"), 0o755);
  writeFileSync(join(folder, "text"), "");
  mkdirSync(join(folder, "folder"));
  return folder;
}

test("nothing is missing for a skill without prerequisites", async () => {
  expect(await missing({})).toEqual([]);
  expect(await missing({ env: [], bins: [], config: [], os: [] })).toEqual([]);
});

test("an environment variable that is set but empty is missing, as for credentials", async () => {
  expect(await missing({ env: ["SET", "EMPTY", "NOT_SET", "__proto__"] })).toEqual([
    { kind: "env", name: "EMPTY" },
    { kind: "env", name: "NOT_SET" },
    { kind: "env", name: "__proto__" },
  ]);
});

describe("bins", () => {
  test("bins are found if they are executables on the path", async () => {
    const path = ["/does/not/exist", "", binFolder()].join(delimiter);
    const bins = ["tool", "text", "folder", "absent"];
    expect((await missing({ bins }, { path })).map((each) => each.name)).toEqual([
      "text",
      "folder",
      "absent",
    ]);
  });

  test.each(["../tool", "/bin/sh", "a/../tool", "tool\0", ".", "..", ""])(
    "bins are missing for %j, which names no program",
    async (name) => {
      expect(await missing({ bins: [name] }, { path: binFolder() })).toEqual([
        { kind: "bins", name },
      ]);
    },
  );

  test("bins are not searched in the working directory if a part of the path is empty", async () => {
    expect(await missing({ bins: ["package.json"] }, { path: delimiter })).toHaveLength(1);
  });
});

describe("config", () => {
  const config = { a: { b: 0, c: null, d: "" }, flag: false, "x.y": 1, list: ["one"] };

  test.each(["a", "a.b", "flag", "list", "list.0"])(
    "config values are found at `%s`",
    async (name) => {
      expect(await missing({ config: [name] }, { config })).toEqual([]);
    },
  );

  test.each(["a.c", "a.d", "a.b.c", "b", "x.y", "toString", "__proto__", "a.constructor", ""])(
    "config values are missing at `%s`, which has no value",
    async (name) => {
      expect(await missing({ config: [name] }, { config })).toEqual([{ kind: "config", name }]);
    },
  );
});

test("one of several operating systems is enough", async () => {
  expect(await missing({ os: ["linux", "darwin"] }, { platform: "darwin" })).toEqual([]);
  expect(await missing({ os: ["linux", "darwin"] }, { platform: "win32" })).toEqual([
    { kind: "os", name: "linux or darwin" },
  ]);
});
