// Calls one tool: its function, its parameters as JSON. Prints the answer as JSON.
import { createRuntime } from "@skillc/runtime/v1";
import { shutdown } from "@skillc/runtime";

export async function callTool(tools) {
  const [name, parameters] = process.argv.slice(2);
  const handlers = { "desk/quote": async () => 5 };
  const runtime = createRuntime({ handlers, ledger: false });
  console.log(JSON.stringify(await tools[name](JSON.parse(parameters), { runtime })));
  await shutdown();
}
