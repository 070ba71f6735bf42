import type { ListToolsResult, Tool } from "@modelcontextprotocol/server";
import { type OfferedEntry, offerEntries } from "../model/offer-entries.js";
import { offerOptions } from "./offer-options.js";
import { ownTools } from "./own-tools/own-tools.js";
import { toolData } from "./tool-data.js";
import type { Connection, Served } from "./served.js";
import { skillUri } from "./skill-uri.js";

/** Maximum number of tools in one page. */
const pageSize = 250;

/**
 * Lists the tools that the client may call, by name.
 *
 * @param cursor the last name of the previous page
 */
export async function listTools(
  connection: Connection,
  cursor: string | undefined,
): Promise<ListToolsResult> {
  const all = [...(await projectTools(connection)), ...ownTools(connection.served)];
  const rest = all
    .filter(({ name }) => cursor === undefined || name > cursor)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const tools = rest.slice(0, pageSize);
  const last = tools.at(-1);
  const hasMore = rest.length > tools.length && last !== undefined;
  return { tools, ...(hasMore && { nextCursor: last.name }) };
}

async function projectTools(connection: Connection): Promise<readonly Tool[]> {
  const { served } = connection;
  const entries = await offerEntries(served.catalog, offerOptions(connection));
  return entries.map((entry) => toolOf(entry, connection));
}

/** Dialect of the schemas. Clients of earlier versions of the protocol assume another one. */
const dialect = "https://json-schema.org/draft/2020-12/schema";

/** Making a tool copies its schemas, so the server makes each once for each way. */
function toolOf(entry: OfferedEntry, { client, served }: Connection): Tool {
  const key = `${client.door} ${entry.tool.id}`;
  const known = served.listed.get(key);
  if (known !== undefined) return known;
  const made = makeTool(entry, served);
  served.listed.set(key, made);
  return made;
}

function makeTool({ offered, skill, tool }: OfferedEntry, served: Served): Tool {
  const known = toolData(served.data, tool);
  const title = tool.governance?.display_name;
  return {
    name: offered.name,
    ...(title !== undefined && { title }),
    description: offered.description,
    inputSchema: { $schema: dialect, ...offered.input_schema },
    ...(known !== undefined && { annotations: { ...known.annotations } }),
    ...(known !== undefined &&
      served.listsOutputSchemas && { outputSchema: { type: "object", ...known.output_schema } }),
    _meta: { "skillc/skill": skillUri(skill.name) },
  };
}
