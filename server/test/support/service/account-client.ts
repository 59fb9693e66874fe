import { ACCOUNT_ENDPOINT_PATH } from '@docent/contract/account-tool'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Docent } from './harness.ts'

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
    new StreamableHTTPClientTransport(new URL(url + ACCOUNT_ENDPOINT_PATH), { requestInit: { headers } }),
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

/** The JSON-RPC message that calls a tool of the account-level endpoint. */
export const toolMessage = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Calls a tool of the account-level endpoint in the legacy era and parses its text. */
export async function callAccountTool(
  docent: Docent,
  name: string,
  args: object = {},
  key = docent.key,
): Promise<Called> {
  const { body } = await docent.request('POST', ACCOUNT_ENDPOINT_PATH, toolMessage(name, args), { key })
  const [first = '', ...notes] = body.result.content.map(({ text }: { text: string }) => text)
  return { isError: body.result.isError === true, json: /^[[{]/.test(first) ? JSON.parse(first) : first, notes }
}
