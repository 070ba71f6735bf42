import type { Reporter, TestModule } from "vitest/node";

/** Prints at the end why tests were skipped; the usual reporter only counts them. */
export const skipReporter: Reporter = {
  onTestRunEnd(modules) {
    const files = new Map<string, Set<string>>();
    for (const { reason, file } of modules.flatMap(skipsOf))
      files.set(reason, (files.get(reason) ?? new Set()).add(file));
    for (const [reason, where] of files)
      process.stdout.write(`skipped in ${[...where].toSorted().join(", ")}: ${reason}\n`);
  },
};

function skipsOf(module: TestModule): readonly { reason: string; file: string }[] {
  return [...module.children.allTests("skipped")].flatMap((test) => {
    const result = test.result();
    if (result.state !== "skipped" || result.note === undefined) return [];
    return [{ reason: result.note, file: module.relativeModuleId }];
  });
}
