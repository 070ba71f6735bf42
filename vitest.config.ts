import { readFileSync } from "node:fs";
import { availableParallelism, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { aliases } from "./test/support/aliases.js";
import { importersOf, importGraph } from "./test/support/import-graph.js";
import { skipReporter } from "./test/support/skip-reporter.js";
import { temporaryFolder } from "./test/support/temporary-folder.js";

const source = (path: string) => new URL(path, import.meta.url).pathname;

/**
 * `npm run test:quick`: tests that ask one function or stage at a time. They need no build, no
 * server and no whole project, and nothing in them is random.
 */
const quick = [
  "test/{core,schema}/**/*.test.ts",
  "test/compiler/{config,parse,lower,read,resolve}/**/*.test.ts",
  "test/bindings/*/statement/**/*.test.ts",
  "test/runtime/{call,credentials,files,json,model,validation}/*.test.ts",
  "test/runtime/*.test.ts",
];

/**
 * `npm run test:node`: tests in which Node.js has a part: sockets, files, streams, processes. CI
 * runs them on the newest LTS too. The offers for models and the answers of fakes are ECMAScript alone.
 */
const onNode = [
  "test/runtime/*.test.ts",
  "test/runtime/!(model|testing|validation)/**/*.test.ts",
  "test/bindings/*/{execute,run,send}/**/*.test.ts",
  "test/bindings/queue/{kafka,nats,rabbitmq,redis}/*.test.ts",
  "test/examples/*/execute.test.ts",
  "test/contracts/contracts.test.ts",
];

/**
 * Tests that break brokers and kill processes, start whole programs, go over corpora, or follow
 * whole pages of the docs: `npm run test:long`.
 */
const isLong = (file: string) => file.endsWith(".long.test.ts");

/** Processes that end, and a limit of the system. */
const longOnNode = [
  "test/bindings/http/execute/process.long.test.ts",
  "test/bindings/queue/redis/console.long.test.ts",
  "test/runtime/exits.long.test.ts",
  "test/runtime/ledger/{file-size-limit,prune-processes}.long.test.ts",
  "test/runtime/ledger/postgres/outbox.long.test.ts",
];

/** A test of the runtime that waits for nothing, and names neither the process nor files, is ECMAScript alone. */
const asksNode = (file: string) =>
  !file.startsWith("test/runtime/") ||
  /\b(?:async|await|globalThis|process|node:fs)\b|\.then\(/.test(readFileSync(file, "utf8"));

const isOnNode = (file: string) => !isLong(file) && asksNode(file);

/** Random tests ask `runs` how often. */
const isRandom = (file: string) => /\bruns\(/.test(readFileSync(file, "utf8"));

const graph = importGraph(source("."), aliases);

/** Tests that connect to a database, a broker or a proxy, or start one. */
const onServices = importersOf(graph, ["test/support/service.ts", "test/support/own-postgres.ts"]);

/**
 * Tests that need `dist`: they check types against the runtime's package, start threads of the
 * compiler or of PostgreSQL, or run the build itself.
 */
const onBuild = importersOf(graph, [
  "src/compiler/verify/check-types.ts",
  "src/compiler/start-compile-thread.ts",
  "src/bindings/sql/database/start-thread.ts",
  "test/support/tsc.ts",
  "test/support/node-loader.ts",
  "test/bindings/support/type-check.ts",
  "test/bindings/queue/missing-client.long.test.ts",
  "test/runtime/mcp/examples/example-project.ts",
  "test/architecture.test.ts",
]);

/** The test files of a mode; without one, all. */
function filesOf(mode: string): readonly string[] {
  const all = globSync("test/**/*.test.ts");
  const usual = all.filter((file) => !isLong(file));
  if (mode === "quick")
    return globSync(quick).filter((file) => !isRandom(file) && !isLong(file) && !onBuild.has(file));
  if (mode === "usual" || mode === "record") return usual;
  if (mode === "services") return usual.filter((file) => onServices.has(file));
  if (mode === "unit") return usual.filter((file) => !onServices.has(file));
  if (mode === "long") return all.filter((file) => isLong(file) || isRandom(file));
  if (mode === "node") return [...globSync(onNode).filter(isOnNode), ...globSync(longOnNode)];
  return all;
}

/**
 * How often something random is tried, as a share of what `runs` is given. `npm run test:long` tries
 * everything random in full; elsewhere it is enough that it runs. `SKILLC_RUNS` is another share: 50
 * for a night.
 */
function shareOf(mode: string): string {
  const share = mode === "long" ? "1" : mode === "node" ? "0.15" : "0.05";
  return process.env["SKILLC_RUNS"] ?? share;
}

const setupFiles = [
  "./test/support/quick-pglite.ts",
  "./test/support/same-seed.ts",
  "./test/support/shared-type-server.ts",
  "./test/support/built-thread.ts",
  "./test/support/remembered-build.ts",
  "./test/support/remembered-format.ts",
  "./test/support/remembered-types.ts",
];

/**
 * A process runs many files: starting one, and loading TypeScript and the clients of brokers, takes
 * longer than most files. A test that changes its process puts it back.
 */
function projectsOf(mode: string): TestProjectInlineConfiguration[] {
  const files = filesOf(mode);
  const project = (name: string, isBuilt: boolean) => ({
    extends: true as const,
    test: {
      name,
      include: files.filter((file) => onBuild.has(file) === isBuilt),
      isolate: false,
      // Vitest reads this file again for each project, and with another mode.
      env: { SKILLC_RUNS: shareOf(mode) },
      // Before other setup files, so that its `afterAll` runs after theirs.
      setupFiles:
        mode === "record" ? ["./test/support/record-reach.ts", ...setupFiles] : setupFiles,
      globalSetup: isBuilt
        ? ["./test/support/build-once.ts"]
        : mode === "record"
          ? ["./test/support/begin-record.ts"]
          : [],
    },
  });
  return [project("source", false), project("built", true)];
}

export default defineConfig(({ mode }) => ({
  resolve: {
    alias: aliases,
  },
  test: {
    env: {
      TMPDIR: temporaryFolder(),
      // The key that signs cache entries: tests make none in the home of who runs them.
      XDG_STATE_HOME: join(tmpdir(), `skillc-test-state-${userInfo().uid}`),
    },
    // A hang is what these end; a machine with other work to do is no reason to fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Many tests wait for a server, a process or a timer: two for each core keep it busy. Vitest
    // takes a share of more than 100% for 100%.
    maxWorkers: Number(process.env["SKILLC_TEST_WORKERS"] ?? 2 * availableParallelism()),
    // Transformed modules stay for the next run.
    experimental: { fsModuleCache: true },
    reporters: ["default", skipReporter],
    projects: projectsOf(mode),
  },
}));
