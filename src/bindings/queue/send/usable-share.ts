/** Of an attempt's time: what isn't there by then fails before the attempt is over, and so is told from a message without an answer. */
export const usableShare = 0.8;
