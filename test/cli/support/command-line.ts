import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Io } from "../../../src/cli/io.js";
import { run } from "../../../src/cli/main.js";
import { catalogFiles, type GivenSkill } from "../../support/catalog.js";

/** Creates a folder with these files. The folder is removed when the test ends. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skillc-cli-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) put(root, path, text);
  return root;
}

/** Returns the modules of these skills' catalog, below the output folder. */
export function inGenerated(skills: readonly GivenSkill[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(catalogFiles(skills)).map(([path, text]) => [`generated/${path}`, text]),
  );
}

export function put(root: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Reads all files below the folder, by path, except `.skillc/`. */
export function filesIn(root: string): Readonly<Record<string, string>> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    // Newer versions of Node.js also list files behind links.
    .filter(({ parentPath }) => realpathSync(parentPath) === parentPath)
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/.skillc/"))
    .toSorted();
  return Object.fromEntries(
    files.map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  );
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Io["env"];
  readonly stdin?: string;
  readonly isTTY?: boolean;
  /** Width of the terminal, 80 by default. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Called after each write with all of stdout and stderr so far. */
  readonly onOutput?: (text: string) => void;
}

/** Runs the command line in this process. */
export async function skillc(
  cwd: string,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  const written = { stdout: "", stderr: "", all: "" };
  const output = (name: "stdout" | "stderr"): Io["stdout"] => ({
    isTTY: options.isTTY ?? false,
    columns: options.columns ?? 80,
    write(text) {
      written[name] += text;
      written.all += text;
      options.onOutput?.(written.all);
    },
  });
  const code = await run(argv, {
    stdout: output("stdout"),
    stderr: output("stderr"),
    stdin: (async function* () {
      yield options.stdin ?? "";
    })(),
    env: {
      XDG_STATE_HOME: process.env["XDG_STATE_HOME"],
      ...(options.env ?? { PATH: process.env["PATH"] }),
    },
    cwd,
    ...(options.signal && { signal: options.signal }),
  });
  return { code, stdout: written.stdout, stderr: written.stderr };
}

const skill = (tools: string): string => `---
name: desk
description: Looks up orders.
---
Ask for the number.
${tools}`;

/** A valid skill with one HTTP read. */
export const deskFiles = {
  "skills/desk/SKILL.md": skill(""),
  "skills/desk/metadata.json": `{
  "tools_schema": {
    "get-order": {
      "description": "Fetch one order.",
      "parameters": {
        "type": "object",
        "additionalProperties": false,
        "required": ["order_id"],
        "properties": { "order_id": { "type": "string" } }
      },
      "binding": {
        "type": "http",
        "method": "GET",
        "url": "\${ORDERS_URL}/orders/{order_id}",
        "headers": { "Authorization": "Bearer \${ORDERS_TOKEN}" }
      }
    }
  }
}
`,
} as const;
