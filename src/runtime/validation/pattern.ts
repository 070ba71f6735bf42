/**
 * The entry point `@skillc/runtime/v1/pattern`: what generated validators import whose patterns
 * JavaScript's own matcher may take time without end for. RE2 takes a number of steps that is
 * linear in the text.
 */
import { RE2JS } from "re2js";

export interface LinearPattern {
  test(text: string): boolean;
}

/**
 * Compiles a pattern in the language of RE2; `test` tells whether it matches anywhere in a text.
 *
 * @throws when it is none; the compiler has checked it
 */
export function linearPattern(pattern: string): LinearPattern {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.test(text) };
}
