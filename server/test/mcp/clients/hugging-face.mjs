import { McpClient } from '@huggingface/mcp-client'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  const client = new McpClient({ endpointUrl: `${modelUrl}/v1/chat/completions`, model: 'm', apiKey: 'none' })
  await client.addMcpServer({ type: 'http', config: { url: mcpUrl } })
  const messages = [{ role: 'user', content: prompt }]
  // The first turn calls the tool; the second sends its result.
  for (let turn = 0; turn < 2; turn++) await Array.fromAsync(client.processSingleTurnWithTools(messages))
  await client.cleanup()
}
