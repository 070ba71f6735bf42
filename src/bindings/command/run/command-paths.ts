/** The paths of a command, before anybody decides about its call. */
import { resolve } from "node:path";
import { temporaryOwner } from "../../../runtime/call/temporary-owner.js";
import { realFolder, usedPath } from "../../../runtime/files/judged-path.js";
import type { Attempt } from "../../../runtime/call/attempt.js";
import type { CallIdentity, CallPaths } from "../../../runtime/call/binding.js";
import { temporaryFolders, type TemporaryPlace } from "../../../runtime/files/temporary-folders.js";
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
      const rules = {
        directory,
        read: read.map(open),
        write: write.map(open),
        outer: contract.within,
        temporary: temporaryOf(contract, call, directory)?.map(({ path }) => path),
      };
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

/**
 * Returns the temporary folders of a call; undefined if its tool may not use them.
 *
 * @param directory the project's folder
 */
export function temporaryOf(
  { temporary }: Pick<CommandContract<never>, "temporary">,
  call: CallIdentity,
  directory: string,
): readonly TemporaryPlace[] | undefined {
  return temporary && temporaryFolders(temporaryOwner(call, directory));
}
