import type { Llm } from "skillc/planner";

/** The model of the pages; its recipes are examples themselves. */
export declare const llm: Llm;
