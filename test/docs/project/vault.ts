/** The reader's own code in the examples of README. */
export const vault = { read: async (name: string): Promise<string> => name };
