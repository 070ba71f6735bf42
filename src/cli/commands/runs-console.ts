/** Messages that the commands about runs share. */
import type { RunId } from "@skillc/runtime/runs";
import type { CommandContext } from "../command-context.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { quotedForShell } from "../console/quoted-for-shell.js";
import { CommandFailure } from "../exit.js";
import { printable } from "../ledger/console-style.js";
import type { OpenRuns } from "../runs/open-runs.js";

/** Names the tenants that have a run of this id, because an id without a tenant is easily mistaken. */
export async function noRun(
  { store, where }: OpenRuns,
  { id, tenant }: RunId,
): Promise<CommandFailure> {
  const tenants: string[] = [];
  for await (const { run } of store.list())
    if (run.id === id && run.tenant !== undefined) tenants.push(run.tenant);
  const whose = tenant === undefined ? " without a tenant" : ` of the tenant ${quoted(tenant)}`;
  const [first] = tenants.toSorted();
  return CommandFailure.input(
    `there is no run ${quoted(id)}${whose} in ${where}`,
    tenant !== undefined || first === undefined
      ? "`skillc runs list` shows the runs"
      : `a tenant has a run of this id: add \`--tenant ${quotedForShell(first)}\``,
  );
}

export function quoted(text: string): string {
  return `\`${printable(text, 80)}\``;
}

export function print({ io, out }: CommandContext, text: string): void {
  io.stdout.write(`${withCodeSpans(text, out)}\n`);
}

export function note({ err, io }: CommandContext, text: string): void {
  io.stderr.write(`${severityColour(err, "info")("note")}: ${withCodeSpans(text, err)}\n`);
}
