import { near } from "./near-names.js";
import { defaultRuntime, isRuntime, type Runtime } from "../runtime.js";

/** What of a catalogue is offered, and how. */
export interface OfferOptions<SkillName extends string = string> {
  /** Instead of the configured one. */
  readonly runtime?: Runtime;
  /** Only these skills of the catalogue, as far as they are available. All of them when not given. */
  readonly skills?: readonly SkillName[];
  /** False leaves `$schema` and `$id` out of the schemas, for a model's API that refuses them. True by default. */
  readonly schemaIds?: boolean;
}

/** Options, with what holds where nothing is said. */
export interface ReadOptions {
  readonly runtime: Runtime;
  /** All when undefined. */
  readonly skills: readonly string[] | undefined;
  readonly schemaIds: boolean;
}

/** As much of a catalogue as options are held against. */
interface NamedSkills {
  readonly skills: readonly { readonly name: string }[];
}

/**
 * What callers in JavaScript may get wrong too: a map of handlers for options, the `tools` of generated/index.ts for its `catalog`.
 *
 * @param caller the function that was called, for messages
 * @throws TypeError for anything but a catalogue, and a runtime or options; and for a skill that the catalogue doesn't have
 */
export function readOffer(
  caller: string,
  catalog: NamedSkills,
  options: Runtime | OfferOptions,
): ReadOptions {
  requireCatalog(caller, catalog);
  const read = readOptions(caller, options);
  for (const name of read.skills ?? []) requireSkill(name, catalog);
  return read;
}

function requireCatalog(caller: string, catalog: unknown): void {
  const isCatalog = typeof catalog === "object" && catalog !== null && "skills" in catalog;
  if (isCatalog && Array.isArray(catalog.skills)) return;
  throw new TypeError(`\`${caller}\` takes the \`catalog\` of generated/index.ts first`);
}

function readOptions(caller: string, options: Runtime | OfferOptions): ReadOptions {
  if (isRuntime(options)) return { runtime: options, skills: undefined, schemaIds: true };
  if (typeof options === "object" && !Array.isArray(options)) {
    const { runtime = defaultRuntime(), schemaIds = true, skills, ...others } = { ...options };
    const isKnown = isRuntime(runtime) && Object.keys(others).length === 0;
    if (isKnown && (skills === undefined || Array.isArray(skills)))
      return { runtime, skills, schemaIds };
  }
  throw new TypeError(
    `\`${caller}\` takes second a runtime, which \`createRuntime\` and \`configure\` give, or \`{ runtime, skills, schemaIds }\``,
  );
}

function requireSkill(name: unknown, { skills }: NamedSkills): void {
  const names = skills.map((each) => each.name);
  if (names.some((each) => each === name)) return;
  const [nearest] = near(String(name), names);
  const help = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  throw new TypeError(`the catalogue has no skill \`${String(name)}\`${help}`);
}
