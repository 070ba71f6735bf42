import { readFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { defineConfig } from "vitest/config";
import { skipReporter } from "./test/support/skip-reporter.js";

const source = (path: string) => new URL(path, import.meta.url).pathname;

/** The source of each entry point of the runtime, so that tests and what they test share one copy. */
function runtimeEntries() {
  const { exports } = JSON.parse(readFileSync("packages/runtime/package.json", "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(exports).flatMap(([key, target]) =>
    typeof target === "string"
      ? []
      : [
          {
            find: new RegExp(`^@skillc/runtime${key.slice(1)}$`),
            replacement: source(
              target.types.replace("./dist/types/", "./src/").replace(/\.d\.ts$/, ".ts"),
            ),
          },
        ],
  );
}

/**
 * Tests that make calls: with the runtime's state, the process's environment and its working directory, each file in a process of its own. A file that awaits nothing
 * and names neither the process nor files asks functions only, and has no need of one: starting it takes longer than its tests.
 */
const ownProcess: ReadonlySet<string> = new Set(
  globSync([
    "test/{runtime,e2e}/**/*.test.ts",
    "test/bindings/*/{execute,run}/**/*.test.ts",
    "test/examples/*/execute.test.ts",
  ]).filter((file) =>
    /\b(?:async|await|globalThis|process|node:fs)\b|\.then\(/.test(readFileSync(file, "utf8")),
  ),
);

/** `npm run test:quick`: what asks one function or stage at a time, of the compiler and of the runtime; nothing random, no database, no whole project. */
const quick = [
  "test/architecture.test.ts",
  "test/{core,schema}/**/*.test.ts",
  "test/compiler/{config,lower,parse,read,resolve}/**/*.test.ts",
  "test/bindings/*/statement/**/*.test.ts",
  "test/runtime/{call,credentials,files,json,model,validation}/*.test.ts",
  "test/runtime/*.test.ts",
];

/**
 * `npm run test:node`: what Node.js has a part in: sockets, files, streams, processes. CI runs it on the newest LTS too. What models are offered, what fakes answer
 * and what needs no process of its own is ECMAScript.
 */
const onNode = [
  "test/runtime/*.test.ts",
  "test/runtime/!(model|testing|validation)/**/*.test.ts",
  "test/bindings/*/{execute,run,send}/**/*.test.ts",
  "test/bindings/queue/{kafka,nats,rabbitmq,redis}/*.test.ts",
  "test/examples/*/execute.test.ts",
  "test/contracts/contracts.test.ts",
];

/** What breaks brokers and kills processes, starts whole programs, goes over corpora, or follows whole pages of the docs: CI's, in `npm run test:long`. */
const isLong = (file: string) => file.endsWith(".long.test.ts");

const isOnNode = (file: string) =>
  !isLong(file) && (ownProcess.has(file) || !file.startsWith("test/runtime/"));

/** What is random. */
const isRandom = (file: string) => /\bruns\(/.test(readFileSync(file, "utf8"));

/** The test files of a mode; without one, all. */
function filesOf(mode: string): readonly string[] {
  const all = globSync("test/**/*.test.ts");
  if (mode === "quick") return globSync(quick).filter((file) => !isRandom(file) && !isLong(file));
  if (mode === "usual") return all.filter((file) => !isLong(file));
  if (mode === "long") return all.filter(isLong);
  if (mode === "node") return globSync(onNode).filter(isOnNode);
  return all;
}

/**
 * How often something random is tried, as a share of what `runs` is given. `SKILLC_RUNS` is another: 1 in CI, 50 for a night. On a second Node.js it is enough that
 * it runs: what is random is our own logic.
 */
function shareOf(mode: string): string {
  const share = mode === "long" ? "1" : mode === "node" ? "0.05" : "0.2";
  return process.env["SKILLC_RUNS"] ?? share;
}

export default defineConfig(({ mode }) => ({
  resolve: {
    alias: [
      ...runtimeEntries(),
      { find: "skillc/binding", replacement: source("./src/bindings/public.ts") },
    ],
  },
  test: {
    // The key that signs cache entries: tests make none in the home of who runs them.
    env: {
      XDG_STATE_HOME: join(tmpdir(), `skillc-test-state-${userInfo().uid}`),
      SKILLC_RUNS: shareOf(mode),
    },
    // A hang is what these end; a machine with other work to do is no reason to fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Many tests wait for a server, a process or a timer: two for each core keep it busy.
    maxWorkers: "200%",
    reporters: ["default", skipReporter],
    setupFiles: [
      "./test/support/quick-pglite.ts",
      "./test/support/same-seed.ts",
      "./test/support/built-thread.ts",
      "./test/support/remembered-build.ts",
      "./test/support/remembered-format.ts",
      "./test/support/remembered-types.ts",
    ],
    projects: [
      {
        // Starting the TypeScript compiler takes longer than most of these files, so a process runs many of them. They may not change what
        // belongs to the process.
        extends: true,
        test: {
          name: "compiler",
          include: filesOf(mode).filter((file) => !ownProcess.has(file)),
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "runtime",
          include: filesOf(mode).filter((file) => ownProcess.has(file)),
        },
      },
    ],
  },
}));
