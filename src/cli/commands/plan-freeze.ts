import { readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { readBindingPlan } from "../../planner/binding-plan.js";
import { PlanError } from "../../planner/binding-planner.js";
import { freezePlan, type RunRecord } from "../../planner/freeze.js";
import type { DynamicPlan } from "../../planner/plan.js";
import type { PlannerCatalog } from "../../planner/tools.js";
import type { CommandContext } from "../command-context.js";
import { parseJsonOption } from "../console/json-option.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { addTool, printTool, type ToolPlace } from "../import/add-tool.js";
import { projectRoot } from "../project/project-root.js";
import { readSettings } from "../project/read-settings.js";
import { outputCatalog, textAt } from "./generated-tools.js";
import { withProjectLock } from "./write-project.js";

/** The flags of `skillc plan freeze`; absent by default. */
export interface PlanFreezeOptions {
  readonly skill?: string;
  readonly tool?: string;
  readonly force?: true;
  readonly json?: true;
}

/** Turns a plan that was made at run time into a tool of a skill: prints it, or writes it. */
export async function planFreeze(
  context: CommandContext,
  file: string,
  options: PlanFreezeOptions,
): Promise<ExitCode> {
  const { json, skill, tool: name } = options;
  if ((skill === undefined) !== (name === undefined))
    throw CommandFailure.usage(
      "`--skill` and `--tool` go together",
      "write both to add the plan to a skill, or none to print it",
    );
  for (const each of [skill, name])
    if (each !== undefined && !/^[A-Za-z0-9][\w-]{0,63}$/.test(each))
      throw CommandFailure.usage(
        `\`${visible(each)}\` can't be a name`,
        "write up to 64 letters, digits, `-` and `_`",
      );
  const record = readRecord(resolve(context.directory, file), file);
  const root = await projectRoot(context.directory);
  const { out } = await readSettings(root);
  const { skills } = outputCatalog(root, out);
  // The compiler wrote the catalog.
  const tool = frozen(record, { skills } as PlannerCatalog, skill, file);
  const { stdout } = context.io;
  if (skill === undefined || name === undefined) {
    if (json === true) printJson(stdout, { tool, file: null });
    else stdout.write(printTool("frozen-plan", tool, heading));
    return exitCode.fine;
  }
  const entry = skills.find((each) => textAt(each, "name") === skill);
  const place: ToolPlace = {
    skill,
    name,
    folder: entry && posix.dirname(textAt(entry, "file") ?? ""),
    isKnown: entry?.tools.some((each) => textAt(each, "id") === `${skill}/${name}`) === true,
  };
  const path = await withProjectLock(context, async () =>
    addTool(root, tool, place, options.force === true),
  );
  if (json === true) printJson(stdout, { tool, file: path });
  else stdout.write(`wrote \`${name}\` to ${visible(path)}; check it with \`skillc generate\`\n`);
  return exitCode.fine;
}

const heading =
  " Written by `skillc plan freeze`. Give the tool a name, and edit it as you like.\n";

/** @throws CommandFailure if the file can't be read, or is no record of a plan */
function readRecord(path: string, file: string): RunRecord {
  const name = `\`${visible(file)}\``;
  const help =
    'write `{ "plan": …, "bindings": …, "inputs": …, "goal": … }`, with the data of the events `plan` and `binding_plan`';
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw CommandFailure.input(`${name} can't be read: ${(error as Error).message}`);
  }
  const given = parseJsonOption(text, { name, unusable: `${name} can't be used`, help });
  const object = isJsonObject(given) ? given : {};
  const { goal, inputs = {} } = object;
  const [plan, bindings] = [inner(object["plan"], "plan"), inner(object["bindings"], "bindings")];
  if (!isJsonObject(plan) || !isJsonObject(bindings) || !isJsonObject(inputs))
    throw CommandFailure.input(`${name} has no \`plan\` with its \`bindings\``, help);
  try {
    return {
      // `freezePlan` reads it.
      plan: plan as JsonObject & DynamicPlan,
      bindings: readBindingPlan(bindings),
      inputs,
      ...(typeof goal === "string" && { goal }),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw CommandFailure.input(`the bindings in ${name} can't be used`, error.message);
  }
}

/** The data of an event have the plan below its own name. */
function inner(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const within = isJsonObject(value) ? getOwn(value, name) : undefined;
  return isJsonObject(within) ? within : value;
}

/** @throws CommandFailure if the plan can't become a plan of a skill */
function frozen(
  record: RunRecord,
  catalog: PlannerCatalog,
  skill: string | undefined,
  file: string,
): JsonObject {
  try {
    return freezePlan(record, { catalog, skill });
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const problems = error.problems.map(({ at, message }) =>
      visible(at === "" ? message : `${at}: ${message}`),
    );
    throw CommandFailure.input(
      `the plan in \`${visible(file)}\` can't become a plan of a skill`,
      problems.join("\n"),
    );
  }
}
