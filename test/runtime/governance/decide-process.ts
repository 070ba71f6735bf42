/**
 * A process that decides requests in a folder, in their order. Arguments: the folder, `approve` or
 * `deny`, and the number of requests. It prints `ready`, waits for its input to end, then prints
 * each outcome.
 */
import { createFolderStore } from "../../../src/runtime/governance/store/folder/folder-store.js";
import { folderRequest } from "./folder-request.js";
import { approvalOf } from "./request-promises.js";

const [directory = "", action, count = "0"] = process.argv.slice(2);
const store = createFolderStore({ directory });
console.log("ready");
for await (const _ of process.stdin);
for (let at = 0; at < Number(count); at += 1) {
  const request = folderRequest(`r${at}`);
  const outcome =
    action === "approve"
      ? await store.saveApproval(approvalOf(request, `a${at}`))
      : await store.denyRequest(request.id, { by: "joan" });
  console.log(outcome);
}
