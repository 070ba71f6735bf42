/**
 * Returns the number of runs of a random test, given the number for `npm run test:long`.
 * `vitest.config.ts` sets the share of other modes. All modes start with the same seed.
 */
export function runs(many: number): number {
  return Math.ceil(many * Number(process.env["SKILLC_RUNS"]));
}
