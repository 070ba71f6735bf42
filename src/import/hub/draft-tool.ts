/** Makes the tool of a skill from a tool of a hub. */
import { type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { portableName } from "../../core/names.js";
import { longestDescription } from "../skills/print-files.js";
import { cut, literalText, oneLine, prose } from "../skills/texts.js";
import type { DraftTool } from "../tools/entry.js";
import { type ArgumentForm, draftCommand } from "./draft-command.js";
import { rollbackOf } from "./draft-rollback.js";
import type { HubTool } from "./hub-tool.js";
import { maxSeconds, notesOn } from "./tool-notes.js";

/** Choices for all tools of an import. */
export interface DraftOptions {
  /** How parameters reach the process. */
  readonly form: ArgumentForm;
  /** Image for tools that the hub runs in its container. */
  readonly image?: string;
  /** True if skillc.yaml names an image. */
  readonly hasImage: boolean;
}

/** The scope that a hub requires for every call of a tool. */
export const hubScope = "tool:execute";

export function draftTool(hub: HubTool, options: DraftOptions): DraftTool {
  const { allowedPaths, cwd, isEnabled, name = "", risk = "write" } = hub;
  const { timeoutSeconds: seconds } = hub;
  const { form, image } = options;
  const parameters = parametersOf(hub);
  const placed = draftCommand(hub, parameters, form);
  const { command, onStdin, paths } = placed;
  const executor = executorOf(hub, options);
  const rollback = rollbackOf(hub, executor);
  const description = wordsOf(hub);
  const title = oneLine(name);
  const tool: JsonObject = {
    description: cut(description, longestDescription),
    risk_level: risk,
    governance: {
      scopes: [hubScope],
      ...(!isEnabled && { state: "paused" }),
      ...(title !== "" && { display_name: title }),
    },
    parameters,
    ...(rollback && { rollback }),
    binding: {
      type: "command",
      ...(executor !== undefined && { executor }),
      command: [...command],
      ...(cwd !== undefined && { cwd: literalText(cwd) }),
      ...(allowedPaths.length > 0 && { allowed_paths: allowedPaths.map(literalText) }),
      ...(paths.length > 0 && { paths: [...paths] }),
      ...(onStdin.length > 0 && { stdin: "json" }),
      ...(seconds !== undefined && {
        timeout_ms: Math.ceil(Math.min(seconds, maxSeconds) * 1000),
      }),
      ...(executor === "docker" && image !== undefined && { docker: { image } }),
    },
  };
  return { tool, notes: notesOn({ hub, ...placed, description, form, executor }) };
}

/**
 * Returns the executor to write; undefined for the sandbox. A container without an image does not
 * compile, so its tools run in the sandbox, which confines them as well.
 */
function executorOf({ executor }: HubTool, { hasImage, image }: DraftOptions): string | undefined {
  return executor === "docker" && image === undefined && !hasImage ? undefined : executor;
}

/** Keys of a schema to which no other keyword can add properties. */
const plainKeys: ReadonlySet<string> = new Set(
  "type properties required title description $schema $id $defs definitions".split(" "),
);

/** Returns the schema of the parameters. It rejects unknown parameters if only it declares them. */
function parametersOf({ schema = {} }: HubTool): JsonObject {
  const isClosable = Object.keys(schema).every((key) => plainKeys.has(key));
  const parameters: Record<string, JsonValue> = { type: "object" };
  if (isClosable) parameters["additionalProperties"] = false;
  for (const [key, value] of Object.entries(schema)) setOwn(parameters, key, value);
  return parameters;
}

/** Returns the description; or else the name or the words of the id. */
function wordsOf({ description = "", id, name = "" }: HubTool): string {
  const words = portableName(id)?.replaceAll("-", " ") ?? oneLine(id);
  return prose(description) || oneLine(name) || words;
}
