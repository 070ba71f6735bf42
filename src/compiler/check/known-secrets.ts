import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../core/diagnostic.js";
import type { SourceFile } from "../../core/source-file.js";
import { isPlaceholder } from "./plaintext.js";

/**
 * Every secret of a well-known form in a file: tokens of public services, private keys, passwords in addresses. The rules are
 * secretlint's, loaded when the first file is looked at. The findings never hold the text itself.
 */
export async function knownSecrets({ path, text }: SourceFile): Promise<readonly Finding[]> {
  const { lintSource, config } = await (rules ??= loadRules());
  const ext = /\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? "";
  const { messages } = await lintSource({
    source: {
      // Not the path itself: secretlint's profiler fails, outside of any call, on one with a line separator in it.
      filePath: `file${ext}`,
      content: text,
      ext,
      contentType: "text",
    },
    options: { config, noPhysicFilePath: true, maskSecrets: true },
  });
  return messages
    .filter(({ range: [start, end] }) => !isExample(text.slice(start, end)))
    .map(({ range: [start, end], messageId }): Finding => {
      const name = /^[A-Z][A-Z0-9_]{3,40}$/.test(messageId) ? messageId : "NAME";
      return {
        code: "credential/plaintext-secret",
        span: { file: path, start, end },
        message: `this reads like a secret in plain text: ${describe(messageId)}`,
        help: `take it out, replace it where it is used, and refer to it as \`\${${name}}\` where a binding needs it`,
        secret: true,
      };
    });
}

let rules: ReturnType<typeof loadRules> | undefined;

async function loadRules() {
  const [{ lintSource }, { creator: rule }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  await stopProfiler();
  return {
    lintSource,
    config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule }] },
  };
}

interface ProfilerModule {
  readonly secretLintProfiler: { mark: () => void };
}

/** secretlint measures itself and keeps every measurement: a watching process would grow with each edit. */
async function stopProfiler(): Promise<void> {
  try {
    const core = createRequire(import.meta.resolve("@secretlint/core"));
    const profiler = pathToFileURL(core.resolve("@secretlint/profiler"));
    // The very module that secretlint's core uses; this is what it exports.
    const { secretLintProfiler } = (await import(profiler.href)) as ProfilerModule;
    secretLintProfiler.mark = () => {};
  } catch {
    // A version without a profiler has nothing to stop.
  }
}

/** `GITHUB_TOKEN` → `github token` */
function describe(messageId: string): string {
  return messageId
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

/** References, and the passwords that documentation is full of: `postgres://user:password@localhost`. */
function isExample(text: string): boolean {
  if (/\$\{?[A-Za-z_]/.test(text)) return true;
  const password = /:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/.exec(text)?.[1];
  return password !== undefined && (isPlaceholder(password) || /^[a-z]{1,12}$/i.test(password));
}
