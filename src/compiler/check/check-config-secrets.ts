import type { ProjectConfig } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";

interface ConfigContext {
  readonly config: ProjectConfig;
  readonly configFile?: SourceFile;
  readonly secretsIgnored?: boolean | undefined;
  readonly report: Report;
}

/**
 * Reports secrets of skillc.yaml that Git does not ignore. They are for one machine, and Git must
 * not carry them to others.
 */
export function checkConfigSecrets({
  config,
  configFile,
  secretsIgnored,
  report,
}: ConfigContext): void {
  if (config.secretNames.length === 0 || secretsIgnored !== false || configFile === undefined)
    return;
  const key = /^(["']?)secrets\1[ \t]*:/m.exec(configFile.text);
  const start = key?.index ?? 0;
  report.add({
    code: "credential/secrets-not-ignored",
    span: { file: configFile.path, start, end: start + (key === null ? 0 : key[0].length - 1) },
    message: "this file holds secrets, and git does not ignore it",
    help: `move them to \`.env\`, or add \`${configFile.path}\` to \`.gitignore\``,
  });
}
