import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/**
 * The official client, connected to a server. The caller closes it.
 *
 * @param {string} url
 */
export async function connectOfficial(url) {
  const client = new Client({ name: 'model-input', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}
