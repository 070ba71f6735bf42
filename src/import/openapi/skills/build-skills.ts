/** Builds the skills of an API as data: the tools of each skill, and their texts. */
import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import { groupBy } from "../../../core/group-by.js";
import { portableName } from "../../../core/names.js";
import { compareText } from "../../../core/report.js";
import { sentPath } from "../fragments.js";
import type { Api, Operation, ParameterPlace, Server } from "../model.js";
import type { Note } from "../note.js";
import type { Documents } from "../read/documents.js";
import { type Component, createComponents } from "./components.js";
import { defaultInWords } from "./default-in-words.js";
import { settingName, skillName, toolNames } from "./names.js";
import { draftAnswers } from "./draft-answers.js";
import {
  type AuthContext,
  draftAuth,
  type AuthDraft,
  type SchemeDraft,
  settingsOf,
  withoutProofs,
} from "./draft-auth.js";
import { fieldsIn, draftRequest } from "./draft-request.js";
import { longestDescription } from "../../skills/print-files.js";
import { cut, oneLine, prose } from "../../skills/texts.js";
import { toBinding } from "./to-binding.js";
import { createTokenUrls } from "./token-urls.js";

export interface BuildOptions {
  /** Name of the API in settings and shared schemas. */
  readonly name: string;
  /** Name of one skill for all operations; by default, tags decide. */
  readonly skill?: string;
  /** Form of 64-bit integers; numbers if absent. */
  readonly int64?: string;
  /** Prefix of each skill's name from a tag. */
  readonly prefix: string;
  /** Names of operations from the last import: `GET /pets` to `pets/list-pets`. */
  readonly known: ReadonlyMap<string, string>;
  /** Token endpoints that the last import wrote as literals, by the setting of their client's id. */
  readonly literalTokenUrls: ReadonlyMap<string, string>;
}

export interface BuiltSkill {
  readonly name: string;
  /** Description of the tag, or of the API. */
  readonly tag?: string;
  readonly auth: AuthDraft;
  readonly tools: readonly BuiltTool[];
}

export interface BuiltTool {
  readonly name: string;
  readonly operation: Operation;
  /** Absent if the skill's authentication applies. */
  readonly auth?: AuthDraft;
  readonly tool: JsonObject;
  readonly hasPages: boolean;
}

export interface Outcome {
  readonly operation: Operation;
  readonly skill?: string;
  readonly tool?: string;
  readonly notes: readonly Note[];
  /** Parameters that have another name in the tool than in the API. */
  readonly renamed?: readonly RenamedParameter[];
  /** All parameters of the tool that a caller gives. */
  readonly names?: readonly PlacedName[];
  /** Reason why there is no tool. */
  readonly obstacle?: Note;
}

export interface RenamedParameter {
  /** Name in the API. */
  readonly from: string;
  /** Name in the tool. */
  readonly to: string;
}

/** Names of a parameter, with its place in the request. */
export interface PlacedName extends RenamedParameter {
  /** `body` has an empty name in the API if the parameter is the whole body. */
  readonly in: ParameterPlace | "body";
}

export interface Setting {
  readonly name: string;
  /** Example value from the document: the address of a server. */
  readonly example?: string;
}

export interface BuiltApi {
  readonly skills: readonly BuiltSkill[];
  readonly components: readonly Component[];
  /** Folder of schemas, below the skills folder: `schemas/petstore`, `pets/schemas`. */
  readonly schemaFolder: string;
  readonly outcomes: readonly Outcome[];
  readonly notes: readonly Note[];
  readonly settings: readonly Setting[];
  readonly tokenEndpoints: readonly TokenEndpoint[];
}

/** An endpoint that receives a client secret. */
export interface TokenEndpoint {
  /** URL as the skill writes it. */
  readonly tokenUrl: string;
  /** Address in the document. */
  readonly documented: string;
  /** Settings whose values are sent to the endpoint. */
  readonly credentials: readonly string[];
}

/** Folder of the schemas of one skill for all operations, as its tools refer to it. */
export const ownSchemas = "./schemas/";

export function buildSkills(
  api: Api,
  chosen: readonly Operation[],
  documents: Documents,
  options: BuildOptions,
): BuiltApi {
  const { name, prefix, skill: only } = options;
  const components = createComponents(documents, options.int64);
  const bySkill = groupBy(chosen, (operation) => only ?? skillName(operation, name, prefix));
  const schemaFolder = only === undefined ? `schemas/${name}` : `${only}/schemas`;
  const servers = createServers(api, name, documents.root.at.document.uri);
  const tokenUrls = createTokenUrls(servers.api, options.literalTokenUrls);
  const context = {
    auth: { schemes: api.schemes, given: api.givenSchemes ?? new Map(), name, tokenUrls },
    components,
    folder: only === undefined ? `../${schemaFolder}/` : ownSchemas,
    servers,
  };
  const authNotes: Note[] = [];
  const skillAuth = draftAuth(api.security, context.auth, (note) => void authNotes.push(note));
  const skills: BuiltSkill[] = [];
  const outcomes = new Map<Operation, Outcome>();
  const used = new Set<string>();
  for (const [skill, operations] of [...bySkill].toSorted(([a], [b]) => compareText(a, b))) {
    const usable = operations.filter((operation) => operation.obstacle === undefined);
    const known = new Map(
      [...options.known].flatMap(([key, id]) =>
        id.startsWith(`${skill}/`) ? [[key, id.slice(skill.length + 1)] as const] : [],
      ),
    );
    const names = toolNames(skill, usable, known);
    const tools = usable.flatMap((operation, index) => {
      const built = buildTool(operation, skillAuth, context);
      const tool = names[index] ?? "";
      const { names: placed, notes, obstacle, renamed, uses } = built;
      if (obstacle !== undefined) {
        outcomes.set(operation, { operation, notes, obstacle });
        return [];
      }
      for (const each of uses) used.add(each);
      outcomes.set(operation, { operation, skill, tool, notes, renamed, names: placed });
      return [{ name: tool, operation, ...built }];
    });
    if (tools.length > 0) {
      const tag = only === undefined ? operations[0]?.tags[0] : undefined;
      skills.push({ name: skill, ...(tag !== undefined && { tag }), auth: skillAuth, tools });
    }
  }
  const needed = components.closure(used);
  return {
    skills,
    components: needed.components.toSorted((a, b) => compareText(a.name, b.name)),
    schemaFolder,
    outcomes: chosen.map((operation) => outcomes.get(operation) ?? leftOut(operation)),
    notes: [...authNotes, ...tokenUrls.notes(), ...components.notes()],
    settings: settingsIn(skills, servers.used()),
    tokenEndpoints: tokenEndpointsIn(skills),
  };
}

function leftOut(operation: Operation): Outcome {
  const { notes, obstacle } = operation;
  return { operation, notes, ...(obstacle && { obstacle }) };
}

interface ToolContext {
  readonly auth: AuthContext;
  readonly components: ReturnType<typeof createComponents>;
  readonly folder: string;
  readonly servers: Servers;
}

interface ToolBuild {
  readonly auth?: AuthDraft;
  readonly tool: JsonObject;
  readonly notes: readonly Note[];
  readonly obstacle?: Note;
  readonly uses: ReadonlySet<string>;
  readonly renamed: readonly RenamedParameter[];
  readonly names: readonly PlacedName[];
  readonly hasPages: boolean;
}

function buildTool(
  operation: Operation,
  skillAuth: AuthDraft,
  { auth: authContext, components, folder, servers }: ToolContext,
): ToolBuild {
  const notes: Note[] = [...operation.notes];
  const note = (each: Note): void => void notes.push(each);
  const context = { components, folder, note };
  const auth = operation.security && draftAuth(operation.security, authContext, note);
  const proofs = auth ?? skillAuth;
  const parameters = withoutProofs(operation.parameters, proofs, note);
  const request = draftRequest({ ...operation, parameters }, proofs, context);
  const answers = draftAnswers(operation, context);
  const uses = new Set([...request.uses, ...answers.uses]);
  const { broken } = components.closure(uses);
  const isOwnAuth = auth !== undefined && JSON.stringify(auth) !== JSON.stringify(skillAuth);
  const obstacle = request.broken ?? answers.broken ?? broken;
  const binding = toBinding({
    method: operation.method,
    path: sentPath(operation),
    server: servers.settingOf(operation),
    request,
    answers,
    ...(isOwnAuth && { auth }),
  });
  const tool: Record<string, JsonValue> = { description: describe(operation, note) };
  if (operation.isDeprecated) tool["deprecated"] = true;
  tool["parameters"] = parametersOf(request);
  if (answers.returns !== undefined) tool["returns"] = answers.returns;
  tool["binding"] = binding;
  return {
    ...(isOwnAuth && { auth }),
    tool,
    notes,
    uses,
    renamed: renamedIn(request),
    names: namesIn(request),
    hasPages: binding["paginate"] !== undefined,
    ...(obstacle && { obstacle }),
  };
}

function describe(operation: Operation, note: (note: Note) => void): string {
  const { at, description = "", method, path, summary = "" } = operation;
  const [short, long] = [oneLine(summary), prose(description)];
  const repeats = long.startsWith(short.replace(/\.$/, ""));
  const all = [...(repeats ? [] : [short]), long].filter((each) => each !== "").join("\n\n");
  const words = all === "" ? (idWords(operation.id) ?? `${method} ${oneLine(path)}`) : all;
  if (words.length > longestDescription)
    note({
      code: "import/taken-otherwise",
      at,
      message: `the import cuts the description to ${longestDescription} characters, the most that a model gets`,
    });
  return cut(words, longestDescription);
}

/** Converts an operation's id to words: `createPet` to `Create pet`. */
function idWords(id: string | undefined): string | undefined {
  const words = id === undefined ? undefined : portableName(id)?.replaceAll("-", " ");
  return words === undefined ? undefined : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function parametersOf({ body, placed }: ReturnType<typeof draftRequest>): JsonObject {
  const all = [...placed.filter(({ constant }) => constant === undefined), ...fieldsIn(body)];
  const required = all.filter((each) => each.isRequired).map((each) => each.name);
  const properties: Record<string, JsonValue> = {};
  for (const { name, schema, sendsDefault } of all)
    setOwn(properties, name, sendsDefault ? schema : defaultInWords(schema));
  return {
    type: "object",
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    ...(all.length > 0 && { properties }),
  };
}

function renamedIn({ body, placed }: ReturnType<typeof draftRequest>): readonly RenamedParameter[] {
  // The import chose the name `body` of a whole body, so the API has no other name for it.
  const fields = body !== undefined && "fields" in body ? body.fields : [];
  return [...placed.filter(({ constant }) => constant === undefined), ...fields].flatMap(
    ({ name, wire }) => (name === wire ? [] : [{ from: wire, to: name }]),
  );
}

function namesIn({ body, placed }: ReturnType<typeof draftRequest>): readonly PlacedName[] {
  const isWhole = body !== undefined && !("fields" in body);
  return [
    ...placed
      .filter(({ constant }) => constant === undefined)
      .map(({ name, source, wire }) => ({ in: source.in, from: wire, to: name })),
    ...fieldsIn(body).map(({ name, wire }) => ({
      in: "body" as const,
      from: isWhole ? "" : wire,
      to: name,
    })),
  ];
}

interface Servers {
  /** Server of the API itself. */
  readonly api: { readonly use: () => string; readonly address?: string };
  settingOf(operation: Operation): string;
  used(): readonly Setting[];
}

/**
 * Assigns settings to servers. The API's own server has the first one. Another server that
 * operations name has its own.
 *
 * @param base address of the document, from which servers may be relative
 */
function createServers({ servers }: Api, name: string, base: string): Servers {
  const used = new Map<string, Setting>();
  const usual: Setting = {
    name: settingName(name, "url"),
    ...exampleOf(servers, base),
  };
  const use = (setting: Setting): string => {
    used.set(setting.name, setting);
    return setting.name;
  };
  return {
    api: {
      use: () => use(usual),
      ...(usual.example !== undefined && { address: usual.example }),
    },
    used: () => [...used.values()],
    settingOf(operation) {
      const [own] = operation.servers;
      if (own === undefined || own.url === servers[0]?.url) return use(usual);
      return use({
        name: settingName(name, hostOf(own.url), "url"),
        ...exampleOf(operation.servers, base),
      });
    },
  };
}

/**
 * Returns the word that distinguishes a host from others of the API: `uploads` of
 * `uploads.github.com`.
 */
function hostOf(url: string): string {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/:]+)/i.exec(url)?.[1];
  return host === undefined ? url : (host.split(".")[0] ?? host);
}

function exampleOf([first]: readonly Server[], base: string): { readonly example?: string } {
  const isPage = /^https?:/.test(base);
  if (first === undefined && !isPage) return {};
  const url = first?.url ?? "";
  return { example: oneLine(isPage ? addressFrom(base, url) : url) };
}

/**
 * Address of a server in a document that was fetched from the web, resolved against its URL.
 * Without servers, the address is `/`.
 */
function addressFrom(base: string, url: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\{)/i.test(url) || !URL.canParse(url, base)) return url;
  const { origin, pathname } = new URL(url === "" ? "/" : url, base);
  const path = pathname.replaceAll("%7B", "{").replaceAll("%7D", "}");
  return `${origin}${path}`.replace(/\/+$/, "");
}

function authIn(skills: readonly BuiltSkill[]): AuthDraft {
  return skills.flatMap(({ auth, tools }) => [
    ...auth,
    ...tools.flatMap((tool) => tool.auth ?? []),
  ]);
}

function settingsIn(
  skills: readonly BuiltSkill[],
  servers: readonly Setting[],
): readonly Setting[] {
  const auth = authIn(skills);
  const addresses = new Map(
    auth.filter(isOAuth2).map(({ tokenUrl }) => [tokenUrl.ownSetting, tokenUrl.address]),
  );
  const own = [...new Set(settingsOf(auth))].toSorted(compareText).map((each) => {
    const example = addresses.get(each);
    return { name: each, ...(example !== undefined && { example: oneLine(example) }) };
  });
  return [...servers, ...own];
}

function isOAuth2(scheme: SchemeDraft): scheme is Extract<SchemeDraft, { kind: "oauth2" }> {
  return scheme.kind === "oauth2";
}

function tokenEndpointsIn(skills: readonly BuiltSkill[]): readonly TokenEndpoint[] {
  const all = authIn(skills)
    .filter(isOAuth2)
    .map(({ clientId, clientSecret, refreshToken, tokenUrl }): TokenEndpoint => ({
      tokenUrl: tokenUrl.text,
      documented: oneLine(tokenUrl.address),
      credentials: [clientId, clientSecret, ...(refreshToken === undefined ? [] : [refreshToken])],
    }));
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}
