/**
 * Formats each text once in a process. The result depends only on the text and the style, and tests
 * compile the same skills thousands of times.
 */
import { vi } from "vitest";
import type { formatCode } from "../../src/compiler/emit/format-code.js";

type Format = typeof formatCode;

declare global {
  /** Global, because test files share the modules that use the function. */
  var formatOfTests: Format | undefined;
}

vi.mock("../../src/compiler/emit/format-code.js", async (importOriginal) => {
  const original = await importOriginal<{ readonly formatCode: Format }>();
  globalThis.formatOfTests ??= remembered(original.formatCode);
  return { formatCode: globalThis.formatOfTests };
});

function remembered(format: Format): Format {
  const made = new Map<string, Promise<string>>();
  return (text, style) => {
    const key = JSON.stringify([style, text]);
    const known = made.get(key) ?? format(text, style);
    made.set(key, known);
    return known;
  };
}
