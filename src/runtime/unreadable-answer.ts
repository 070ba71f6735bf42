/** An answer that can't be read. A binding kind makes a `ToolError` of it (`PROVIDER.PROTOCOL`), with the message as its reason. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";

  /** @param most bytes that the body may come to */
  static tooLong(most: number): UnreadableAnswer {
    return new UnreadableAnswer(`the body is longer than ${most} bytes`);
  }
}
