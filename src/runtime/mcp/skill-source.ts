/** The derived skills for MCP's Skills extension. Each client sees those whose tools it may call. */
import type { ServerContext } from "@modelcontextprotocol/server";
import {
  skillEntry,
  SkillsExtension,
  type SkillReadResult,
} from "@modelcontextprotocol/server/ext/skills";
import type { McpSkill, McpSkillFile } from "./mcp-data.js";
import { skillUri } from "./skill-uri.js";

/** Returns the skills that the client of a request sees. */
export type SkillsOf = (context: ServerContext) => Promise<readonly McpSkill[]>;

/**
 * Makes the extension, which serves every connection.
 *
 * @param onError receives once why a skill is not listed
 */
export function skillsExtension(
  skillsOf: SkillsOf,
  onError: (error: unknown) => void,
): SkillsExtension {
  const told = new Set<string>();
  // One skill that breaks a rule of the specification must not hide all others.
  const listed = async (skill: McpSkill) => {
    try {
      return await entryOf(skill);
    } catch (error) {
      if (!told.has(skill.name)) onError(error);
      told.add(skill.name);
      return undefined;
    }
  };
  const find = async (uri: string, context: ServerContext) =>
    (await skillsOf(context)).find(({ name }) => uri === skillUri(name));
  return new SkillsExtension({
    cacheHint: { ttlMs: 60_000, cacheScope: "private" },
    source: {
      list: async (_page, context) => ({
        skills: (await Promise.all((await skillsOf(context)).map(listed))).filter(
          (each) => each !== undefined,
        ),
      }),
      get: async (uri, context) => {
        const found = await find(uri, context);
        return found && listed(found);
      },
      read: async (uri, context) => readFileOf(await skillsOf(context), uri),
      listResources: async (context) =>
        (await skillsOf(context)).map(({ description, name }) => ({
          uri: skillUri(name),
          name,
          description,
          mimeType: "text/markdown",
        })),
    },
  });
}

const entries = new WeakMap<McpSkill, ReturnType<typeof skillEntry>>();

/** Returns a skill with the digests of its files, which are computed once. */
function entryOf(skill: McpSkill): ReturnType<typeof skillEntry> {
  const known = entries.get(skill);
  if (known !== undefined) return known;
  const files = skill.files.map((each) => [each.path, contentOf(each)] as const);
  const made = skillEntry(skill.name, Object.fromEntries(files));
  entries.set(skill, made);
  return made;
}

function contentOf({ base64, text }: McpSkillFile): string | Uint8Array {
  return text ?? Buffer.from(base64 ?? "", "base64");
}

/** Finds a file by its whole path, so that no URI leads out of the derived skills. */
function readFileOf(skills: readonly McpSkill[], uri: string): SkillReadResult | undefined {
  const wanted = decoded(uri);
  for (const { files, name } of skills) {
    const file = files.find(({ path }) => wanted === `skill://${name}/${path}`);
    if (file === undefined) continue;
    const { base64, media_type: mimeType, text } = file;
    return text === undefined
      ? { bytes: Buffer.from(base64 ?? "", "base64"), mimeType }
      : { text, mimeType };
  }
  return undefined;
}

/** Decodes a URI, because the SDK escapes other characters than `encodeURI`. */
function decoded(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri);
  } catch {
    return undefined;
  }
}
