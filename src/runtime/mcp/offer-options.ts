import { readOffer } from "../model/offer-options.js";
import type { EntryOptions } from "../model/offered-entry.js";
import type { Connection } from "./served.js";

/**
 * Returns the options by which tools are offered to a client. Only a client on this machine may
 * name files of this machine.
 */
export function offerOptions({ client, served }: Connection): EntryOptions {
  const { catalog, runtime } = served;
  const options = { runtime, caller: client.caller, schemaIds: false };
  return {
    ...readOffer("createMcpServer", catalog, options),
    keys: "required",
    ...(client.door !== "stdio" && { files: "content-only" }),
  };
}
