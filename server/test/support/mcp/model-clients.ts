import { join } from 'node:path'
import { TEST_PACKAGES } from './test-packages.ts'

/** Asks a model a question with the tools of an MCP server, and lets the client call the tools that the model names. */
export type RunClient = (at: { mcpUrl: string; modelUrl: string; prompt: string }) => Promise<void>

/** Public clients that turn the result of an MCP tool into a model's input, each by its file. */
export const MODEL_CLIENTS: Record<string, string> = {
  'AI SDK': 'ai-sdk.mjs',
  'Anthropic SDK': 'anthropic.mjs',
  'Google Gen AI SDK': 'google.mjs',
  'Hugging Face MCP client': 'hugging-face.mjs',
  'OpenAI Agents SDK': 'openai-agents.mjs',
  LangChain: 'langchain.mjs',
  Ax: 'ax.mjs',
  'TanStack AI': 'tanstack.mjs',
}

export async function openModelClient(file: string): Promise<RunClient> {
  const { run } = (await import(join(TEST_PACKAGES, file))) as { run: RunClient }
  return run
}
