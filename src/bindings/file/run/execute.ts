/** Makes the binding of a file tool. Each operation is a file of `operations`. */
import { temporaryOwner } from "../../../runtime/call/temporary-owner.js";
import { boundCaller, type BoundCaller } from "../../../runtime/caller.js";
import { refusalFor } from "../../../runtime/files/change-file.js";
import { temporaryFolders } from "../../../runtime/files/temporary-folders.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import { fileReach, type Reach, temporaryReach } from "../../../runtime/reach.js";
import type { AnyResult } from "../../../runtime/result.js";
import type { Attempt, AttemptOutcome } from "../../../runtime/call/attempt.js";
import type { Binding, CallIdentity, PreparedCall } from "../../../runtime/call/binding.js";
import { type Folder, type FileContract, statusesOf } from "./contract.js";
import { describeFile } from "./describe.js";
import { type FileAttempt, fileFault, unavailable, waitOf } from "./file-attempt.js";
import { FilePath, folderPath } from "./file-path.js";
import { judging, type JudgingRules } from "./judging.js";
import { appendFile } from "./operations/append.js";
import { deleteFile } from "./operations/delete.js";
import { listFolder } from "./operations/list.js";
import { moveFile } from "./operations/move.js";
import { patchFile } from "./operations/patch.js";
import { readFile } from "./operations/read.js";
import { statFile } from "./operations/stat.js";
import { makeTemporary } from "./operations/temporary.js";
import { writeFile } from "./operations/write.js";
import { accessOf, contentOf, type FileCall, requestOf } from "./request.js";

/**
 * Makes the binding of a file tool from its contract.
 *
 * @typeParam Result the tool's result. The contract is data, so only the compiler that wrote both
 * makes sure that its statuses match this type. If left out, the binding fits any tool.
 */
export function file<Arguments, Result extends AnyResult = never>(
  contract: FileContract<Arguments>,
): Binding<Arguments, Result> {
  return {
    kind: "file",
    paths(args, call) {
      const { credentials, folders, request } = callOf(contract, args, boundCaller(call));
      return {
        settings: credentials,
        resolve: (place) =>
          judging(folders, rulesOf(contract, call, place), place).resolve(pathsOf(request)),
      };
    },
    prepare(args, call) {
      const caller = boundCaller(call);
      const { credentials, folders, request } = callOf(contract, args, caller);
      const content = contentOf(request, contract);
      const describe = (shown: FileCall): JsonValue =>
        // A `FileRecord` is JSON.
        describeFile(shown, content, contract) as unknown as JsonValue;
      const prepared: PreparedCall<AnyResult> = {
        credentials,
        reach: (open) => [
          ...reachOf(request, folders, open),
          ...(usesTemporary(contract) ? [temporaryReach()] : []),
        ],
        describe: () => describe(request),
        // Only the content is masked by the kind, and the description has none.
        describeMasked: (masked) => describe(requestOf(contract, masked as Arguments, caller)),
        send: (attempt) =>
          execute({
            request,
            content,
            contract,
            attempt,
            wait: waitOf(attempt),
            owner: temporaryOwner(call, attempt.directory),
            judge: judging(folders, rulesOf(contract, call, attempt), attempt),
          }),
      };
      // Safe for the reason given at `@typeParam Result`.
      return prepared as PreparedCall<Result>;
    },
  };
}

function usesTemporary({ operation, temporary }: FileContract<never>): boolean {
  return operation === "temporary" || temporary === true;
}

function rulesOf(
  { operation, temporary, within }: FileContract<never>,
  call: CallIdentity,
  { directory }: Pick<Attempt, "directory">,
): JudgingRules {
  const own = temporary && temporaryFolders(temporaryOwner(call, directory));
  return {
    access: accessOf(operation),
    within,
    temporary: own?.map(({ path }) => path),
  };
}

function callOf<Arguments>(
  contract: FileContract<Arguments>,
  args: Arguments,
  caller: BoundCaller,
) {
  const request = requestOf(contract, args, caller);
  const folders = contract.allowed.map((each) => folderOf(each, caller));
  return { request, folders, credentials: credentialsOf([...pathsOf(request), ...folders]) };
}

function folderOf(folder: Folder, caller: BoundCaller): FilePath {
  return folderPath(typeof folder === "function" ? folder(caller) : folder);
}

/** Returns the paths of a request. */
function pathsOf(request: FileCall): readonly FilePath[] {
  return Object.values(request.value).filter((each): each is FilePath => each instanceof FilePath);
}

function credentialsOf(paths: readonly FilePath[]): readonly string[] {
  return [...new Set(paths.flatMap((each) => each.credentials))];
}

/** Returns the folders that a call may reach: all folders of the tool. */
function reachOf(
  request: FileCall,
  folders: readonly FilePath[],
  open: ((name: string) => string) | undefined,
): readonly Reach[] {
  const access = accessOf(request.operation);
  return folders.map((each) =>
    fileReach(access, open === undefined ? each.shown() : each.opened(open)),
  );
}

async function execute(call: FileAttempt): Promise<AttemptOutcome<AnyResult>> {
  const { attempt } = call;
  try {
    return { result: await perform(call) };
  } catch (error) {
    const status = refusalFor(error);
    const known: readonly string[] = statusesOf[call.request.operation];
    if (status !== undefined && known.includes(status)) return { result: fileFault(status) };
    throw unavailable(attempt.tool, error) ?? error;
  }
}

function perform(call: FileAttempt): Promise<AnyResult> {
  const { request } = call;
  switch (request.operation) {
    case "read":
      return readFile(request.value, call);
    case "list":
      return listFolder(request.value, call);
    case "stat":
      return statFile(request.value, call);
    case "write":
      return writeFile(request.value, call);
    case "append":
      return appendFile(request.value, call);
    case "move":
      return moveFile(request.value, call);
    case "delete":
      return deleteFile(request.value, call);
    case "patch":
      return patchFile(request.value, call);
    case "temporary":
      return makeTemporary(request.value, call);
  }
}
