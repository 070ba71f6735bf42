/** What capabilities of one purpose look like. */
export interface CapabilityForm {
  /** What stands before the colon: `net.http`. */
  readonly purpose: string;
  /** The form of a whole one: `net.http:<method> <origin>/<path>`. */
  readonly form: string;
  /**
   * What is wrong with one: a fact about the whole, without its subject. Undefined when nothing is.
   *
   * @param act what stands behind the colon
   * @param place all that stands behind the first space; empty when there is none
   */
  problem(act: string, place: string): string | undefined;
}
