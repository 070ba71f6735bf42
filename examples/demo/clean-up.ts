/** The demo's clean-up: a command that shows its effects, is approved, applied and undone. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { queryLedger, rollbackCall, withCaller } from "@skillc/runtime";
import { governance } from "@skillc/runtime/governance";
import { configure, tools } from "../../generated/index.js";
import { policy } from "../../generated/policy.js";
import { cleanUp } from "../../generated/repo-maintenance/index.js";
import { aside, heading, show, showRefusal, showRows, showYaml, source } from "./screen.js";

type Configuration = Parameters<typeof configure>[0];

const agent = { subject: "support-7", origin: "llm" } as const;
const person = { subject: "ada", origin: "api" } as const;

/** Runs a command in a sandbox: first as a trial, and after an approval for good. */
export async function showCleanUp(
  configuration: Configuration & { readonly directory: string },
  read: (path: string) => string,
): Promise<void> {
  const skillFile = "skills/repo-maintenance/metadata.yaml";
  heading("A command has fixed arguments, a sandbox and a way back", skillFile);
  showYaml(read(skillFile), "  clean-up:", "output: json");
  if (spawnSync("bwrap", ["--version"]).error !== undefined) {
    aside("", "The rest of this step needs bubblewrap: apt-get install bubblewrap");
    return;
  }

  const workspace = join(configuration.directory, "workspace");
  mkdirSync(join(workspace, "old"), { recursive: true });
  for (const name of ["a.tmp", "b.tmp", "notes.md"])
    writeFileSync(join(workspace, "old", name), `${name}\n`);
  const governed = governance({ policy });
  configure({ ...configuration, governance: governed });
  const call = () =>
    withCaller(agent, () => cleanUp({ folder: "old", pattern: "*.tmp" }, { trace: "clean-up" }));

  heading("It shows what it would change, and asks", "risk_level: write");
  source(`await cleanUp({ folder: "old", pattern: "*.tmp" })   // for an agent`);
  await showRefusal(call);
  const [request] = await governed.requests();
  if (request === undefined) throw new Error("the call left no request");
  source("(await governed.requests())[0].details.trial.effects");
  const effects = request.details?.trial?.effects ?? [];
  showRows(effects.map(({ change, path, what }) => ({ change, path, what })));
  aside("The process ran over a private layer. Nothing has changed yet:");
  const list = () => aside(`  workspace/old: ${readdirSync(join(workspace, "old")).join(", ")}`);
  list();

  heading("A person approves, and exactly this is applied", `governed.approve(request, …)`);
  source(`await governed.approve(request, { subject: "ada" })   // only the effects shown above`);
  await governed.approve(request, { subject: person.subject });
  source(`await cleanUp({ folder: "old", pattern: "*.tmp" })   // the same again`);
  show(await call());
  list();

  heading("Every write can be undone", "rollbackCall(tools, id), or: skillc rollback ID");
  const written = queryLedger({
    directory: join(configuration.directory, ".skillc/ledger"),
    trace: "clean-up",
    status: "success",
  });
  for await (const { id } of written) show(await rollbackCall(tools, id, { caller: person }));
  list();
}
