import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount } from 'ai'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  const client = await createMCPClient({ transport: { type: 'http', url: mcpUrl } })
  const provider = createOpenAICompatible({ name: 'mock', baseURL: `${modelUrl}/v1`, apiKey: 'none' })
  const tools = await client.tools()
  await generateText({ model: provider('m'), tools, prompt, stopWhen: isStepCount(3) })
  await client.close()
}
