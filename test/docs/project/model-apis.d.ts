declare module "@google/genai" {
  interface FunctionCall {
    id?: string;
    name?: string;
    args?: Record<string, unknown>;
  }
  interface Part {
    text?: string;
    functionCall?: FunctionCall;
    functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> };
  }
  interface Content {
    role?: string;
    parts?: Part[];
  }
  interface FunctionDeclaration {
    name?: string;
    description?: string;
    parametersJsonSchema?: unknown;
  }
  interface GenerateContentConfig {
    systemInstruction?: Content | string;
    tools?: { functionDeclarations?: FunctionDeclaration[] }[];
  }
  interface GenerateContentResponse {
    candidates?: { content?: Content }[];
    readonly functionCalls: FunctionCall[] | undefined;
  }
  class GoogleGenAI {
    constructor(options: { apiKey?: string });
    models: {
      generateContent(body: {
        model: string;
        config?: GenerateContentConfig;
        contents: Content[];
      }): Promise<GenerateContentResponse>;
    };
  }
}
