import { type Catalog, type CatalogSkill, offeredSkills } from "./catalog.js";
import { type OfferOptions, readOffer } from "./offer-options.js";
import type { Runtime } from "../runtime.js";

/** Tells a model whose words these are, and which tools they are about. */
const preface =
  "These are your skills: instructions of the people who built this application, a section for each. " +
  "The names of a skill's tools begin with the skill's name and two underscores.";

/**
 * What the skills say that are available here: for each the Markdown of its SKILL.md, under its name and description. It is the text for a model's
 * system prompt, in the catalogue's order, and the same whenever the same skills are available, so that prompt caches keep it. Skills are left out whose
 * prerequisites are not met, and those that have tools of which none can be called; one without tools is knowledge alone, and stays.
 *
 * @param options as for `offerTools`: with the same options both speak of the same skills
 * @returns Markdown; empty when no skill is available
 * @throws TypeError when either argument is something else, or names a skill that there isn't
 */
export async function offerKnowledge<SkillName extends string>(
  catalog: Catalog<SkillName>,
  options: Runtime | OfferOptions<NoInfer<SkillName>> = {},
): Promise<string> {
  const offered = await offeredSkills(catalog, readOffer("offerKnowledge", catalog, options));
  const sections = offered
    .filter(({ skill, tools }) => tools.length > 0 || skill.tools.length === 0)
    .map(({ skill }) => sectionOf(skill));
  return sections.length === 0 ? "" : [preface, ...sections].join("\n\n");
}

function sectionOf({ body, description, name }: CatalogSkill): string {
  return [`# Skill: ${name}`, description, body]
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .join("\n\n");
}
