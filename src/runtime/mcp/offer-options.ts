import { type ReadOptions, readOffer } from "../model/offer-options.js";
import type { Connection } from "./served.js";

/** Returns the options by which tools are offered to a client. */
export function offerOptions({ client, served }: Connection): ReadOptions {
  const { catalog, runtime } = served;
  return readOffer("createMcpServer", catalog, {
    runtime,
    caller: client.caller,
    schemaIds: false,
  });
}
