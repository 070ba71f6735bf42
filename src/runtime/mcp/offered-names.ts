import { offerEntries } from "../model/offer-entries.js";
import { offerOptions } from "./offer-options.js";
import type { Connection } from "./served.js";

/** Returns the names of the project's tools that the client may call. */
export async function namesFor(connection: Connection): Promise<readonly string[]> {
  const { catalog } = connection.served;
  const entries = await offerEntries(catalog, offerOptions(connection));
  return entries.map(({ offered }) => offered.name);
}
