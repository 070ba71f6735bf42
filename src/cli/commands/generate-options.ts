/** Flags of `skillc generate`; absent by default. */
export interface GenerateOptions {
  readonly check?: true;
  readonly watch?: true;
  readonly force?: true;
  readonly timings?: true;
  readonly json?: true;
}
