/**
 * The entry point `@skillc/runtime/v1/pattern`: patterns for generated validators that JavaScript's
 * matcher may evaluate in exponential time. RE2 takes time linear in the text.
 */
import { RE2JS } from "re2js";

/** A pattern that is matched in linear time. */
export interface LinearPattern {
  /** Returns whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
}

/**
 * Compiles a pattern in RE2's syntax.
 *
 * @throws if the pattern is not valid, which the compiler has already checked
 */
export function linearPattern(pattern: string): LinearPattern {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.test(text) };
}
