/** A parameter that fits its schema but can't be put where the binding puts it. The call path turns it into a `ToolError`. */
export class RefusedValue extends Error {
  override readonly name = "RefusedValue";
  /** JSON pointer to the parameter; empty when several make up the value. */
  readonly pointer: string;
  /** The rule, as a schema keyword would be named: `path-segment`. */
  readonly keyword: string;
  /** Where the pointer isn't known: whether a value among the parameters, or within one, is what can't be put there. */
  readonly isCause: ((value: unknown) => boolean) | undefined;

  constructor(
    pointer: string,
    keyword: string,
    message: string,
    isCause?: (value: unknown) => boolean,
  ) {
    super(message);
    this.isCause = isCause;
    this.pointer = pointer;
    this.keyword = keyword;
  }
}
