import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type CallOptions, createRuntime, type Preflight, preflight } from "@skillc/runtime";
import type { AnyResult, RuntimeOptions } from "@skillc/runtime";
import { governance, type ProjectPolicy } from "@skillc/runtime/governance";
import type { ProjectConfig } from "../../core/project.js";
import type { CommandContext } from "../command-context.js";
import { highlightJson, printJson, safeJson } from "../console/print-json.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { type OpenStore, openProjectStore } from "../project/governance-store.js";
import { loadModule } from "../project/load-module.js";

/** What `skillc call --preflight` has loaded for it. */
export interface PreflightCall {
  readonly root: string;
  readonly settings: ProjectConfig;
  /** `skill/tool`. */
  readonly id: string;
  /** A generated module's function; its validator checks what it is given. */
  readonly tool: (params: unknown, options?: CallOptions) => Promise<AnyResult>;
  readonly params: unknown;
  readonly handlers: NonNullable<RuntimeOptions["handlers"]>;
  readonly options: Pick<CallOptions, "caller" | "approval" | "idempotencyKey">;
  /** Modules that the project's code gets from this process. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly open?: OpenStore;
}

/**
 * Says what would become of a call, by the project's policy and what the store has of budgets,
 * approvals and states. Nothing is sent, spent or recorded.
 */
export async function callPreflight(
  context: CommandContext,
  { handlers, id, json, open, options, params, root, settings, shared, tool }: PreflightCall,
): Promise<ExitCode> {
  const policy = await loadPolicy(root, settings.out, shared);
  const store = policy && (await openProjectStore({ root, env: context.io.env, settings, open }));
  const governed =
    policy &&
    // Nothing is kept, so nothing is encrypted either.
    governance({ policy, key: randomBytes(32), ...(store !== undefined && { store }) });
  const runtime = createRuntime({
    directory: root,
    env: context.io.env,
    handlers,
    ledger: false,
    ...(governed !== undefined && { governance: governed }),
  });
  try {
    const found = await preflight(tool, params, { runtime, ...options });
    if (json) printJson(context.io.stdout, found);
    else printPreflight(context, id, found);
    if (governed !== undefined && store === undefined) tellNoStore(context);
    return found.allow ? exitCode.fine : exitCode.inputErrors;
  } finally {
    await runtime.close();
  }
}

/** Undefined where the project has none: it is not governed. */
async function loadPolicy(
  root: string,
  out: string,
  shared: Readonly<Record<string, unknown>>,
): Promise<ProjectPolicy | undefined> {
  const file = join(root, out, "policy.ts");
  // Loading would wait for a pipe's other end.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { exports } = await loadModule(root, `./${out}/policy.ts`, shared);
  const { policy } = exports;
  if (typeof policy === "object" && policy !== null && "tools" in policy)
    // skillc wrote it, of this type.
    return policy as ProjectPolicy;
  throw CommandFailure.input(
    `\`${out}/policy.ts\` has no \`policy\``,
    "run `skillc generate`: the generated files don't belong together",
  );
}

function tellNoStore({ err, io }: CommandContext): void {
  const note =
    "skillc.yaml names no `store:`, so budgets, approvals and states of tools are those of a process that has just begun";
  io.stderr.write(`${severityColour(err, "info")("note")}: ${withCodeSpans(note, err)}\n`);
}

type Row = readonly [name: string, value: string];

function printPreflight({ io, out }: CommandContext, id: string, found: Preflight): void {
  const { allow, budget, decidedBy, governed, obligations, reason, request } = found;
  const verdict = allow ? out.green("would be sent") : out.red("would not be sent");
  const failure = reason?.failure;
  const rows: readonly Row[] = [
    ...(reason === undefined ? [] : [["reason", `${reason.code}: ${reason.message}`] as const]),
    [
      "decided by",
      governed
        ? decidedBy.join(", ") || "nothing"
        : "nothing: the project has no policy, so it was only looked whether the call fits",
    ],
    ...(governed ? [["obligations", obligations.join(", ") || "none"] as const] : []),
    ...budget.map(({ left, limit, name, takes }, at): Row => {
      const rest = left === undefined ? "" : `, ${left} of ${limit} left then`;
      return [at === 0 ? "budget" : "", `${name}: takes ${takes}${rest}`];
    }),
    ...(failure?.code === "AUTH.APPROVAL_REQUIRED"
      ? [
          [
            "to approve",
            `digest ${failure.request.digest}, manifest ${failure.request.manifest}`,
          ] as const,
        ]
      : []),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${out.dim(name.padEnd(width))}  ${visible(value)}`);
  io.stdout.write(`${[`${out.bold(id)}  ${verdict}`, ...lines].join("\n")}\n`);
  if (request === undefined) return;
  const shown = highlightJson(safeJson(request), out).split("\n");
  io.stdout.write(`  ${out.dim("request")}\n${shown.map((line) => `    ${line}`).join("\n")}\n`);
}
