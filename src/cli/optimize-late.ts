import { setFlagsFromString } from "node:v8";

/**
 * What moves V8's optimizing compiler back, by V8's major version: Node 20 and Node 22 have these.
 * Later ones have a cheap compiler in between, and need no help. An unknown flag is an error on
 * stderr.
 */
const flags: Readonly<Record<string, string>> = {
  "11": "--interrupt-budget=2000000",
  "12": "--invocation-count-for-turbofan=40000",
};

/**
 * Has code optimized later than V8 would. A command is over before much of it has paid for its
 * making: a third of the processor's time of an ordinary run goes there, and none of a long run is
 * lost (`npm run bench -- edits`).
 */
export function optimizeLate(): void {
  const [major = ""] = process.versions.v8.split(".");
  const flag = flags[major];
  if (flag !== undefined) setFlagsFromString(flag);
}
