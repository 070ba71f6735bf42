import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../support/repository.js";

/**
 * A copy of the built command line. Work on the repository can continue during a run, and all
 * documents meet the same compiler.
 */
const copy = join(repository, ".skillc/built", String(process.pid));

for (const part of ["dist", "templates", "package.json", "schemas"])
  cpSync(join(repository, part), join(copy, part), { recursive: true });

process.on("exit", () => rmSync(copy, { recursive: true, force: true }));

export const skillc = join(copy, "dist/cli/bin.js");
