/** `setTimeout` takes no longer one. */
const longestMs = 2 ** 31 - 1;

/** Waits for the work, but only so long, in milliseconds. Gives whether it ended in time; rejects as the work does. */
export async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(ms, longestMs));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
