/** Types of commands: a generated module, and mistakes in one that `npx tsc --noEmit` stops. Nothing runs. */
import { defineTool, type Shadowed, type ToolResult } from "@skillc/runtime/v1";
import {
  command,
  type CommandFault,
  type CommandRecord,
  credential,
  joined,
  path,
  paths,
  script,
  segment,
  text,
  value,
} from "@skillc/runtime/v1/command";
import { expectTypeOf } from "vitest";
import type { Validator } from "../../src/runtime/validation/validation.js";

interface LogParams {
  repository: string;
  count: number;
  author?: string;
  paths?: string[];
  tags: string[];
}

type LogResult =
  ToolResult<string[], "not_found", "success", CommandFault> | Shadowed<CommandRecord>;

const log = command<LogParams, LogResult>({
  effect: "read",
  argv: (p, caller) => [
    "git",
    "-C",
    path("/repository", p.repository),
    "log",
    "--oneline",
    joined("--max-count=", p.count),
    p.author === undefined ? undefined : joined("--author=", p.author),
    ...p.tags.map((each) => joined("--grep=", each)),
    value("caller/tenant", caller.tenant),
    "--",
    ...paths("/paths", p.paths),
  ],
  cwd: "./workspace",
  read: ["./workspace", text(credential("SHARED"), "/in")],
  write: [(caller) => text("./spaces/", segment("caller/tenant", caller.tenant))],
  env: { TOKEN: credential("HUB_TOKEN") },
  stdin: (p) => JSON.stringify({ author: p.author }),
  output: "lines",
  exitCodes: { "128": "not_found" },
});

declare const isLogParams: Validator<LogParams>;

defineTool<LogParams, LogParams, LogResult>({
  skill: "repo",
  name: "log",
  version: { skill: "", binding: "", manifest: "" },
  effect: "read",
  params: isLogParams,
  binding: log,
});

command<LogParams>({
  effect: "read",
  argv: (p) => [
    script("clean.py"),
    // @ts-expect-error: not a parameter
    joined("--author=", p.writer),
    // @ts-expect-error: the parameter may be absent
    joined("--author=", p.author),
    // @ts-expect-error: a list is not one argument
    value("/tags", p.tags),
    // @ts-expect-error: a number is not a path
    path("/count", p.count),
    // @ts-expect-error: one text is not a list of paths
    ...paths("/repository", p.repository),
  ],
});

// @ts-expect-error: a program never comes from a parameter
command<LogParams>({ effect: "read", argv: (p) => [value("/repository", p.repository)] });

// @ts-expect-error: a command names a program
command<LogParams>({ effect: "read", argv: () => [] });

expectTypeOf<Extract<LogResult, { status: "not_found" }>["error"]>().toEqualTypeOf<
  CommandFault["error"]
>();
