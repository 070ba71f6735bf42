import fc from "fast-check";

// A commit passes or fails by what it holds, not by the numbers that were drawn. `SKILLC_SEED` draws others.
fc.configureGlobal({ seed: Number(process.env["SKILLC_SEED"] ?? 20_12) });
