/**
 * Types after an obligation, by the name of its kind. The file of each kind adds a member to one of
 * these interfaces.
 */
/* oxlint-disable eslint/no-unused-vars -- the members that kinds add use the parameters */

/** Type of a value that an obligation has changed. */
export interface ObligedValues<Value, Obligation> {}

/**
 * Type of an object after obligations have changed its properties `Step`. If `Step` contains `*`,
 * they have changed all properties.
 */
export interface ObligedProperties<Value, Step extends string> {}

/** Type of an answer with data that an obligation has changed. */
export interface ObligedAnswers<Answer> {}

/** Flattens an intersection into one object type, as editors should show it. */
export type Flat<Value> = { [Key in keyof Value]: Value[Key] };
