import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { refuseObstacle, writeOwnFile } from "../../runtime/files/own-place.js";
import { readRegularFile } from "../../runtime/files/regular-file.js";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode, orSayWhatIsInTheWay } from "../exit.js";
import { handlerStarter, httpStarter, type Starter } from "./init-files.js";
import { dependsOn, installablePath } from "./installed-packages.js";

/** Kept as they are when they are there already: they belong to the project, not to the first skill. */
const keptFiles: ReadonlySet<string> = new Set(["skillc.yaml", "tsconfig.json"]);

/** What git is told, in files that may have other lines. */
const gitLines: Readonly<Record<string, readonly string[]>> = {
  // What belongs to one machine: packages, skillc's ledger and cache, credentials.
  ".gitignore": ["node_modules/", ".skillc/", ".env"],
  // Other libraries' code, which nobody reviews: collapsed in a pull request.
  ".gitattributes": [
    "generated/**/*.validate.ts linguist-generated",
    "generated/**/*.encode.ts linguist-generated",
  ],
};

/** Writes a first skill below `dir`; never over anything that is there. */
export async function init(
  context: CommandContext,
  dir: string,
  options: { readonly http?: true },
): Promise<ExitCode> {
  const root = resolveFrom(context.directory, dir);
  const starter = options.http === true ? httpStarter : handlerStarter;
  const wanted = Object.entries(starter.files).filter(
    ([path]) => !keptFiles.has(path) || !isThere(root, path),
  );
  const paths = wanted.map(([path]) => path);
  refuseOverwriting(root, paths);
  const added = orSayWhatIsInTheWay(() => {
    for (const path of [...paths, ...Object.keys(gitLines)]) refuseObstacle(root, path, "file");
    for (const [path, text] of wanted) writeOwnFile(root, path, text);
    return Object.entries(gitLines).flatMap(([path, lines]) =>
      addLines(root, path, lines) ? [path] : [],
    );
  });
  printResult(context, root, [...paths, ...added], starter);
  return exitCode.fine;
}

function refuseOverwriting(root: string, paths: readonly string[]): void {
  const there = paths.filter((path) => isThere(root, path));
  if (there.length === 0) return;
  throw CommandFailure.input(
    `${there.map((path) => `\`${path}\``).join(" and ")} ${there.length === 1 ? "is" : "are"} there already; nothing was written`,
    "start in another folder: `skillc init my-project`",
  );
}

function isThere(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

/** Adds the lines that a file lacks, however their slashes are written. Returns whether there were any. */
function addLines(root: string, path: string, wanted: readonly string[]): boolean {
  const before = isThere(root, path)
    ? readRegularFile(join(root, path), { links: false }).toString("utf8")
    : "";
  const lines = new Set(before.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")));
  const missing = wanted.filter((entry) => !lines.has(entry.replace(/\/$/, "")));
  if (missing.length === 0) return false;
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  writeOwnFile(root, path, `${before}${gap}${missing.join("\n")}\n`);
  return true;
}

function printResult(
  { io, out, directory }: CommandContext,
  root: string,
  written: readonly string[],
  { steps }: Starter,
): void {
  const where = relative(directory, root);
  const enter: Starter["steps"] = where === "" ? [] : [[`cd ${visible(where)}`, ""]];
  const lines = [
    ...written.map((path) => `${out.green("+")} ${path}`),
    "",
    out.bold("Next:"),
    ...[...enter, ...installSteps(root), ...steps].flatMap(([command, what]) => [
      ...(what === "" ? [] : [`  ${out.dim(`# ${what}`)}`]),
      `  ${out.cyan(command)}`,
    ]),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
}

/** What the other steps need, and no package.json names. `npx tsc` without TypeScript would fetch a package that has nothing to do with it. */
function installSteps(root: string): Starter["steps"] {
  const tools = ["typescript", "@types/node"].filter((name) => !dependsOn(root, name));
  return [
    ...(dependsOn(root, "skillc")
      ? []
      : [
          [
            `npm install ${installablePath(root)}`,
            "generated code imports `skillc/runtime`",
          ] as const,
        ]),
    ...(tools.length === 0
      ? []
      : [[`npm install -D ${tools.join(" ")}`, "for `npx tsc`, which type-checks"] as const]),
  ];
}
