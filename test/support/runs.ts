/** How often something random is tried: so often in `npm run test:long`. vitest.config.ts says which share of that it is elsewhere; all begin with the same seed. */
export function runs(many: number): number {
  return Math.ceil(many * Number(process.env["SKILLC_RUNS"]));
}
