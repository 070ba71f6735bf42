#!/usr/bin/env node
// A project installs the runtime itself, so this module must not import code that imports the
// runtime.
try {
  // Bundle of `start.ts` and all its imports, made by the build.
  const start = "../bundle/start.js";
  if ("bun" in process.versions) refuseBun();
  else await import(start);
} catch (error) {
  if (!(error instanceof Error) || !error.message.includes("'@skillc/runtime'")) throw error;
  process.stderr.write(
    "error: the package `@skillc/runtime` is not installed\n" +
      "  = help: run `npm install @skillc/runtime`: generated code imports it, and skillc uses the same copy\n",
  );
  process.exitCode = 1;
}

function refuseBun(): void {
  process.stderr.write(
    "error: skillc does not run on Bun\n" +
      "  = help: use Node.js: `npx skillc`, or `bunx skillc` without `--bun`\n",
  );
  process.exitCode = 1;
}
