/** Offers the tools and the knowledge of a catalog to a model. */
import type { Runtime } from "../runtime.js";
import type { Catalog, CatalogSkill } from "./catalog.js";
import { offerEntries, usableSkills } from "./offer-entries.js";
import type { OfferedTool } from "./offered-entry.js";
import { type OfferOptions, readOffer } from "./offer-options.js";

/**
 * Returns the tools that can be called here: their skill's prerequisites are met, their credentials
 * and needed handlers exist, and they are not deprecated. If the runtime has governance, the caller
 * must also be allowed to call them, as far as known without arguments. Offering a tool doesn't
 * authorize a call: each call is checked when it is made.
 *
 * @param options a runtime in place of the configured one, or options that may name one
 * @returns the tools, in the catalog's order
 * @throws TypeError if an argument is not valid, or names an unknown skill
 */
export async function offerTools<SkillName extends string>(
  catalog: Catalog<SkillName>,
  options: Runtime | OfferOptions<NoInfer<SkillName>> = {},
): Promise<readonly OfferedTool[]> {
  const entries = await offerEntries(catalog, readOffer("offerTools", catalog, options));
  return entries.map(({ offered }) => offered);
}

/** Explains to the model who wrote the skills, and which tools they are about. */
const preface =
  "These are your skills: instructions from the people who built this application, one section for each skill. " +
  "The names of a skill's tools begin with the skill's name and two underscores.";

/**
 * Returns the Markdown of the available skills for a model's system prompt: for each skill its
 * name, description and SKILL.md, in the catalog's order. The text is the same whenever the same
 * skills are available, so that prompt caches can keep it. It leaves out skills whose prerequisites
 * are not met, and skills with tools of which none can be called. A skill without tools stays.
 *
 * @param options as for `offerTools`; the same options select the same skills
 * @returns Markdown; empty if no skill is available
 * @throws TypeError if an argument is not valid, or names an unknown skill
 */
export async function offerKnowledge<SkillName extends string>(
  catalog: Catalog<SkillName>,
  options: Runtime | OfferOptions<NoInfer<SkillName>> = {},
): Promise<string> {
  const usable = await usableSkills(catalog, readOffer("offerKnowledge", catalog, options));
  const sections = usable.map((skill) => sectionOf(skill));
  return sections.length === 0 ? "" : [preface, ...sections].join("\n\n");
}

function sectionOf({ body, description, name }: CatalogSkill): string {
  return [`# Skill: ${name}`, description, body]
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .join("\n\n");
}
