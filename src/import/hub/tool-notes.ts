/** Reports parts that a tool of the hub loses, and guesses of the import. */
import { listed, quote } from "../../core/names.js";
import { longestDescription } from "../skills/print-files.js";
import type { ToolNote } from "../tools/entry.js";
import type { ArgumentForm, CommandDraft } from "./draft-command.js";
import { rollbackOf } from "./draft-rollback.js";
import type { HubTool } from "./hub-tool.js";

/** Longest time limit of a command, in seconds. */
export const maxSeconds = 3600;

/** A tool of the hub, and the import's result. */
export interface NotedTool extends CommandDraft {
  readonly hub: HubTool;
  readonly form: ArgumentForm;
  /** Executor of the binding; undefined for the sandbox. */
  readonly executor: string | undefined;
  /** Description before it is cut. */
  readonly description: string;
}

interface Rule {
  readonly code: ToolNote["code"];
  readonly applies: (tool: NotedTool) => boolean;
  readonly message: (tool: NotedTool) => string;
  readonly help?: string;
}

const rules: readonly Rule[] = [
  {
    code: "import/part-left-out",
    applies: ({ executor, hub }) => hub.executor === "docker" && executor === undefined,
    message: () =>
      "the hub runs this tool in its container, whose image the hub manifest does not name: the tool runs in the sandbox",
    help: "name the image with `--image`, by its digest: `alpine@sha256:…`",
  },
  {
    code: "import/part-left-out",
    applies: ({ executor, hub }) => hub.allowedPaths.length === 0 && executor !== "host",
    message: () =>
      "the tool has no `allowed_paths`, so its process sees no files of this machine but those of the system",
    help: "list the folders that the command needs under `allowed_paths`",
  },
  {
    code: "import/part-left-out",
    applies: ({ unknown }) => unknown.length > 0,
    message: ({ unknown }) =>
      `${listed(unknown.map(quote))} in the command names no parameter: the process gets the text as it is`,
    help: "declare the parameter under `args_schema`",
  },
  {
    code: "import/part-left-out",
    applies: ({ hub: { timeoutSeconds = 0 } }) => timeoutSeconds > maxSeconds,
    message: () => "the time limit is an hour, the longest that a command can have",
    help: "divide the work into several calls",
  },
  {
    code: "import/part-left-out",
    applies: ({ executor, hub }) => rollbackOf(hub, executor)?.["strategy"] === "none",
    message: () => "nothing says which files the command changes, so no call can be rolled back",
    help: "list the folders under `allowed_paths`, or write `rollback` into metadata.yaml",
  },
  {
    code: "import/taken-otherwise",
    applies: ({ executor }) => executor === "host",
    message: () =>
      "the hub runs this tool on the machine itself: nothing confines its process, which can read, change and send whatever the application can",
    help: "remove `executor: host` in metadata.yaml, so that the sandbox confines the process: a later import keeps that",
  },
  {
    code: "import/taken-otherwise",
    applies: ({ hub }) => !hub.isEnabled,
    message: () => "the hub has disabled this tool: it begins paused",
    help: "enable it with `skillc tools enable`, or remove `state` from `governance`",
  },
  {
    code: "import/taken-otherwise",
    applies: ({ hub }) => hub.risk === undefined,
    message: () =>
      "the tool has no `risk_level`: the import takes `write`, so that somebody approves each call",
  },
  {
    code: "import/taken-otherwise",
    applies: ({ paths }) => paths.length > 0,
    message: ({ paths }) =>
      `the import reads ${listed(paths.map(quote))} as ${paths.length === 1 ? "a path" : "paths"} below \`allowed_paths\``,
    help: "if one is not a path, remove it from `paths` in metadata.yaml: a later import keeps that",
  },
  {
    code: "import/taken-otherwise",
    applies: ({ form, onStdin }) => form === "flags" && onStdin.length > 0,
    message: ({ onStdin }) =>
      `no flag can hold ${listed(onStdin.map(quote))}: the process gets JSON on standard input`,
  },
  {
    code: "import/taken-otherwise",
    applies: ({ description }) => description.length > longestDescription,
    message: () =>
      `the import cuts the description to ${longestDescription} characters, the most that a model gets`,
  },
];

export function notesOn(tool: NotedTool): readonly ToolNote[] {
  return rules
    .filter(({ applies }) => applies(tool))
    .map(({ code, help, message }) => ({
      code,
      span: tool.hub.span,
      message: message(tool),
      ...(help !== undefined && { help }),
    }));
}
