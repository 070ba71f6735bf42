/**
 * The kinds of obligations, one line each: what `do:` may say in skillc.yaml. Every list of them,
 * and every union, is derived from this file.
 *
 * To add a kind, write a file beside this one and a line here. The file exports a constant that is
 * called as the kind is. `valueKind`, `propertyKind` or `answerKind` of `obligation-kind.ts` makes
 * it, and they ask for its parts:
 *
 * - schema and lowering: `keys` says which keys it takes in skillc.yaml. The form of a key decides
 *   how it is read, checked and printed into `generated/policy.ts`.
 * - check: what is wrong with its place in the data that a tool gives
 * - type: a member of `ObligedValues`, `ObligedProperties` or `ObligedAnswers`, declared in its file
 * - effect: what it does to the data
 */
export { drop } from "./drop.js";
export { hash } from "./hash.js";
export { mask } from "./mask.js";
export { redact } from "./redact.js";
export { watermark } from "./watermark.js";
