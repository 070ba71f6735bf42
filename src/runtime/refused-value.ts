/** A parameter that fits its schema but can't be put where the binding puts it. The call path turns it into a `ToolError`. */
export class RefusedValue extends Error {
  override readonly name = "RefusedValue";
  /** JSON pointer to the parameter; empty when several make up the value. */
  readonly pointer: string;
  /** The rule, as a schema keyword would be named: `path-segment`. */
  readonly keyword: string;

  constructor(pointer: string, keyword: string, message: string) {
    super(message);
    this.pointer = pointer;
    this.keyword = keyword;
  }
}
