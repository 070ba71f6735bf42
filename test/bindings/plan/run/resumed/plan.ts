/** A plan of a read and a write, for processes that go on with its run. */
import { planOf, reads, writes } from "../plan-project.js";

export const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);
export const tools = { desk__plan: async () => plan };
