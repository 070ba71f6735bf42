import type { Output } from "../io.js";
import { type Palette, severityColour, withCodeSpans } from "./palette.js";
import { visible, visibleLines } from "./visible.js";

/** Prints a failure without a source line: `error: …`, and then the help. */
export function printFailure(
  output: Output,
  palette: Palette,
  message: string,
  help?: string,
): void {
  const head = `${severityColour(palette, "error")("error")}${palette.bold(`: ${visible(message)}`)}`;
  output.write(`${head}\n`);
  if (help === undefined) return;
  const body = withCodeSpans(visibleLines(help), palette).replaceAll("\n", "\n          ");
  output.write(`  ${palette.bold(palette.blue("="))} ${palette.bold("help:")} ${body}\n`);
}
