import { defineConfig } from "vitest/config";

const source = (path: string) => new URL(path, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^skillc\/runtime$/, replacement: source("./src/runtime/index.ts") },
      { find: "skillc/runtime/http", replacement: source("./src/bindings/http/runtime.ts") },
      { find: "skillc/runtime/handler", replacement: source("./src/bindings/handler/runtime.ts") },
      { find: "skillc/runtime/validation", replacement: source("./src/runtime/ajv.ts") },
      { find: "skillc/runtime/sink", replacement: source("./src/runtime/sink.ts") },
      { find: "skillc/binding", replacement: source("./src/bindings/public.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
  },
});
