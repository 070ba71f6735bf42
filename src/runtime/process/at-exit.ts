const tasks = new Set<() => void>();
let listening = false;

/** Runs a task when the process exits by itself or by `process.exit`; a signal that kills it runs none. Returns what undoes this. */
export function atExit(task: () => void): () => void {
  // One listener for all: Node warns of leaks from the eleventh on.
  if (!listening) process.on("exit", runAll);
  listening = true;
  tasks.add(task);
  return () => void tasks.delete(task);
}

function runAll(): void {
  for (const task of tasks) task();
}
