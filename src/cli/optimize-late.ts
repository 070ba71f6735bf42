import { setFlagsFromString } from "node:v8";

/**
 * Flags that delay V8's optimizing compiler, by V8's major version: those of Node 20 and Node 22.
 * Later versions have a cheap compiler in between and need no flag. V8 reports unknown flags on
 * stderr.
 */
const flags: Readonly<Record<string, string>> = {
  "11": "--interrupt-budget=2000000",
  "12": "--invocation-count-for-turbofan=40000",
};

/**
 * Delays V8's optimization. A command usually ends before optimized code pays off, and optimization
 * takes a third of the CPU time of an ordinary run. Long runs lose nothing (`npm run bench --
 * edits`).
 */
export function optimizeLate(): void {
  const [major = ""] = process.versions.v8.split(".");
  const flag = flags[major];
  if (flag !== undefined) setFlagsFromString(flag);
}
