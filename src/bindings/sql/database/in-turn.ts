/** Runs jobs one after another, in the order in which they were handed in, whatever became of those before. */
export function createTurns(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const result = last.then(job);
    last = result.catch(() => {});
    return result;
  };
}
