import { usualTimeoutMs } from "@skillc/runtime/internal/command";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import { successData } from "../../../kit/answers.js";
import { type BindingKind, defineBinding } from "../../../kit/binding.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { loadTemplate } from "../../../kit/load-template.js";
import type { KindEngine } from "../../../kit/kind-engine.js";
import { commandCapabilities, commandCapabilityForms } from "./capabilities.js";
import { checkCommand } from "./check.js";
import { outputSchema } from "./check-answer.js";
import { commandDiagnosticEntries } from "./diagnostics.js";
import { emitCommand } from "./emit.js";
import { commandFileChanges } from "./file-changes.js";
import { type CommandConfig, type CommandSettings, statusesOf } from "./model.js";
import { resolveCommand } from "./resolve.js";
import { commandOtherWords, commandSchema } from "./schema.js";
import { commandSettings } from "./settings.js";

/** Adds the settings of skillc.yaml to every command. */
const engine: KindEngine<CommandConfig, CommandSettings> = {
  open: ({ settings }) => ({
    fingerprint: () => Promise.resolve(JSON.stringify(settings)),
    analyze: ({ binding }, config) =>
      Promise.resolve({ config: { ...config, settings }, references: binding.references }),
    modules: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }),
};

/** The binding kind `type: command`: one process, whose arguments are built from the parameters. */
export const commandBinding: BindingKind<CommandConfig, CommandSettings> = defineBinding<
  CommandConfig,
  CommandSettings
>({
  type: "command",
  title: "command",
  schema: commandSchema,
  otherWords: commandOtherWords,
  roots: [callerRoot],
  settings: commandSettings,
  engine,
  modes: ["active", "shadow"],
  declaresEffect: true,
  effectByRisk: true,
  fileChanges: commandFileChanges,
  needsHandler: false,
  timeLimit: { usualMs: usualTimeoutMs, maxMs: 3_600_000 },
  diagnostics: commandDiagnosticEntries,
  runtime: {
    module: runtimeEntry("command"),
    values: [
      "command",
      "credential",
      "joined",
      "path",
      "paths",
      "pick",
      "script",
      "scriptFolder",
      "segment",
      "text",
      "value",
      "values",
    ],
    types: ["CommandFault", "CommandRecord"],
  },
  template: loadTemplate("command"),
  resolve: resolveCommand,
  check: checkCommand,
  answers: (tool, config) => {
    const { failed, succeeded } = statusesOf(config);
    const data = successData(tool, outputSchema(config));
    return [
      ...succeeded.map((status) => ({ status, data })),
      ...failed.map((status) => ({ status })),
    ];
  },
  capabilities: commandCapabilities,
  capabilityForms: commandCapabilityForms,
  dataSchema: outputSchema,
  answerCap: ({ maxOutput }) => maxOutput,
  programs: ({ argv: [program], executor }) =>
    program?.kind === "literal" && executor !== "docker" ? [program.text] : [],
  carriedFiles: ({ scripts }) => scripts,
  schemas: () => ({}),
  emit: emitCommand,
});
