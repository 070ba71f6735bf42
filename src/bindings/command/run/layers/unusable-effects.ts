/** The error for effects that are not applied. Its message has no full stop. */
export class UnusableEffects extends Error {
  override readonly name = "UnusableEffects";
}
