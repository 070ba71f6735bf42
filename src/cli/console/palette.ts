import picocolors from "picocolors";
import type { Severity } from "../../core/diagnostic.js";
import { type Io, type Output, wantsColour } from "../io.js";

/** Colours for one stream. Without colour, each function returns the text unchanged. */
export type Palette = ReturnType<typeof picocolors.createColors>;

export function paletteFor(output: Output, env: Io["env"]): Palette {
  return picocolors.createColors(wantsColour(output, env));
}

export const plain: Palette = picocolors.createColors(false);

/** Colour of a severity in all output. */
export function severityColour(palette: Palette, severity: Severity): (text: string) => string {
  const colours = { error: palette.red, warning: palette.yellow, info: palette.cyan } as const;
  return (text) => palette.bold(colours[severity](text));
}

/** Colours text in backticks. */
export function withCodeSpans(text: string, palette: Palette): string {
  if (!palette.isColorSupported) return text;
  return text.replace(/`([^`]+)`/g, (_, inner: string) => palette.cyan(inner));
}
