import type { LoweredTool } from "../../core/lowered-skill.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { CallGraph, GraphCall } from "../../kit/call-graph.js";
import { didYouMean } from "../../schema/suggestion.js";
import { readingOnly } from "../cache/file-cache.js";
import type { CommandContext } from "../command-context.js";
import type { Palette } from "../console/palette.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import { hasErrors, printDiagnosticsJson } from "../diagnostics/print-diagnostics.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { openProject } from "../project/open-project.js";
import { compileWithProgress } from "./compile-with-progress.js";
import { createSession } from "./generate-once.js";
import { reportBriefly } from "./report-briefly.js";

/** The flags of `skillc plan graph`: absent when not given. */
export interface PlanGraphOptions {
  readonly json?: true;
  readonly mermaid?: true;
}

/** Draws the calls of a plan, and of the plans among its steps. */
export async function planGraph(
  context: CommandContext,
  name: string,
  { json, mermaid }: PlanGraphOptions,
): Promise<ExitCode> {
  const open = await openProject(context.directory);
  const cache = readingOnly(createSession(context.io).cacheFor(open));
  const compiled = await compileWithProgress(context, open, { cache });
  const { compilation, diagnostics } = compiled;
  const kinds = open.kinds?.registry;
  if (hasErrors(diagnostics) || compilation === undefined || kinds === undefined) {
    if (json === true) printDiagnosticsJson(context, compiled, { graph: null });
    else reportBriefly(context, compiled, {});
    return exitCode.inputErrors;
  }
  const tools = compilation.lowered.flatMap((each) => each.tools);
  const graphs = graphsOf(tools, kinds);
  const id = planNamed(name, graphs);
  if (json === true) printJson(context.io.stdout, { plan: id, ...graphs.get(id) });
  else if (mermaid === true) context.io.stdout.write(mermaidOf(id, graphs));
  else context.io.stdout.write(treeOf(id, graphs, context.out));
  return exitCode.fine;
}

type Graphs = ReadonlyMap<string, CallGraph>;

/** The graphs of all tools that call others, by the id of the tool. */
function graphsOf(tools: readonly LoweredTool[], kinds: KindRegistry): Graphs {
  return new Map(
    tools.flatMap(({ id, tool: { binding } }) => {
      const graph = kinds.find(binding.type)?.graph?.(binding.config);
      return graph === undefined ? [] : [[id, graph] as const];
    }),
  );
}

/** @throws CommandFailure if no plan has the name, or several have */
function planNamed(name: string, graphs: Graphs): string {
  const ids = [...graphs.keys()];
  const found = ids.filter((id) => id === name || id.endsWith(`/${name}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const listed = (some: readonly string[]) => some.map((id) => `\`${id}\``).join(" or ");
  if (found.length > 1)
    throw CommandFailure.usage(`several plans have the name \`${name}\``, `write ${listed(found)}`);
  const help = ids.length === 0 ? "no skill has a plan" : `the plans are ${listed(ids)}`;
  throw CommandFailure.usage(`there is no plan \`${name}\``, didYouMean(name, ids) ?? help);
}

function treeOf(id: string, graphs: Graphs, out: Palette): string {
  const drawn = new Set([id]);
  const drawing = { graphs, out, drawn, indent: "" };
  return `${[out.bold(visible(id)), ...branchesOf(graphs.get(id), drawing)].join("\n")}\n`;
}

interface Drawing {
  readonly graphs: Graphs;
  readonly out: Palette;
  /** Plans that are drawn already: a plan in several places is drawn once. */
  readonly drawn: Set<string>;
  readonly indent: string;
}

function branchesOf(graph: CallGraph | undefined, drawing: Drawing): readonly string[] {
  const { indent, out } = drawing;
  if (graph === undefined) return [];
  const { calls, output } = graph;
  const lines = calls.flatMap((call, index) => {
    const isLast = index === calls.length - 1 && output === undefined;
    const inner = `${indent}${isLast ? "   " : "│  "}`;
    const taken = call.takes.map(
      ({ name, source }) => `${inner}  ${out.dim(`${visible(name)} ←`)} ${visible(source)}`,
    );
    const outcomes = Object.entries(call.outcomes).map(
      ([status, action]) => `${inner}  ${out.dim(`${visible(status)} →`)} ${visible(action)}`,
    );
    const head = `${indent}${isLast ? "└─" : "├─"} ${headOf(call, out)}`;
    return [head, ...taken, ...outcomes, ...innerPlan(call, { ...drawing, indent: inner })];
  });
  return output === undefined
    ? lines
    : [...lines, `${indent}└─ ${out.dim("output ←")} ${visible(output.source)}`];
}

/** The steps of a plan that is a step. */
function innerPlan({ tool }: GraphCall, drawing: Drawing): readonly string[] {
  const { drawn, graphs, indent, out } = drawing;
  const graph = graphs.get(tool);
  if (graph === undefined) return [];
  if (drawn.has(tool)) return [`${indent}  ${out.dim("its steps are drawn above")}`];
  drawn.add(tool);
  return branchesOf(graph, drawing);
}

function headOf({ after, effect, id, tool }: GraphCall, out: Palette): string {
  const waits = after.length === 0 ? "" : out.dim(` after ${after.map(visible).join(", ")}`);
  const what = effect === "write" ? out.yellow("write") : out.dim("read");
  return `${out.cyan(visible(id))} ${visible(tool)} ${what}${waits}`;
}

/** A flowchart of Mermaid: solid arrows for values, dotted ones for order alone. */
function mermaidOf(id: string, graphs: Graphs): string {
  const { calls = [], output } = graphs.get(id) ?? {};
  const lines = calls.flatMap((call) => {
    const used = new Set(call.takes.flatMap(({ from }) => from ?? []));
    const rest = call.after.filter((each) => !used.has(each));
    const [open, close] = call.effect === "write" ? ["[[", "]]"] : ["[", "]"];
    return [
      `  step_${call.id}${open}"${mermaidText(`${call.id}: ${call.tool}`)}"${close}`,
      ...[...used].map((each) => `  step_${each} --> step_${call.id}`),
      ...rest.map((each) => `  step_${each} -.-> step_${call.id}`),
    ];
  });
  const end =
    output?.from === undefined ? [] : [`  output(["output"])`, `  step_${output.from} --> output`];
  return `${["flowchart TD", ...lines, ...end].join("\n")}\n`;
}

/** Text between quotes of Mermaid, which knows HTML's entities. */
function mermaidText(text: string): string {
  return visible(text).replace(/[&"<>`]/g, (each) => `#${each.charCodeAt(0)};`);
}
