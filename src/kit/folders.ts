/** Folders that bound the paths of a tool, for commands and files: their rules, code and reach. */
import type { Capability } from "@skillc/runtime";
import { fileReach, temporaryReach, temporaryWord } from "@skillc/runtime/internal";
import { at, type Code, code, join, literal } from "../core/code.js";
import { quote } from "../core/names.js";
import { credentialsIn } from "./coverage.js";
import {
  literalText,
  loneParameter,
  type ParameterPart,
  type TextTemplate,
  valueName,
} from "./text-template.js";
import { type CheckContext, reportParameter } from "./values/check-value.js";
import {
  credentialCode,
  partsCode,
  referencePointer,
  type RequestScope,
  templateCode,
  valuePartCode,
} from "./values/emit-value.js";

/** Text of a folder. */
export type FolderText = TextTemplate<"caller">;

/**
 * Returns whether an entry of `allowed_paths` stands for the temporary folders of the call's plan,
 * parent or trace. No parameter may be there, so a parameter can have this name.
 */
export function isTemporary(folder: FolderText): boolean {
  const only = loneParameter(folder);
  return only !== undefined && isPlain(only) && `{${valueName(only)}}` === temporaryWord;
}

function isPlain({ extent, optional }: ParameterPart): boolean {
  return extent === undefined && optional === undefined;
}

/** Checks a folder, which is the same for every call of a tenant: `<kind>/bad-folder`. */
export function checkFolder(place: CheckContext, folder: FolderText): void {
  for (const part of folder.parts)
    if (part.kind === "parameter" && part.path[0] === "temporary")
      place.report.add({
        code: `${place.kind}/bad-folder`,
        span: part.span,
        message: `${quote(temporaryWord)} is only a whole entry of \`allowed_paths\``,
        help: `write ${quote(`allowed_paths: ["${temporaryWord}"]`)}, and the folder's \`path\` comes from the tool that makes it`,
      });
    else if (part.kind === "parameter")
      reportParameter(
        place,
        "bad-folder",
        part,
        "is a parameter, but a folder bounds what parameters can reach",
        "write a fixed folder, `${NAME}` or `{caller.tenant}`",
      );
  if (literalText(folder) !== "") return;
  place.report.add({
    code: `${place.kind}/bad-folder`,
    span: folder.span,
    message: "this folder has no name",
    help: "write a path such as `./workspace`",
  });
}

/** Code of a folder; a function of `caller` if the folder depends on the caller. */
export function folderCode(scope: RequestScope, template: FolderText): Code {
  const path = folderTextCode(scope, template);
  const isOfCaller = template.parts.some(({ kind }) => kind === "root");
  return isOfCaller ? at(template.span, code`(caller) => ${path}`) : path;
}

/** Code of a folder's path. A field of the caller is one step of it. */
export function folderTextCode(scope: RequestScope, template: FolderText): Code {
  const [only] = template.parts;
  if (template.parts.length === 1 && only?.kind === "credential")
    return at(template.span, credentialCode(scope, only.name));
  if (!template.parts.some(({ kind }) => kind === "root"))
    return at(template.span, templateCode(scope, template));
  const parts = partsCode(
    scope,
    template,
    (part) =>
      code`${scope.runtime("segment")}(${literal(referencePointer(part))}, ${valuePartCode(scope, part)})`,
  );
  return at(template.span, code`${scope.runtime("text")}(${join(parts, code`, `)})`);
}

/** Returns the capability of a folder, as the catalog shows it. */
export function folderCapability(access: "read" | "write", { parts }: FolderText): Capability {
  const written = parts
    .map((part) => {
      if (part.kind === "literal") return part.text;
      return part.kind === "credential" ? `\${${part.name}}` : `{${valueName(part)}}`;
    })
    .join("");
  const [capability = ""] = fileReach(access, written).capabilities;
  const names = credentialsIn(parts).map(({ name }) => name);
  return { capability, credentials: [...new Set(names)].toSorted() };
}

/** Returns the capability of the temporary folders. */
export function temporaryCapability(): Capability {
  const [capability = ""] = temporaryReach().capabilities;
  return { capability, credentials: [] };
}
