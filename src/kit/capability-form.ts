/** Form of the capabilities of one purpose. */
export interface CapabilityForm {
  /** Text before the colon, such as `net.http`, or the whole action, such as `proc.exec`. */
  readonly purpose: string;
  /** Set if the action has no colon: `proc.exec git`. */
  readonly isBare?: true;
  /** Form of a whole capability: `net.http:<method> <origin>/<path>`. */
  readonly form: string;
  /**
   * Describes what is wrong with a capability, without the subject of the sentence; undefined if it
   * is valid.
   *
   * @param act text behind the colon; empty if the action has none
   * @param place text behind the first space; empty if there is none
   */
  problem(act: string, place: string): string | undefined;
}
