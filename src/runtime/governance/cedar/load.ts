import { setFlagsFromString } from "node:v8";
import type * as CedarModule from "@cedar-policy/cedar-wasm/nodejs";
import { ifMissing } from "../../call/missing-package.js";

export type Cedar = typeof CedarModule;

/**
 * The V8 of Node 20 inlines calls into WebAssembly, and ends the process where it has to undo that
 * for one that gives a reference, as all of Cedar's do. Later ones don't.
 */
function keepV8Alive(): void {
  const [major = ""] = process.versions.v8.split(".");
  if (Number(major) < 12) setFlagsFromString("--no-turbo-inline-js-wasm-calls");
}

/** @throws MissingPackage where it is not installed */
export async function loadCedar(): Promise<Cedar> {
  keepV8Alive();
  return import("@cedar-policy/cedar-wasm/nodejs").catch(ifMissing("@cedar-policy/cedar-wasm"));
}
