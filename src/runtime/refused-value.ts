/** A parameter that fits its schema but can't be put where the binding puts it. The call path turns it into a `ToolError`. */
export class RefusedValue extends Error {
  override readonly name = "RefusedValue";
  /** JSON pointer to the parameter; empty when several make up the value. */
  readonly pointer: string;
  /** The rule, as a schema keyword would be named: `path-segment`. */
  readonly keyword: string;
  /** Where the pointer isn't known: whether a text among the parameters is what can't be put there. */
  readonly isCause: ((text: string) => boolean) | undefined;

  constructor(
    pointer: string,
    keyword: string,
    message: string,
    isCause?: (text: string) => boolean,
  ) {
    super(message);
    this.isCause = isCause;
    this.pointer = pointer;
    this.keyword = keyword;
  }
}
