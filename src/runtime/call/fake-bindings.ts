import type { AnyResult } from "../result.js";
import type { ServedCall } from "./served-call.js";
import type { Binding } from "../tool.js";

/** What a test's runtime has in the place of services: `@skillc/runtime/testing` makes it. */
export interface FakeBindings {
  /** @param toolId `skill/tool` */
  has(toolId: string): boolean;
  /**
   * The tool's own binding, but for what it would send.
   *
   * @throws FakeError when there is no fake to answer the call
   */
  bindingFor<Arguments, Result extends AnyResult>(
    binding: Binding<Arguments, Result>,
    call: ServedCall,
  ): Binding<Arguments, Result>;
}

/**
 * What is wrong with a test's fakes. A call throws it as it is, and not as a `ToolError`: the code under test is not at fault, and what it does about failures of
 * tools must not hide it.
 */
export class FakeError extends Error {
  override readonly name = "FakeError";
}
