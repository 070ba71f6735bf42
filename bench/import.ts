import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { repository } from "../test/support/repository.js";
import { inTurns, type Measurement, median } from "./measurement.js";

/** The folder is inside the repository, so that the generated modules find `@skillc/runtime`. */
const work = join(repository, ".skillc/bench-import");

const imported: Readonly<Record<string, string>> = {
  nothing: "node:path",
  undici: "undici",
  tool: join(work, "desk/get-order.js"),
};

/**
 * Compares the import of one generated HTTP tool with that of undici, its HTTP client. Measures
 * whole processes and subtracts an empty one.
 */
export async function measureImport(): Promise<readonly Measurement[]> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const generated = join(repository, "test/contracts/1/generated");
  buildSync({
    entryPoints: ["desk/get-order.ts", "desk/get-order.validate.ts", "desk/versions.ts"].map(
      (file) => join(generated, file),
    ),
    outbase: generated,
    outdir: work,
    format: "esm",
  });
  const names = Object.keys(imported);
  const rounds = await inTurns(
    names,
    15,
    async (order) => new Map(order.map((name) => [name, cost(name)])),
  );
  rmSync(work, { recursive: true });
  const ratios = rounds.map((round) => {
    const nothing = round.get("nothing") ?? Number.NaN;
    return (
      ((round.get("tool") ?? Number.NaN) - nothing) /
      ((round.get("undici") ?? Number.NaN) - nothing)
    );
  });
  return [
    {
      name: "importing one generated HTTP tool",
      value: median(ratios),
      unit: "×",
      baseline: "importing undici",
    },
  ];
}

/** CPU time of one process that imports a module, in milliseconds. */
function cost(name: string): number {
  const code = `await import(${JSON.stringify(imported[name])}); const { user, system } = process.cpuUsage(); console.log(user + system);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: repository,
    encoding: "utf8",
  });
  const micros = Number(stdout);
  if (!(micros > 0)) throw new Error(`importing ${name} failed:\n${stderr}`);
  return micros / 1000;
}
