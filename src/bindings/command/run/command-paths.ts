/** The paths of a command, before anybody decides about its call. */
import { resolve } from "node:path";
import { temporaryOwner } from "../../../runtime/call/temporary-owner.js";
import { type PathRules, realFolder, usedPath } from "../../../runtime/files/judged-path.js";
import type { Attempt } from "../../../runtime/call/attempt.js";
import type { CallIdentity, CallPaths } from "../../../runtime/call/binding.js";
import { temporaryFolders } from "../../../runtime/files/temporary-folders.js";
import { openText } from "../../../runtime/values/text.js";
import { PathArgument, ScriptArgument } from "./arguments.js";
import type { CommandContract } from "./contract.js";
import { credentialsOf, type SealedCommand, type SealedText, shownText } from "./sealed-command.js";

/** Returns the files and folders that the arguments of a command name. */
export function pathsOfCommand(
  sealed: SealedCommand,
  contract: Pick<CommandContract<never>, "temporary" | "within">,
  call: CallIdentity,
): CallPaths {
  const { args, cwd, read, write } = sealed;
  const paths = args.flatMap((each) =>
    each instanceof ScriptArgument ? [] : each.filter((part) => part instanceof PathArgument),
  );
  return {
    settings: credentialsOf({ ...sealed, args: [], env: [], stdin: undefined }),
    resolve(place) {
      const open = (text: SealedText): string => openedText(text, place);
      const { directory } = place;
      const base = realFolder(resolve(directory, cwd === undefined ? "." : open(cwd)));
      const folders = new Map([...read, ...write].map((each) => [open(each), shownText(each)]));
      const rules = rulesOf(sealed, contract, call, place);
      const named = (path: string) =>
        usedPath(
          { opened: path, shown: path },
          { base, access: "read", rules },
          (folder) => folders.get(folder) ?? folder,
        );
      return {
        used: paths.map(({ path }) => named(path)),
        parameters: new Map(paths.map(({ pointer, value }) => [pointer, named(value).path])),
      };
    },
  };
}

/** Returns a text with the values of its settings. */
export function openedText(text: SealedText, { open }: Pick<Attempt, "open">): string {
  return openText(text, ({ name }) => open(name));
}

/** Returns the folders that bound the paths of a command. */
export function rulesOf(
  { read, write }: SealedCommand,
  { temporary, within }: Pick<CommandContract<never>, "temporary" | "within">,
  call: CallIdentity,
  place: Pick<Attempt, "directory" | "open">,
): PathRules {
  const { directory } = place;
  const own = temporary && temporaryFolders(temporaryOwner(call, directory));
  return {
    directory,
    read: read.map((each) => openedText(each, place)),
    write: write.map((each) => openedText(each, place)),
    outer: within,
    temporary: own?.map(({ path }) => path),
  };
}
