/** Reads and checks the arguments of the functions that offer tools. */
import { type Caller, currentCaller } from "../caller.js";
import { defaultRuntime, isRuntime, type Runtime } from "../runtime.js";
import { near } from "./near-names.js";
import { type OfferFilter, type OfferFilters, prepareOffer } from "./offer-filter.js";

/** Options of `offerTools` and `offerKnowledge`. */
export interface OfferOptions<SkillName extends string = string> extends OfferFilters {
  /** Runtime of the calls; the configured one by default. */
  readonly runtime?: Runtime;
  /** Names of the skills to offer, if available; all skills by default. */
  readonly skills?: readonly SkillName[];
  /**
   * True if schemas contain `$schema` and `$id`; true by default. Some models' APIs reject them.
   */
  readonly schemaIds?: boolean;
  /**
   * Maximum size of the schema of each tool as JSON, in bytes. A larger schema is offered with less
   * content: without descriptions, then without the content of optional properties. The part that a
   * call needs always stays.
   */
  readonly maxBytes?: number;
  /** Caller for whom the model asks. It overrides `withCaller`. */
  readonly caller?: Caller;
}

/** Options with their defaults. */
export interface ReadOptions {
  readonly runtime: Runtime;
  /** Names of skills; undefined for all. */
  readonly skills: readonly string[] | undefined;
  readonly schemaIds: boolean;
  /** Maximum size of the schema of each tool, in bytes. */
  readonly maxBytes: number;
  readonly caller: Caller | undefined;
  readonly filter: OfferFilter;
}

/** The part of a catalog that is checked against the options. */
interface NamedSkills {
  readonly skills: readonly { readonly name: string }[];
}

/**
 * Checks the arguments, also of JavaScript callers, who may pass handlers as options or `tools` as
 * the catalog.
 *
 * @param asker name of the called function, for messages
 * @throws TypeError if an argument is not valid, or names an unknown skill
 */
export function readOffer(
  asker: string,
  catalog: NamedSkills,
  options: Runtime | OfferOptions,
): ReadOptions {
  requireCatalog(asker, catalog);
  const read = readOptions(asker, options);
  for (const name of read.skills ?? []) requireSkill(name, catalog);
  return read;
}

function requireCatalog(asker: string, catalog: unknown): void {
  const isCatalog = typeof catalog === "object" && catalog !== null && "skills" in catalog;
  if (isCatalog && Array.isArray(catalog.skills)) return;
  throw new TypeError(
    `the first argument of \`${asker}\` must be the \`catalog\` of generated/index.ts`,
  );
}

function readOptions(asker: string, options: Runtime | OfferOptions): ReadOptions {
  if (isRuntime(options)) return readOptions(asker, { runtime: options });
  if (typeof options === "object" && !Array.isArray(options)) {
    const { runtime = defaultRuntime(), schemaIds = true, skills, ...more } = { ...options };
    const { caller, effect, maxBytes = Infinity, model, risk, tags, text, ...others } = more;
    const isKnown = isRuntime(runtime) && Object.keys(others).length === 0;
    if (!(typeof maxBytes === "number" && maxBytes > 0))
      throw new TypeError(`\`${asker}\`: \`maxBytes\` must be a number of bytes`);
    if (isKnown && (skills === undefined || Array.isArray(skills))) {
      const filter = prepareOffer(asker, { effect, model, risk, tags, text });
      const whose = caller ?? currentCaller() ?? runtime.caller;
      return { runtime, skills, schemaIds, maxBytes, caller: whose, filter };
    }
  }
  throw new TypeError(
    `the second argument of \`${asker}\` must be a runtime from \`createRuntime\` or \`configure\`, or \`{ runtime, skills, schemaIds, maxBytes, caller, tags, risk, effect, text, model }\``,
  );
}

function requireSkill(name: unknown, { skills }: NamedSkills): void {
  const names = skills.map((each) => each.name);
  if (names.some((each) => each === name)) return;
  const [nearest] = near(String(name), names);
  const help = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  throw new TypeError(`the catalog has no skill \`${String(name)}\`${help}`);
}
