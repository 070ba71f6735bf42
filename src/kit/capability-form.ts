/** Form of the capabilities of one purpose. */
export interface CapabilityForm {
  /** Text before the colon: `net.http`. */
  readonly purpose: string;
  /** Form of a whole capability: `net.http:<method> <origin>/<path>`. */
  readonly form: string;
  /**
   * Describes what is wrong with a capability, without the subject of the sentence; undefined if it
   * is valid.
   *
   * @param act text behind the colon
   * @param place text behind the first space; empty if there is none
   */
  problem(act: string, place: string): string | undefined;
}
