import type { CommandContext } from "../command-context.js";
import type { Palette } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { wantsColour, widthOf } from "../io.js";
import { colorsOf, renderTable } from "../ledger/console-style.js";
import { plural } from "../diagnostics/summary.js";
import type { Need } from "./environment-needs.js";

const kinds = {
  credential: "credential",
  env: "environment variable",
  bins: "program",
  config: "application setting",
  os: "operating system",
} as const;

/** A table of what the tools need of this place. */
export function printNeeds({ io, out }: CommandContext, needs: readonly Need[]): void {
  if (needs.length === 0) {
    io.stdout.write(`${out.green("✓")} no tool needs anything of this environment\n`);
    return;
  }
  const states = {
    missing: out.red("✗ missing"),
    unusable: out.red("✗ not a URL"),
    unknown: out.yellow("? given by the application"),
    here: out.green("✓ here"),
  } as const;
  const width = widthOf(io.stdout);
  const rows = needs.map((need) => [
    states[need.state],
    out.bold(visible(need.name)),
    kinds[need.kind],
    out.dim(users(need.tools, Math.max(24, Math.floor(width / 3)))),
  ]);
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width });
  const columns = [{ head: "" }, { head: "name" }, { head: "what" }, { head: "needed by" }];
  io.stdout.write(`\n${renderTable(columns, rows, colors)}\n`);
  io.stdout.write(`\n${verdictOn(needs, out).join("\n")}\n`);
}

function verdictOn(needs: readonly Need[], out: Palette): readonly string[] {
  const missing = needs.filter(({ state }) => state === "missing").length;
  const unusable = needs.filter(({ state }) => state === "unusable").map(({ name }) => name);
  const told = [
    ...(missing === 0
      ? []
      : [`${plural(missing, "thing")} missing here: set them in the environment or in .env`]),
    ...needs.flatMap(({ name, near }) =>
      near === undefined
        ? []
        : [`${visible(name)} is missing, and ${visible(near)} is set: is it the same?`],
    ),
    ...unusable.map(
      (name) =>
        `the value of ${visible(name)} is no URL: it must start with a scheme such as https://`,
    ),
  ];
  return told.length === 0
    ? [`${out.green("✓")} everything that can be looked up is here`]
    : told.map((each) => `${out.red("✗")} ${each}`);
}

/** As many names as fit, at least one. */
function users(tools: readonly string[], width: number): string {
  const shown: string[] = [];
  for (const tool of tools.map(visible)) {
    if (shown.length > 0 && [...shown, tool].join(", ").length > width) break;
    shown.push(tool);
  }
  const rest = tools.length - shown.length;
  return `${shown.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}
