/** Applications in one file: what esbuild and rollup make of a generated tool of each kind, its packages included. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retiredModule } from "../../packages/runtime/retired.js";
import { repository } from "../support/repository.js";
import { type CalledTool, onEachKind } from "./called-tools.js";

const run = promisify(execFile);

/** Packages that a project may do without, and does: the embedded PostgreSQL reads files of its own package. */
const absent = ["@electric-sql/pglite", "@opentelemetry/api", "pg-native"];

/** Packages of the runtime's and its drivers' are CommonJS. */
const requireBanner =
  'import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);';

let folder: string;
beforeAll(() => {
  // Outside of the repository: nothing is found in node_modules that is not in the file.
  mkdirSync(join(repository, ".bench"), { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "skillc-bundles-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function entryOf({ module, function: name }: CalledTool): string {
  const contracts = join(repository, "test/contracts");
  return `import { callTool } from "${contracts}/call-tool.mjs";
import { ${name} } from "${contracts}/1/generated/${module}.js";
callTool({ ${name} });
`;
}

async function withEsbuild(tool: CalledTool, format: "esm" | "cjs"): Promise<string> {
  const outfile = join(folder, `esbuild-${tool.function}.${format === "esm" ? "mjs" : "cjs"}`);
  await build({
    stdin: { contents: entryOf(tool), resolveDir: repository },
    bundle: true,
    platform: "node",
    format,
    outfile,
    external: absent,
    // The package, not the source that this repository's own code takes for it.
    tsconfigRaw: {},
    logLevel: "error",
    ...(format === "esm" && { banner: { js: requireBanner } }),
  });
  return outfile;
}

/** Both forms at once: reading what goes into them takes most of the time. */
const rolled = new Map<string, Promise<unknown>>();

/** Rollup reads no TypeScript: it gets what esbuild printed of the generated code, with every package left as it is. */
async function roll(tool: CalledTool, output: string): Promise<void> {
  const input = join(repository, ".bench", `rollup-${tool.function}.mjs`);
  await build({
    stdin: { contents: entryOf(tool), resolveDir: repository },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outfile: input,
    tsconfigRaw: {},
    logLevel: "error",
  });
  await run(process.execPath, [join(repository, "test/contracts/roll.mjs"), input, output]);
}

async function withRollup(tool: CalledTool, format: "esm" | "cjs"): Promise<string> {
  const output = join(folder, `rollup-${tool.function}`);
  const rolling = rolled.get(tool.function) ?? roll(tool, output);
  rolled.set(tool.function, rolling);
  await rolling;
  return `${output}.${format === "esm" ? "mjs" : "cjs"}`;
}

onEachKind((tool) => {
  test.each([
    ["esbuild", "esm", withEsbuild],
    ["esbuild", "cjs", withEsbuild],
    ["rollup", "esm", withRollup],
    ["rollup", "cjs", withRollup],
  ] as const)(
    "a bundle that %s makes in the form %s runs without node_modules",
    async (_, format, bundled) => {
      const file = await bundled(tool, format);
      const { stdout } = await run(
        process.execPath,
        [file, tool.function, JSON.stringify(tool.parameters)],
        { cwd: folder, env: { PATH: process.env["PATH"], ...tool.env() } },
      );
      expect(JSON.parse(stdout)).toMatchObject(tool.answer);
    },
    120_000,
  );
});

test("a bundle of an HTTP tool needs no package of another kind", async () => {
  const result = await build({
    stdin: {
      contents: `export { getOrder } from "${repository}/test/contracts/1/generated/desk/get-order.js";`,
      resolveDir: repository,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
    tsconfigRaw: {},
    logLevel: "error",
  });
  const packages = Object.keys(result.metafile.inputs).flatMap(
    (path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  expect([...new Set(packages)].toSorted()).toEqual([
    "dotenv",
    "fastest-levenshtein",
    "undici",
    "yaml",
  ]);
});

/** An application whose call a policy forbids. */
const governedApplication = `import { createRuntime } from "@skillc/runtime";
import { governance } from "@skillc/runtime/governance";
import { refundOrder } from "${repository}/generated/order-desk/index.js";
import { policy } from "${repository}/generated/policy.js";

const runtime = createRuntime({
  credentials: { ORDERS_URL: "http://127.0.0.1:9", ORDERS_TOKEN: "t" },
  governance: governance({ policy }),
  inherit: false,
  ledger: false,
});
const caller = { tenant: "acme", subject: "ada", roles: ["support"], scopes: ["orders.refund"], origin: "llm" };
refundOrder({ order_id: "7", amount_cents: 8900 }, { runtime, caller }).then(
  () => console.log("made"),
  ({ failure }) => console.log(failure.code, failure.reason, failure.decidedBy.join()),
);
`;

test("the command of the docs makes one file of a governed application, without a warning", async () => {
  const page = readFileSync(join(repository, "docs/deployment.md"), "utf8");
  const command = /```sh\nnpx esbuild app\.ts (--bundle[^`]*--banner[^`]*)```/.exec(page)?.[1];
  const input = join(repository, ".bench", "documented.ts");
  const output = join(repository, ".bench", "documented.mjs");
  writeFileSync(input, governedApplication);
  // This repository's own code takes the runtime's source; a project has the package.
  const options = `${command?.trim()} --tsconfig-raw={}`.replace("app.mjs", output);
  const { stderr } = await run("sh", ["-c", `npx esbuild ${input} ${options}`], {
    cwd: repository,
  });
  expect(stderr).not.toContain("WARNING");
  const { stdout } = await run(process.execPath, [output]);
  expect(stdout).toBe("AUTH.FORBIDDEN policy models-pay-back-little\n");
}, 120_000);

test.each(["esm", "cjs"] as const)(
  "a governed application in the form %s takes Cedar from beside its bundle, and is decided about",
  async (format) => {
    // In the repository, where Cedar is.
    const outfile = join(repository, ".bench", `governed.${format === "esm" ? "mjs" : "cjs"}`);
    const result = await build({
      stdin: { contents: governedApplication, resolveDir: repository, loader: "ts" },
      bundle: true,
      platform: "node",
      format,
      outfile,
      external: [...absent, "@cedar-policy/cedar-wasm"],
      metafile: true,
      tsconfigRaw: {},
      logLevel: "error",
      ...(format === "esm" && { banner: { js: requireBanner } }),
    });
    const inputs = Object.keys(result.metafile.inputs);
    expect(inputs.filter((path) => /cedar-wasm|ioredis|kysely|\/pg\//.test(path))).toEqual([]);
    const { stdout } = await run(process.execPath, [outfile]);
    expect(stdout).toBe("AUTH.FORBIDDEN policy models-pay-back-little\n");
  },
  120_000,
);

describe("the package's declaration of side effects", () => {
  // Of our own package, read as what it is.
  const { exports, sideEffects } = JSON.parse(
    readFileSync(join(repository, "packages/runtime/package.json"), "utf8"),
  ) as { readonly exports: Readonly<Record<string, unknown>>; readonly sideEffects: unknown };
  const entries = Object.keys(exports).filter((key) => /^\.\/v\d/.test(key));

  test("keeps an unused entry point out of a bundle", async () => {
    const imports = entries.map(
      (key, at) => `import * as unused${at} from "@skillc/runtime${key.slice(1)}";\n`,
    );
    const contents = `${imports.join("")}console.log("mine");\n`;
    const { metafile, outputFiles } = await build({
      stdin: { contents, resolveDir: repository },
      bundle: true,
      platform: "node",
      format: "esm",
      write: false,
      metafile: true,
      tsconfigRaw: {},
      logLevel: "error",
    });
    const kept = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    expect(kept).toEqual(["<stdin>"]);
    expect(outputFiles.map(({ text }) => text.trim())).toEqual([
      expect.stringMatching(/"mine"\);$/),
    ]);
  });

  test.each(["esbuild", "rollup"])(
    "a bundle that %s makes of code for a retired contract fails with the sentence, also where it uses no name of it",
    async (bundler) => {
      const home = mkdtempSync(join(folder, "retired-"));
      const file = join(home, "node_modules/@skillc/runtime/dist/retired/v1/http.js");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, retiredModule("v1/http", ["http"]));
      writeFileSync(
        join(home, "node_modules/@skillc/runtime/package.json"),
        JSON.stringify({
          name: "@skillc/runtime",
          type: "module",
          sideEffects,
          exports: { "./v1/http": "./dist/retired/v1/http.js" },
        }),
      );
      const used = 'import { http } from "@skillc/runtime/v1/http";\nconsole.log(http);\n';
      const unused = 'import { http } from "@skillc/runtime/v1/http";\nconsole.log("mine");\n';
      for (const text of [used, unused]) {
        const bundle = await bundleOf(bundler, home, text);
        const ran = run(process.execPath, [bundle], { cwd: home });
        await expect(ran).rejects.toThrow("this code was generated for contract v1");
      }
    },
    120_000,
  );

  async function bundleOf(bundler: string, home: string, text: string): Promise<string> {
    const input = join(home, "input.mjs");
    const output = join(home, "output");
    writeFileSync(input, text);
    if (bundler === "rollup")
      await run(process.execPath, [join(repository, "test/contracts/roll.mjs"), input, output]);
    else
      await build({
        entryPoints: [input],
        bundle: true,
        platform: "node",
        format: "esm",
        outfile: `${output}.mjs`,
        tsconfigRaw: {},
        logLevel: "error",
      });
    return `${output}.mjs`;
  }
});
