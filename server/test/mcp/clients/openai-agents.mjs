import { Agent, MCPServerStreamableHttp, Runner, getGlobalTraceProvider } from '@openai/agents-core'
import { OpenAIProvider } from '@openai/agents-openai'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  const server = new MCPServerStreamableHttp({ url: mcpUrl, name: 'docs' })
  await server.connect()
  try {
    const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${modelUrl}/v1`, useResponses: false })
    const agent = new Agent({ name: 'reader', model: 'm', mcpServers: [server] })
    await new Runner({ modelProvider, tracingDisabled: true }).run(agent, prompt)
  } finally {
    await server.close()
    // Its timer would go on in the tests that follow in this process.
    await getGlobalTraceProvider().shutdown()
  }
}
