import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { GoogleGenAI, mcpToTool } from '@google/genai'
import { McpClient } from '@huggingface/mcp-client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { generateText, isStepCount } from 'ai'

/** Asks a model a question with the tools of an MCP server, and lets the client call the tools that the model names. */
export type RunClient = (at: { mcpUrl: string; modelUrl: string; prompt: string }) => Promise<void>

/** Public clients that turn the result of an MCP tool into a model's input. */
export const MODEL_CLIENTS: Record<string, RunClient> = {
  async 'AI SDK'({ mcpUrl, modelUrl, prompt }) {
    const client = await createMCPClient({ transport: { type: 'http', url: mcpUrl } })
    const provider = createOpenAICompatible({ name: 'mock', baseURL: `${modelUrl}/v1`, apiKey: 'none' })
    const tools = await client.tools()
    await generateText({ model: provider('m'), tools, prompt, stopWhen: isStepCount(3) })
    await client.close()
  },

  async 'Anthropic SDK'({ mcpUrl, modelUrl, prompt }) {
    await using mcp = await officialClient(mcpUrl)
    const anthropic = new Anthropic({ apiKey: 'none', baseURL: modelUrl })
    const { tools } = await mcp.client.listTools()
    await anthropic.beta.messages.toolRunner({
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user', content: prompt }],
      tools: mcpTools(tools, mcp.client as Parameters<typeof mcpTools>[1]),
    })
  },

  async 'Google Gen AI SDK'({ mcpUrl, modelUrl, prompt }) {
    await using mcp = await officialClient(mcpUrl)
    const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: modelUrl } })
    await google.models.generateContent({ model: 'm', contents: prompt, config: { tools: [mcpToTool(mcp.client)] } })
  },

  async 'Hugging Face MCP client'({ mcpUrl, modelUrl, prompt }) {
    const client = new McpClient({ endpointUrl: `${modelUrl}/v1/chat/completions`, model: 'm', apiKey: 'none' })
    await client.addMcpServer({ type: 'http', config: { url: mcpUrl } })
    const messages = [{ role: 'user', content: prompt }]
    // The first turn calls the tool; the second sends its result.
    for (let turn = 0; turn < 2; turn++) await Array.fromAsync(client.processSingleTurnWithTools(messages))
    await client.cleanup()
  },
}

/** Clients that are too large for the development dependencies. They are installed in `clients/`, or skipped. */
export const LARGE_CLIENTS: Record<string, string> = {
  'OpenAI Agents SDK': 'openai-agents.mjs',
  LangChain: 'langchain.mjs',
  Ax: 'ax.mjs',
  'TanStack AI': 'tanstack.mjs',
}

const FOLDER = join(import.meta.dirname, '../../mcp/clients')

/** Whether the large clients are installed. Says so if they are not. */
export function hasLargeClients(): boolean {
  const found = existsSync(join(FOLDER, 'node_modules', '.package-lock.json'))
  if (!found) {
    const names = Object.keys(LARGE_CLIENTS).join(', ')
    process.stderr.write(`\nSKIPPED: ${names} are not installed. Run: npm ci --prefix server/test/mcp/clients\n\n`)
  }
  return found
}

export async function openLargeClient(file: string): Promise<RunClient> {
  const { run } = (await import(join(FOLDER, file))) as { run: RunClient }
  return run
}

async function officialClient(url: string) {
  const client = new Client({ name: 'model-input', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return { client, [Symbol.asyncDispose]: () => client.close() }
}
