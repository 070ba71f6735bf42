/** A copy of this repository's example skills, with services to call. */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { openPglite } from "../../../../src/bindings/sql/send/pglite.js";
import { shutdown } from "../../../../src/runtime/index.js";
import { startOrderService } from "../../../../examples/order-service/server.js";
import { repository } from "../../../support/repository.js";

/** A project in a folder of its own. */
export interface ExampleProject {
  readonly folder: string;
  /** Environment of its processes. */
  readonly env: Readonly<Record<string, string>>;
  put(path: string, text: string): void;
  /** Runs the command line in the project, and returns what it prints. */
  skillc(...argv: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Path of the built command line. */
export const bin = join(repository, "dist/cli/bin.js");

/** Makes the project. Its caller may approve refunds in person. */
export async function makeExampleProject(
  credentials: Readonly<Record<string, string>>,
): Promise<ExampleProject> {
  const folder = mkdtempSync(join(tmpdir(), "skillc-examples-"));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  copyExamples(folder, put);
  const service = await startOrderService({ token: "t-0k3n" });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: tmpdir(),
    NO_COLOR: "1",
    ORDERS_URL: service.url,
    ORDERS_TOKEN: "t-0k3n",
    WAREHOUSE_URL: "pglite://warehouse",
    ...credentials,
  };
  const skillc = async (...argv: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...argv], {
      cwd: folder,
      env,
    });
    return stdout;
  };
  await skillc("generate");
  await fillWarehouse(folder);
  const close = async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, env, put, skillc, close };
}

function copyExamples(folder: string, put: ExampleProject["put"]): void {
  for (const path of ["skills", "generated", "examples", "policies", "skillc.yaml"])
    cpSync(join(repository, path), join(folder, path), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  put("package.json", JSON.stringify({ type: "module", private: true }));
  const tools = readFileSync(join(folder, "skills/order-desk/metadata.yaml"), "utf8");
  put("skills/order-desk/metadata.yaml", tools.replace("ttl: 15m }", "ttl: 15m, by: person }"));
  put("handlers.ts", handlers);
  put("workspace/repo/a.txt", "one\n");
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], {
    cwd: join(folder, "workspace/repo"),
  });
}

/** The quote for the country ZZ goes on until its call is cancelled. */
const handlers = `import { writeFileSync } from "node:fs";
import type { Handlers } from "./generated/handlers.js";
import { apiBuilder } from "./examples/demo/api-builder.js";

export const handlers: Handlers = {
  ...apiBuilder,
  "order-desk/quote-shipping": async ({ country }, { signal }) => {
    console.log("a line that must not reach the protocol");
    if (country === "ZZ") {
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
        writeFileSync("began", "");
      });
      writeFileSync("cancelled", "");
    }
    return { price: 4.9, currency: "EUR" };
  },
};
`;

async function fillWarehouse(folder: string): Promise<void> {
  const engine = await openPglite("pglite://warehouse", folder);
  for (const file of ["schema.sql", "data.sql"])
    await engine.exec(readFileSync(join(folder, "examples/warehouse", file), "utf8"));
  // The servers open the folder themselves.
  await shutdown();
}
