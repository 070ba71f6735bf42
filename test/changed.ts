/**
 * `npm run test:changed [-- REVISION]`
 *
 * Runs the tests that a change may affect, compared with a revision (`HEAD` by default). With a
 * record (`npm run test:record`), it chooses a test that ran a changed function, or a function that
 * uses a changed value. Without a record, it chooses a test that loads a changed module. A changed
 * file that is no module stands for the modules that read it, or for the tests beside it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chosenTests } from "./support/chosen-tests.js";
import { readRecord, repository } from "./support/reach-record.js";
import { recordedChoice, type Version } from "./support/recorded-choice.js";

const [revision = "HEAD", ...others] = process.argv.slice(2);

const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: repository, encoding: "utf8", maxBuffer: 2 ** 28 });
const lines = (text: string) => text.split("\n").filter(Boolean);

/** Reads the files of a commit; undefined for files that Git does not keep. */
function versionOf(commit: string): Version {
  const files = new Set(lines(git("ls-tree", "-r", "--name-only", commit)));
  return (file) => (files.has(file) ? git("show", `${commit}:${file}`) : undefined);
}

const now: Version = (file) =>
  existsSync(repository + file) ? readFileSync(repository + file, "utf8") : undefined;

function choose(changed: readonly string[]): readonly string[] {
  const record = readRecord();
  if (record === undefined) {
    console.log("`npm run test:record` would let it choose fewer");
    return chosenTests(repository, changed);
  }
  const age = git("show", "--no-patch", "--format=%cr", record.commit).trim();
  console.log(`The record of the functions that tests run was made ${age}`);
  return recordedChoice(repository, changed, record, {
    before: versionOf(revision),
    after: now,
    recorded: versionOf(record.commit),
  });
}

const changed = [
  ...lines(git("diff", "--name-only", "--no-renames", revision)),
  ...lines(git("ls-files", "--others", "--exclude-standard")),
];
// `npm test` also leaves out the long tests.
const chosen = choose(changed).filter((file) => !file.endsWith(".long.test.ts"));
console.log(`${chosen.length} test files can be reached from ${changed.length} changed files`);
if (chosen.length > 0) {
  const { scripts } = JSON.parse(readFileSync(`${repository}package.json`, "utf8"));
  // Starts Vitest like `npm test`.
  const [program = "vitest", ...args] = String(scripts.test).split(" ");
  const { status } = spawnSync("npx", [program, ...args, ...chosen, ...others], {
    cwd: repository,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}
