import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  const client = new MultiServerMCPClient({ mcpServers: { docs: { transport: 'http', url: mcpUrl } } })
  try {
    const llm = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL: `${modelUrl}/v1` } })
    const agent = createReactAgent({ llm, tools: await client.getTools() })
    await agent.invoke({ messages: [{ role: 'user', content: prompt }] })
  } finally {
    await client.close()
  }
}
