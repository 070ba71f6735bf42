/**
 * The kinds of obligations, one line each: the values of `do:` in skillc.yaml. All lists and unions
 * of kinds derive from this file.
 *
 * To add a kind, write a file beside this one, and add a line here. The file exports a constant
 * with the kind's name. `valueKind`, `propertyKind` or `answerKind` of `obligation-kind.ts` makes
 * it from these parts:
 *
 * - keys: `keys` lists the keys in skillc.yaml. The form of a key decides how it is read, checked
 *   and printed into `generated/policy.ts`.
 * - check: reports a place that doesn't suit the kind
 * - type: a member of `ObligedValues`, `ObligedProperties` or `ObligedAnswers`, declared in the
 *   kind's file
 * - effect: changes the data
 */
export { drop } from "./drop.js";
export { hash } from "./hash.js";
export { mask } from "./mask.js";
export { redact } from "./redact.js";
export { watermark } from "./watermark.js";
