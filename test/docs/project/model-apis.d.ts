declare module "@anthropic-ai/sdk" {
  namespace Anthropic {
    interface Tool {
      input_schema: {
        type: "object";
        properties?: unknown | null;
        required?: string[] | null;
        [k: string]: unknown;
      };
      name: string;
      description?: string;
    }
    interface TextBlock {
      type: "text";
      text: string;
    }
    interface ToolUseBlock {
      type: "tool_use";
      id: string;
      name: string;
      input: unknown;
    }
    interface ToolResultBlockParam {
      type: "tool_result";
      tool_use_id: string;
      content?: string;
      is_error?: boolean;
    }
    type ContentBlock = TextBlock | ToolUseBlock;
    interface MessageParam {
      role: "user" | "assistant";
      content: string | (ContentBlock | ToolResultBlockParam)[];
    }
    interface Message {
      content: ContentBlock[];
      stop_reason: string | null;
    }
    interface MessageCreateParams {
      model: string;
      max_tokens: number;
      system?: string;
      messages: MessageParam[];
      tools?: Tool[];
    }
  }
  class Anthropic {
    messages: { create(body: Anthropic.MessageCreateParams): Promise<Anthropic.Message> };
  }
  export default Anthropic;
}

declare module "openai" {
  namespace OpenAI {
    interface ChatCompletionFunctionTool {
      type: "function";
      function: { name: string; description?: string; parameters?: { [key: string]: unknown } };
    }
    interface FunctionToolCall {
      id: string;
      type: "function";
      function: { name: string; arguments: string };
    }
    interface CustomToolCall {
      id: string;
      type: "custom";
      custom: { name: string; input: string };
    }
    type ToolCall = FunctionToolCall | CustomToolCall;
    interface ChatCompletionMessage {
      role: "assistant";
      content: string | null;
      tool_calls?: ToolCall[];
    }
    type ChatCompletionMessageParam =
      | { role: "developer" | "user"; content: string }
      | { role: "assistant"; content?: string | null; tool_calls?: ToolCall[] }
      | { role: "tool"; content: string; tool_call_id: string };
    interface ChatCompletionCreateParams {
      model: string;
      messages: ChatCompletionMessageParam[];
      tools?: ChatCompletionFunctionTool[];
    }
    interface ChatCompletion {
      choices: { message: ChatCompletionMessage }[];
    }
  }
  class OpenAI {
    chat: {
      completions: {
        create(body: OpenAI.ChatCompletionCreateParams): Promise<OpenAI.ChatCompletion>;
      };
    };
  }
  export default OpenAI;
}

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
