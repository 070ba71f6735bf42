import fc from "fast-check";

// A fixed seed: a commit must not fail by chance. `SKILLC_SEED` sets another seed.
fc.configureGlobal({ seed: Number(process.env["SKILLC_SEED"] ?? 20_12) });
