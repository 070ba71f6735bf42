/** The demo's plans: a plan with two branches, and a run that goes on after its process was killed. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { folderRuns, type KeptEvent } from "@skillc/runtime/runs";
import { createApi } from "../../generated/api-builder/index.js";
import { configure } from "../../generated/index.js";
import { takeBack } from "../../generated/returns-desk/index.js";
import { root, run } from "./command.js";
import { aside, heading, show, showRows, showYaml, source } from "./screen.js";

type Configuration = Parameters<typeof configure>[0];

const request = "customers (name, email) and orders (customer, total: number, placed_at)";

export async function showPlans(
  configuration: Configuration & { readonly directory: string },
  read: (path: string) => string,
): Promise<void> {
  const skillFile = "skills/returns-desk/metadata.yaml";
  heading("A plan is a tool whose steps are other tools", skillFile);
  showYaml(read(skillFile), "      steps:", "      output:");
  console.log();
  await run("skillc", ["plan", "graph", "take-back"]);
  console.log();
  source(`await takeBack({ order_id: "ord_1003", sku: "MUG-BLUE", location: "A-01", pieces: 2 })`);
  const returned = { order_id: "ord_1003", sku: "MUG-BLUE", location: "A-01", pieces: 2 };
  show(await takeBack(returned));

  heading("A run survives the death of its process", `createApi({ … }, { run: "api-1" })`);
  const key = randomBytes(32).toString("base64");
  const runs = folderRuns({ directory: join(configuration.directory, ".skillc/runs"), key });
  await killInTheMiddle(configuration.directory, key);
  const before = (await runs.read({ id: "api-1" }))?.events ?? [];
  configure({ ...configuration, runs });
  source(`await createApi({ request }, { run: "api-1" })   // the same again, in another process`);
  const answer = await createApi({ request }, { run: "api-1" });
  if (answer.status !== "success") throw new Error(answer.status);
  const after = (await runs.read({ id: "api-1" }))?.events.slice(before.length) ?? [];
  showRows(stepsOf(before, after));
  aside("The kept answers of four steps were reused. They are encrypted in .skillc/runs.");
  console.log(`\n${answer.data.summary.replace(/^/gm, "  ")}\n`);
}

/** Runs the plan in a process of its own, and kills that when its last step has begun. */
async function killInTheMiddle(directory: string, key: string): Promise<void> {
  source(`await createApi({ request }, { run: "api-1" })   // kill -9 in the last step`);
  const script = join(root, "examples/demo/plan-process.ts");
  const args = ["--disable-warning=DEP0205", "--import", "jiti/register", script];
  const child = spawn(process.execPath, [...args, directory, request], {
    cwd: root,
    env: { ...process.env, RUNS_KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.once("data", () => child.kill("SIGKILL"));
  await once(child, "close");
  if (child.signalCode !== "SIGKILL") throw new Error("the process ended before it was killed");
}

function stepsOf(before: readonly KeptEvent[], after: readonly KeptEvent[]) {
  const keysOf = (events: readonly KeptEvent[], type: KeptEvent["type"]) =>
    new Set(events.flatMap((each) => ("key" in each && each.type === type ? [each.key] : [])));
  const [answered, called] = [keysOf(before, "answered"), keysOf(after, "begun")];
  return [...keysOf(before, "begun")].map((step) => ({
    step,
    "killed process": answered.has(step) ? "answered" : "begun",
    "this process": called.has(step) ? "called" : "reused",
  }));
}
