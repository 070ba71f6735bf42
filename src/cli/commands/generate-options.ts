/** The flags of `skillc generate`: absent when not given. */
export interface GenerateOptions {
  readonly check?: true;
  readonly watch?: true;
  readonly force?: true;
  readonly timings?: true;
  readonly json?: true;
}
