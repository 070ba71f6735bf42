/**
 * Computes the fingerprint of the build once in a process. The command line would read the build's
 * thousand files in every run, but nobody builds while tests run.
 */
import { vi } from "vitest";
import type { buildFingerprint } from "../../src/cli/cache/build-fingerprint.js";

type Fingerprint = typeof buildFingerprint;

declare global {
  /** Global, because test files share the modules that use the fingerprint. */
  var buildOfTests: string | undefined;
}

vi.mock("../../src/cli/cache/build-fingerprint.js", async (importOriginal) => {
  const original = await importOriginal<{ readonly buildFingerprint: Fingerprint }>();
  const remembered: Fingerprint = () => (globalThis.buildOfTests ??= original.buildFingerprint());
  return { buildFingerprint: remembered };
});
