/**
 * `npm run test:changed [-- REVISION]`: the tests that a change can reach, compared with a revision
 * (`HEAD` if none is given). A test is chosen if it loads a changed module. A changed file that is no
 * module stands for the modules that read it, or for the tests beside it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chosenTests } from "./support/chosen-tests.js";

const repository = fileURLToPath(new URL("../", import.meta.url));
const [revision = "HEAD", ...others] = process.argv.slice(2);

const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: repository, encoding: "utf8" }).split("\n").filter(Boolean);

const changed = [
  ...git("diff", "--name-only", revision),
  ...git("ls-files", "--others", "--exclude-standard"),
];
const chosen = chosenTests(repository, changed);
console.log(`${chosen.length} test files can be reached from ${changed.length} changed files`);
if (chosen.length > 0) {
  const { scripts } = JSON.parse(readFileSync(`${repository}package.json`, "utf8"));
  // Vitest as `npm test` starts it.
  const [program = "vitest", ...args] = String(scripts.test).split(" ");
  const { status } = spawnSync("npx", [program, ...args, ...chosen, ...others], {
    cwd: repository,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}
