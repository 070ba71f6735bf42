import { type CallOptions, createRuntime, type Preflight, preflight } from "@skillc/runtime";
import type { AnyResult, RuntimeOptions } from "@skillc/runtime";
import type { ProjectConfig } from "../../core/project.js";
import type { CommandContext } from "../command-context.js";
import { highlightJson, printJson, safeJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import { type ExitCode, exitCode } from "../exit.js";
import type { OpenStore } from "../project/governance-store.js";
import { governanceOf, tellNoStore } from "../project/project-governance.js";

/** Modules and settings that `skillc call --preflight` has loaded. */
export interface PreflightCall {
  readonly root: string;
  readonly settings: ProjectConfig;
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  /** Function of a generated module; its validator checks the parameters. */
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
 * Reports the effect of a call by the project's policy and the store's budgets, approvals and
 * states. Sends, spends and records nothing.
 */
export async function callPreflight(
  context: CommandContext,
  { handlers, id, json, open, options, params, root, settings, shared, tool }: PreflightCall,
): Promise<ExitCode> {
  const governed = await governanceOf(context, { root, settings, shared, open });
  const runtime = createRuntime({
    directory: root,
    env: context.io.env,
    handlers,
    ledger: false,
    ...(governed && { governance: governed.governance }),
  });
  try {
    const found = await preflight(tool, params, { runtime, ...options });
    if (json) printJson(context.io.stdout, found);
    else printPreflight(context, id, found);
    if (governed?.isShared === false) tellNoStore(context);
    return found.allow ? exitCode.fine : exitCode.inputErrors;
  } finally {
    await runtime.close();
    await governed?.governance.store.close();
  }
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
        : "nothing: the project has no policy, so skillc only checked the parameters",
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
            `request ${failure.request.id}, digest ${failure.request.digest}, manifest ${failure.request.manifest}`,
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
