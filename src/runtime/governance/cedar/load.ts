import { setFlagsFromString } from "node:v8";
import type * as CedarModule from "@cedar-policy/cedar-wasm/nodejs";
import { ifMissing } from "../../call/missing-package.js";

export type Cedar = typeof CedarModule;

/**
 * Disables an optimization of Node 20's V8, which inlines calls into WebAssembly. It crashes the
 * process when it undoes that for a call that returns a reference, as all of Cedar's do.
 */
function keepV8Alive(): void {
  const [major = ""] = process.versions.v8.split(".");
  if (Number(major) < 12) setFlagsFromString("--no-turbo-inline-js-wasm-calls");
}

/**
 * Loads Cedar.
 *
 * @throws MissingPackage if the package is not installed
 */
export async function loadCedar(): Promise<Cedar> {
  keepV8Alive();
  return import("@cedar-policy/cedar-wasm/nodejs").catch(ifMissing("@cedar-policy/cedar-wasm"));
}
