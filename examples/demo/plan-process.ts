/**
 * A process that runs a plan until the demo kills it: its last handler writes a line, and then
 * waits. Arguments: folder of the project, request.
 */
import { setTimeout } from "node:timers/promises";
import { folderRuns } from "@skillc/runtime/runs";
import { createApi } from "../../generated/api-builder/index.js";
import { configure } from "../../generated/index.js";
import { apiBuilder } from "./api-builder.js";

const [directory = "", request = ""] = process.argv.slice(2);

configure({
  directory,
  handlers: {
    ...apiBuilder,
    "api-builder/summarize-api": async () => {
      process.stdout.write("summarizing\n");
      await setTimeout(60_000);
      throw new Error("nobody killed this process");
    },
    "order-desk/quote-shipping": () => ({ price: 0, currency: "EUR" }),
  },
  runs: folderRuns({ key: process.env["RUNS_KEY"] }),
});
await createApi({ request }, { run: "api-1" });
