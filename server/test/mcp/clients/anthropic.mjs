import Anthropic from '@anthropic-ai/sdk'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { connectOfficial } from './connect-official.mjs'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  const client = await connectOfficial(mcpUrl)
  try {
    const anthropic = new Anthropic({ apiKey: 'none', baseURL: modelUrl })
    const { tools } = await client.listTools()
    const messages = [{ role: 'user', content: prompt }]
    await anthropic.beta.messages.toolRunner({
      model: 'm',
      max_tokens: 100,
      messages,
      tools: mcpTools(tools, client),
    })
  } finally {
    await client.close()
  }
}
