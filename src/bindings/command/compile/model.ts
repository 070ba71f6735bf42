import type { CarriedFile } from "../../../kit/binding.js";
import type { ParameterPart, TemplateLanguage, TextTemplate } from "../../../kit/text-template.js";
import type { Effect } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { callerRoot } from "../../../kit/caller-root.js";

export type CommandText = TextTemplate<"caller">;

/** Template language of folders, standard input and environment variables. */
export const commandTemplates: TemplateLanguage<"caller"> = {
  kind: "command",
  roots: [callerRoot],
};

/** Template language of arguments: `{author?}` drops the argument, `{paths...}` makes several. */
export const argumentTemplates: TemplateLanguage<"caller"> = {
  ...commandTemplates,
  hasOptional: true,
  hasTokens: true,
};

export const executors = ["sandbox", "host", "docker"] as const;
export type Executor = (typeof executors)[number];

export const outputForms = ["json", "text", "lines", "none"] as const;
export type OutputForm = (typeof outputForms)[number];

/** A command as its author wrote it: plain data. */
export interface CommandConfig {
  readonly executor: Executor;
  /** Span of the executor, if the author chose it. */
  readonly executorSpan?: Span;
  readonly effect: Effect;
  /** Span of the key `command`. */
  readonly span: Span;
  /** The program and its arguments. */
  readonly argv: readonly ArgumentModel[];
  readonly cwd?: CommandText;
  readonly read: readonly CommandText[];
  /** Folders that the command may change; the runtime also lets it read them. */
  readonly write: readonly CommandText[];
  /** Access to temporary folders; absent if the command may not use them. */
  readonly temporary?: "read" | "write";
  /** Names of the parameters that are paths, with dots between the names of fields. */
  readonly paths: readonly string[];
  /** The parameters that the key `paths` lists. */
  readonly listedPaths: readonly { readonly name: string; readonly span: Span }[];
  readonly network: "none" | "host";
  readonly env: readonly EnvironmentEntry[];
  /** `rest` for a JSON object of the parameters that nothing else uses. */
  readonly stdin?: CommandText | "rest";
  readonly output: OutputForm;
  /** Span of the key `output`, or of the binding's command. */
  readonly outputSpan: Span;
  readonly exitCodes: readonly ExitCodeModel[];
  readonly maxOutput: { readonly bytes: number; readonly span?: Span };
  /** Image of the executor `docker`, if the binding names one. */
  readonly image?: { readonly name: string; readonly span: Span };
  /** Scripts beside SKILL.md that the command names, without repeats. */
  readonly scripts: readonly CarriedFile[];
  /** Outer bound of all paths, by skillc.yaml. */
  readonly within?: readonly string[];
  /** False if a faulty placeholder, or a script that can't be read, hides a part of the command. */
  readonly whole: boolean;
  /**
   * Set if the first entry of `command` has a problem that is reported. Another entry may then be
   * the first of `argv`.
   */
  readonly lacksProgram?: true;
  /** Settings of skillc.yaml; absent before the analysis. */
  readonly settings?: CommandSettings;
}

/** `commands:` of skillc.yaml. */
export interface CommandSettings {
  readonly sandbox: "required" | "preferred" | "external";
  /** Image of the executor `docker`. */
  readonly image?: string;
}

export type ArgumentModel =
  | { readonly kind: "literal"; readonly text: string; readonly span: Span }
  /** A file beside SKILL.md, by its path below the skill's folder. */
  | { readonly kind: "script"; readonly name: string; readonly span: Span }
  | { readonly kind: "text"; readonly template: CommandText; readonly span: Span }
  /** An argument for each item of a list. */
  | { readonly kind: "spread"; readonly part: ParameterPart; readonly span: Span };

export interface EnvironmentEntry {
  readonly name: string;
  readonly span: Span;
  readonly value: CommandText;
}

export interface ExitCodeModel {
  readonly code: number;
  readonly status: string;
  readonly span: Span;
}

/** The templates of all arguments. */
export function templatesOfArguments({ argv }: CommandConfig): readonly CommandText[] {
  return argv.flatMap((each) => (each.kind === "text" ? [each.template] : []));
}

/** Checks if a parameter is the path of a file or folder. */
export function isPath({ paths }: Pick<CommandConfig, "paths">, { path }: ParameterPart): boolean {
  return paths.includes(path.join("."));
}

/** Returns the parameter with which the path in an argument begins; undefined if it has no path. */
export function pathOfArgument(
  config: Pick<CommandConfig, "paths">,
  argument: ArgumentModel,
): ParameterPart | undefined {
  const parts =
    argument.kind === "spread"
      ? [argument.part]
      : argument.kind === "text"
        ? argument.template.parts
        : [];
  const parameters = parts.filter((part) => part.kind === "parameter");
  return parameters.find((part) => isPath(config, part));
}

/** Returns the statuses that carry data, and those that carry an error. */
export function statusesOf({ exitCodes }: Pick<CommandConfig, "exitCodes">): {
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
} {
  const isData = ({ code, status }: ExitCodeModel): boolean => code === 0 || status === "success";
  const zero = exitCodes.some(({ code }) => code === 0) ? [] : ["success"];
  const succeeded = [...zero, ...exitCodes.filter(isData).map(({ status }) => status)];
  const failed = exitCodes.filter((each) => !isData(each)).map(({ status }) => status);
  return { succeeded: [...new Set(succeeded)], failed: [...new Set(failed)] };
}
