import { isOwnSkillName } from "../../core/names.js";
import { visible } from "../console/visible.js";
import { CommandFailure } from "../exit.js";

/** @throws CommandFailure if skills can't have the name or the prefix */
export function refuseSkillName({
  prefix,
  single,
  skill,
}: {
  readonly prefix?: string;
  readonly single?: true;
  readonly skill?: string;
}): void {
  const isName = (text: string) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 34;
  if (skill !== undefined && !isName(skill))
    throw CommandFailure.usage(
      `\`${visible(skill)}\` is not a valid name for a skill`,
      "use lower-case letters, digits and single hyphens, at most 34 characters: `--skill pet-store`",
    );
  if (skill !== undefined && isOwnSkillName(skill))
    throw CommandFailure.usage(
      `the name \`${visible(skill)}\` is reserved for tools of skillc itself`,
      "choose another name: `--skill pet-store`",
    );
  if (prefix !== undefined && (single === true || skill !== undefined))
    throw CommandFailure.usage(
      `\`--prefix\` cannot be combined with \`--${single === true ? "single" : "skill"}\``,
      "write the whole name of the skill: `--skill crm-orders`",
    );
  if (prefix !== undefined && !/^[a-z0-9]+(?:-[a-z0-9]+)*-?$/.test(prefix))
    throw CommandFailure.usage(
      `\`${visible(prefix)}\` is not a valid prefix for the name of a skill`,
      "use lower-case letters, digits and single hyphens: `--prefix crm-`",
    );
}

/** Prefix of skill names, with the hyphen that users may omit. */
export function withHyphen(prefix: string): string {
  return prefix.endsWith("-") ? prefix : `${prefix}-`;
}
