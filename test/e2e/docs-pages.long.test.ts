/**
 * Pages of docs/ that are a project: a block with a path as its title is a file of it, and a `ts run` block is a module of an application in it. Each page is
 * compiled, type-checked and run in a folder of its own, with one order service and one embedded PostgreSQL.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type OrderService, startOrderService } from "../../examples/order-service/server.js";
import { makeProject, put } from "../cli/support/command-line.js";
import { blocksOf, pagesBelow, readPage, withSkillFiles } from "../support/page-blocks.js";
import { linkPackages, tsc } from "../support/tsc.js";

// What it remembers is of the compiler's first copy, and each page has one of its own.
vi.unmock("../../src/compiler/verify/check-types.js");

const pages = pagesBelow("docs").filter((page) =>
  blocksOf(readPage(page)).some(({ isRun }) => isRun),
);

/** Where pages say that the order service listens. */
const shownAddress = "http://127.0.0.1:8008";

let service: OrderService;
const start = process.cwd();

beforeEach(async () => {
  service = await startOrderService({ token: "demo-token" });
  // Each page's application has a runtime of its own, which reads the page's `.env`.
  vi.resetModules();
});

afterEach(async () => {
  const { shutdown } = await import("@skillc/runtime");
  await shutdown();
  process.chdir(start);
  await service.close();
});

test("there are pages whose code is run", () => {
  expect(pages).toEqual(
    expect.arrayContaining([
      "docs/http/authenticate.md",
      "docs/http/retries.md",
      "docs/sql/writes.md",
    ]),
  );
});

describe.each(pages)("%s", (page) => {
  test("compiles and type-checks unchanged, and its calls print the documented output", async () => {
    const text = readPage(page).replaceAll(shownAddress, service.url);
    const blocks = blocksOf(text);
    const root = makeProject({
      "package.json": '{"type": "module"}',
      "tsconfig.json": readPage("test/docs/project/tsconfig.json"),
    });
    const shown = blocks.flatMap(({ path, text: file }) =>
      path === undefined ? [] : [[path, file] as const],
    );
    for (const [path, file] of Object.entries(withSkillFiles(Object.fromEntries(shown))))
      put(root, path, file);
    linkPackages(root, ["@skillc/runtime", "@types/node", "undici-types"]);

    // What the compiler imports late is to be of the same copy as itself.
    const { skillc } = await import("../cli/support/command-line.js");
    const { code, stdout } = await skillc(root, ["generate", "--json"]);
    // What `--json` prints.
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string }[] };
    expect(diagnostics.filter((each) => each.code !== "skill/not-portable")).toEqual([]);
    expect(code).toBe(0);

    const runs = blocks.filter(({ isRun }) => isRun);
    for (const [index, run] of runs.entries()) put(root, `example-${index + 1}.ts`, run.text);
    expect(await tsc(root)).toBe("");

    process.chdir(root);
    for (const [index, run] of runs.entries()) {
      const output = [...run.text.matchAll(/\/\/ → (.*)$/gm)].map(([, line = ""]) => line);
      expect(await printed(join(root, `example-${index + 1}.ts`))).toEqual(output);
    }
    // A compiler, a type checker and a database: on a machine with other work to do, that is more than other tests take.
  }, 300_000);
});

/** What a module prints while it is loaded. */
async function printed(module: string): Promise<readonly string[]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ pathToFileURL(module).href);
    return log.mock.calls.map((args) => format(...args));
  } finally {
    log.mockRestore();
  }
}
