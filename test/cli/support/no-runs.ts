/** Options of `ledgerSettle` for a project without kept runs. */
export const noRuns = {
  tools: { root: "", out: "generated" },
  openRuns: async () => undefined,
};
