import {
  foreignCharacter,
  isTooLong,
  type NameRule,
  refusedWhole,
} from "@skillc/runtime/internal/queue";

/** Why no name can have this text in it. */
export function partFault(rule: NameRule, text: string): string | undefined {
  const foreign = foreignCharacter(rule, text);
  if (foreign !== undefined) return `it holds ${foreign === " " ? "a space" : `\`${foreign}\``}`;
  return isTooLong(rule, text) ? `it is longer than ${rule.mostBytes} bytes` : undefined;
}

/** Why it can't be all of a name. */
export function wholeFault(rule: NameRule, text: string): string | undefined {
  return refusedWhole(rule, text)?.fault;
}
