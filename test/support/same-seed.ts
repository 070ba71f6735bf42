import fc from "fast-check";

// Sets a fixed seed, so that no commit fails by chance. `SKILLC_SEED` sets another seed.
fc.configureGlobal({ seed: Number(process.env["SKILLC_SEED"] ?? 20_12) });
