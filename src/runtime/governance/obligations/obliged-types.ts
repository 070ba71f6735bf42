/**
 * Types of what obligations change, by the name of the kind. The file of each kind adds a member to
 * one of these.
 */
/* oxlint-disable eslint/no-unused-vars -- the members that kinds add use the parameters */

/** Type of a value that an obligation has changed. */
export interface ObligedValues<Value, Obligation> {}

/** Type of an object after an obligation has changed its property `Step`, or any if that is `*`. */
export interface ObligedProperties<Value, Step extends string> {}

/** Type of an answer with data that an obligation has changed. */
export interface ObligedAnswers<Answer> {}

/** One type of its properties, as an editor shows it. */
export type Flat<Value> = { [Key in keyof Value]: Value[Key] };
