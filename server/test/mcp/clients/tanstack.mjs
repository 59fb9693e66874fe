import { chat } from '@tanstack/ai'
import { createMCPClient } from '@tanstack/ai-mcp'
import { createOpenaiChatCompletions } from '@tanstack/ai-openai'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  const docs = await createMCPClient({ transport: { type: 'http', url: mcpUrl } })
  try {
    const adapter = createOpenaiChatCompletions('gpt-5.1', 'none', { baseURL: `${modelUrl}/v1` })
    const stream = chat({ adapter, messages: [{ role: 'user', content: prompt }], tools: await docs.tools() })
    for await (const chunk of stream) if (chunk.type === 'RUN_ERROR') throw new Error(chunk.message)
  } finally {
    await docs.close()
  }
}
