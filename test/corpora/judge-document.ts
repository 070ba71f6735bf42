import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compileDocument } from "./compile-document.js";
import type { Judged } from "./judged.js";
import { corpora, installed } from "./packages.js";
import { runProgram } from "./run-program.js";

/** @param name name in the results */
export async function judgeDocument(name: string, path: string): Promise<Judged> {
  const project = join(corpora, "projects", String(process.pid));
  const compiled = await compileDocument(path, project);
  const out = join(project, "other.ts");
  const cli = installed("openapi-typescript/bin/cli.js");
  const { code, cpuMs, ms } = await runProgram(corpora, [cli, path, "-o", out]);
  return {
    document: name,
    version: versionOf(path),
    size: statSync(path).size,
    ...compiled,
    other: code === 0 ? { ms, cpuMs, bytes: statSync(out).size } : null,
  };
}

/** Returns the first text that looks like a version. Reading a whole document would take long. */
function versionOf(path: string): string {
  const found = /["']?\b(?:openapi|swagger)["']?\s*:\s*["']?(\d[\w.-]*)/.exec(
    readFileSync(path, "utf8"),
  );
  return found?.[1] ?? "unknown";
}
