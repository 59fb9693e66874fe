import { AxAIOpenAI, AxMCPClient, AxMCPStreamableHTTPTransport, ax } from '@ax-llm/ax'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  // Ax refuses loopback addresses by default.
  const ssrfProtection = { allowHTTP: true, allowLoopback: true }
  const docs = new AxMCPClient(new AxMCPStreamableHTTPTransport(mcpUrl, { ssrfProtection }), { namespace: 'docs' })
  try {
    const model = new AxAIOpenAI({ apiKey: 'none', apiURL: `${modelUrl}/v1`, config: { model: 'm', stream: false } })
    await ax('question:string -> answer:string', { mcp: docs }).forward(model, { question: prompt })
  } finally {
    await docs.close()
  }
}
