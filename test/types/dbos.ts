/** Types of plans that DBOS runs. `npx tsc --noEmit` is the test; nothing runs. */
import type { WorkflowHandle } from "@dbos-inc/dbos-sdk";
import { expectTypeOf } from "vitest";
import {
  goOn,
  isPlanWorkflowError,
  type PlanWorkflow,
  planWorkflow,
  type PlanWorkflowEnd,
} from "@skillc/runtime/dbos";
import { createRuntime, type ToolErrorCode } from "@skillc/runtime";
import { takeBack, type TakeBackParams } from "../../generated/returns-desk/index.js";

const name = "returns-desk/take-back";
const returns = planWorkflow(takeBack, { name, runtime: createRuntime() });
expectTypeOf(returns).toEqualTypeOf<PlanWorkflow<TakeBackParams>>();

const params = { order_id: "ord_1003", sku: "LAMP-OAK", location: "A1", pieces: 1 };
const started = returns.start(params, { workflowID: "w", queueName: "q", timeoutMS: 1000 });
expectTypeOf(started).toEqualTypeOf<Promise<WorkflowHandle<PlanWorkflowEnd>>>();
// @ts-expect-error `pieces` is missing
void returns.start({ order_id: "ord_1003", sku: "LAMP-OAK", location: "A1" });
// @ts-expect-error the workflow is the run
void returns.start(params, { run: "w" });
// @ts-expect-error the plan needs the name of its workflow
planWorkflow(takeBack, {});
// @ts-expect-error a run goes on with an approval or a reason
void goOn("w", { approve: true });

const thrown: unknown = new Error("failed");
if (isPlanWorkflowError(thrown)) expectTypeOf(thrown.code).toEqualTypeOf<ToolErrorCode>();
