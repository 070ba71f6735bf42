/** The command line fingerprints the build that it is of with every run. While tests run, nobody builds: a process looks at its thousand files once. */
import { vi } from "vitest";
import type { buildFingerprint } from "../../src/cli/cache/build-fingerprint.js";

type Fingerprint = typeof buildFingerprint;

declare global {
  /** One for the whole process: test files share the modules that use it. */
  var buildOfTests: string | undefined;
}

vi.mock("../../src/cli/cache/build-fingerprint.js", async (importOriginal) => {
  const original = await importOriginal<{ readonly buildFingerprint: Fingerprint }>();
  const remembered: Fingerprint = () => (globalThis.buildOfTests ??= original.buildFingerprint());
  return { buildFingerprint: remembered };
});
