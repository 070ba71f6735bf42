import { visible } from "../console/visible.js";
import { CommandFailure } from "../exit.js";

/** @throws CommandFailure when skills can't be called so */
export function refuseSkillName({
  prefix,
  skill,
}: {
  readonly prefix?: string;
  readonly skill?: string;
}): void {
  const isName = (text: string) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 34;
  if (skill !== undefined && !isName(skill))
    throw CommandFailure.usage(
      `\`${visible(skill)}\` is no name for a skill`,
      "letters in lower case, digits and single hyphens, at most 34 characters: `--skill pet-store`",
    );
  if (prefix !== undefined && !/^[a-z0-9]+(?:-[a-z0-9]+)*-?$/.test(prefix))
    throw CommandFailure.usage(
      `\`${visible(prefix)}\` can't stand before the name of a skill`,
      "letters in lower case, digits and single hyphens: `--prefix crm-`",
    );
}

/** Prefix of skill names, with the hyphen that users may omit. */
export function withHyphen(prefix: string): string {
  return prefix.endsWith("-") ? prefix : `${prefix}-`;
}
