import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Eras of the official client, with the revision that each negotiates. */
export const ERAS = [
  { era: 'legacy', mode: 'legacy' as const, version: '2025-11-25' },
  { era: 'modern', mode: { pin: '2026-07-28' }, version: '2026-07-28' },
]

export type Called = { isError: boolean; json: any; notes: string[] }

/** An assistant at the account-level endpoint: the official client, with results parsed. */
export async function connectAssistant(url: string, key: string, mode: (typeof ERAS)[number]['mode']) {
  const client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode } })
  const headers = { Authorization: `Bearer ${key}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/api/headless/mcp`), { requestInit: { headers } }),
  )
  return {
    client,
    /** Calls a tool. `json` is the first text, parsed if it is JSON. */
    async call(name: string, args: object = {}, onMessage?: (message: string) => void): Promise<Called> {
      const options = onMessage && {
        onprogress: (step: { message?: string | undefined }) => onMessage(step.message ?? ''),
      }
      const result = await client.callTool({ name, arguments: { ...args } }, options)
      const [first = '', ...notes] = result.content.map((block) => (block.type === 'text' ? block.text : ''))
      return { isError: result.isError === true, json: /^[[{]/.test(first) ? JSON.parse(first) : first, notes }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
