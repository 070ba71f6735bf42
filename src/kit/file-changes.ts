/** `BindingKind.fileChanges`: how a kind's writes change files of this machine, and are undone. */
import type { Code } from "../core/code.js";
import type { BackupModel } from "../core/rollback-model.js";
import type { Report } from "../core/report.js";
import type { ToolModel } from "../core/skill-model.js";
import type { EmitInput } from "./binding-emission.js";
import { callerRoot } from "./caller-root.js";
import {
  parseTemplate,
  type TemplateLanguage,
  type TextTemplate,
  textNode,
} from "./text-template.js";

/** How writes of a kind change files. */
export type FileChanges<Config extends object = object> = NamedChanges | UnknownChanges<Config>;

/**
 * The binding names each file before it changes the file. A write has the rollback `backup` if its
 * author says nothing.
 */
interface NamedChanges {
  readonly namesFiles: true;
}

/** Only the author knows which files a call changes. A write must say how it is undone. */
interface UnknownChanges<Config extends object> {
  readonly namesFiles: false;
  /** Returns why a call can't run over a layer; undefined if it can. */
  noLayer(config: Config): { readonly message: string; readonly help: string } | undefined;
  /** Checks the paths of `backup`. */
  checkPaths(tool: ToolModel, config: Config, paths: readonly BackupPath[], report: Report): void;
  /** Code of each path of `backup`, in a function of `p` and `caller`. */
  pathCodes(input: EmitInput<Config>, paths: readonly BackupPath[]): readonly Code[];
}

/** A file or folder to copy, as its author wrote it. */
export type BackupPath = TextTemplate<"caller">;

const language: TemplateLanguage<"caller"> = {
  kind: "rollback",
  roots: [callerRoot],
  hasTokens: true,
};

/** Reads the paths of `backup`. */
export function readBackupPaths({ paths }: BackupModel, report: Report): readonly BackupPath[] {
  return paths.flatMap((each) => {
    const node = textNode(each);
    return node ? [parseTemplate(node, language, report)] : [];
  });
}
