import { GoogleGenAI, mcpToTool } from '@google/genai'
import { connectOfficial } from './connect-official.mjs'

/** @type {import('../../support/mcp/model-clients.ts').RunClient} */
export async function run({ mcpUrl, modelUrl, prompt }) {
  const client = await connectOfficial(mcpUrl)
  try {
    const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: modelUrl } })
    await google.models.generateContent({ model: 'm', contents: prompt, config: { tools: [mcpToTool(client)] } })
  } finally {
    await client.close()
  }
}
