/** The entry point `@skillc/runtime/testing`: the API for tests of applications. */
export { FakeError } from "../call/handler-binding.js";
export type { RecordedCall } from "./faked-calls.js";
export { createTestRuntime, type TestRuntime, type TestRuntimeOptions } from "./test-runtime.js";
export type { Fake, FakeAnswer, FakeContext, FakeOf, Fakes } from "./fakes.js";
export { toolError, type ToolErrorDetails } from "./tool-error.js";
