import { lstatSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { refuseObstacle, writeOwnFile, readRegularFile } from "@skillc/runtime/internal";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode, orSayWhatIsInTheWay } from "../exit.js";
import { missingSchemas } from "../editor/project-schemas.js";
import { schemaFiles, schemaLine } from "../editor/schema-files.js";
import { handlerStarter, httpStarter, type Starter } from "./init-files.js";
import { readSettings } from "../project/read-settings.js";
import { dependsOn, installablePath } from "../project/installed-packages.js";

/** Files that are never replaced, because they belong to the project and not to the first skill. */
const keptFiles: ReadonlySet<string> = new Set(["skillc.yaml", "tsconfig.json"]);

/** Lines for Git's files, which may also have other lines. */
const gitLines: Readonly<Record<string, readonly string[]>> = {
  // Files that belong to one machine: packages, skillc's ledger and cache, credentials.
  ".gitignore": ["node_modules/", ".skillc/", ".env"],
  // Collapses code of other libraries in pull requests, because nobody reviews it.
  ".gitattributes": [
    "generated/**/*.validate.ts linguist-generated",
    "generated/**/*.encode.ts linguist-generated",
  ],
};

export interface InitOptions {
  readonly http?: true;
  readonly schemas?: true;
}

/**
 * Writes a first skill below `dir` without replacing any file. Also writes the editor schemas, and
 * replaces those of another version.
 */
export async function init(
  context: CommandContext,
  dir: string,
  { http, schemas }: InitOptions,
): Promise<ExitCode> {
  const root = resolveFrom(context.directory, dir);
  const starter = http === true ? httpStarter : handlerStarter;
  if (schemas === true || Object.keys(starter.files).every((path) => isThere(root, path)))
    return renewSchemas(context, root);
  const first = Object.entries(starter.files).filter(
    ([path]) => !keptFiles.has(path) || !isThere(root, path),
  );
  refuseOverwriting(
    root,
    first.map(([path]) => path),
  );
  const wanted = [...first, ...(await schemasFor(root))];
  const paths = wanted.map(([path]) => path);
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

/** Writes only the editor schemas, for an existing project. */
async function renewSchemas({ io, out }: CommandContext, root: string): Promise<ExitCode> {
  const wanted = await schemasFor(root);
  orSayWhatIsInTheWay(() => {
    for (const [path, text] of wanted) writeOwnFile(root, path, text);
  });
  const { skills } = await readSettings(root);
  const files = [
    ["skillc.yaml", schemaLine("skillc.yaml", schemaFiles.config)],
    [
      posix.join(skills, "*/metadata.yaml"),
      schemaLine(posix.join(skills, "a/metadata.yaml"), schemaFiles.metadata),
    ],
  ] as const;
  const width = Math.max(...files.map(([file]) => file.length));
  const lines = [
    ...wanted.map(([path]) => `${out.green("+")} ${path}`),
    ...(wanted.length === 0 ? ["the schemas for editors belong to this version"] : []),
    "",
    out.bold("In each file, for editors:"),
    ...files.map(([file, line]) => `  ${visible(file.padEnd(width))}  ${out.cyan(visible(line))}`),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
  return exitCode.fine;
}

async function schemasFor(root: string): Promise<readonly (readonly [string, string])[]> {
  try {
    return Object.entries(await missingSchemas(root));
  } catch (error) {
    return orSayWhatIsInTheWay(() => {
      throw error;
    });
  }
}

function refuseOverwriting(root: string, paths: readonly string[]): void {
  const there = paths.filter((path) => isThere(root, path));
  if (there.length === 0) return;
  throw CommandFailure.input(
    `${there.map((path) => `\`${path}\``).join(" and ")} ${there.length === 1 ? "is" : "are"} there already; skillc wrote nothing`,
    "start in another folder: `skillc init my-project`; `skillc init --schemas` writes only the schemas for editors",
  );
}

function isThere(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

/**
 * Adds missing lines to a file, and ignores differences in slashes. Returns whether any were
 * missing.
 */
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

/**
 * Installs packages that the other steps need and no package.json names. Without TypeScript, `npx
 * tsc` would fetch an unrelated package.
 */
function installSteps(root: string): Starter["steps"] {
  const lacks = (name: string) => !dependsOn(root, name);
  const tools = [
    ...(lacks("skillc") ? [installablePath(root, ".")] : []),
    ...["typescript", "@types/node"].filter(lacks),
  ];
  const runtime = installablePath(root, "packages/runtime");
  return [
    ...(lacks("@skillc/runtime")
      ? [[`npm install ${runtime}`, "what generated code imports"] as const]
      : []),
    ...(tools.length === 0
      ? []
      : [
          [
            `npm install -D ${tools.join(" ")}`,
            "the compiler, and `npx tsc`, which type-checks",
          ] as const,
        ]),
  ];
}
