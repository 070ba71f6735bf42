import { usableSkills } from "../model/offer-entries.js";
import type { McpSkill } from "./mcp-data.js";
import { offerOptions } from "./offer-options.js";
import type { Connection } from "./served.js";

/** Returns the derived skills that have a tool which the client may call, or no tools. */
export async function visibleSkills(connection: Connection): Promise<readonly McpSkill[]> {
  const { catalog, data } = connection.served;
  const usable = await usableSkills(catalog, offerOptions(connection));
  const visible = new Set(usable.map(({ name }) => name));
  return data.skills.filter(({ name }) => visible.has(name));
}
