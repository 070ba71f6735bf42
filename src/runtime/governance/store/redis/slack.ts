/** Garbage is kept for a minute longer, because a clock may be set back. */
export const slackMs = 60_000;
