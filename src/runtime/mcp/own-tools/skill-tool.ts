import { skillsFor } from "../visible-skills.js";
import { failed, oneText, type OwnTool, ownPrefix, readsOnly } from "./own-tool.js";

/** Returns the instructions of a skill, for clients that know tools alone. */
export const skillTool: OwnTool = {
  listed: {
    name: `${ownPrefix}skill`,
    title: "Read a skill",
    description:
      "Returns the instructions of one skill of this server: how and when to use its tools. Read them before you use a skill for the first time.",
    inputSchema: oneText("name", "Name of the skill."),
    annotations: readsOnly,
  },
  async call(connection, { name }) {
    const skills = await skillsFor(connection);
    const found = skills.find((each) => each.name === name);
    const main = found?.files.find(({ path }) => path === "SKILL.md")?.text;
    if (main !== undefined) return { content: [{ type: "text", text: main }] };
    const names = skills.map((each) => `\`${each.name}\``).join(", ");
    return failed(`there is no such skill; the skills are: ${names || "none"}`);
  },
};
