import type { Binding } from "../../../runtime/tool.js";
import type { PlanContract } from "./contract.js";
export { eachStep, step, type StepData, type StepStop, type ShadowedPlan } from "./contract.js";
export interface SuspendedPlan { readonly status: "suspended" }
export function plan<Arguments, Sources, Data>(contract: PlanContract<Sources, Data>): Binding<Arguments, any> { throw new Error(String(contract)); }
export function present<Value>(list: readonly Value[]): Exclude<Value, undefined>[] { return list.filter((each) => each !== undefined) as never; }
