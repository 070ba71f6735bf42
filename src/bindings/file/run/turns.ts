/** The last change of each file that this process is changing. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs the changes of one file one after the other, so that calls of this process never compete for
 * a file. Other processes are noticed by the file's state.
 *
 * @param path real path of the file
 */
export async function oneAtATime<Result>(
  path: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const before = turns.get(path);
  const turn = before === undefined ? run() : before.then(run, run);
  turns.set(path, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(path) === turn) turns.delete(path);
  }
}
