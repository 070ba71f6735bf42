/** What README calls the reader's own. */
export const vault = { read: async (name: string): Promise<string> => name };
