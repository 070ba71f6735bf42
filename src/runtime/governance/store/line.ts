/** Whoever waits for a lease is in line for so long after it has asked, in milliseconds. */
export const lineMs = 2000;
