import { expect } from 'vitest'
import type { Docent } from './harness.ts'

export const QUESTION = 'How many otters share a raft?'

let domains = 0

/** A configuration of its own domain, and requests as from a page there. `key` is the client secret of its developer. */
export async function configureWidget(docent: Docent, key: string, settings: object) {
  const domain = `d${++domains}.example.com`
  const saved = await docent.request('POST', '/api/configurations', { domain, ...settings }, { key })
  expect(saved.status).toBe(200)
  const origin = `https://${saved.body.domain ?? domain}`
  const send = (method: string, path: string, body?: unknown, from: string | null = origin) =>
    docent.request(method, path, body, { key: null, headers: from === null ? {} : { origin: from } })
  const configurationId: string = saved.body.id
  const open = (more: object = {}, from?: string | null) =>
    send('POST', '/api/embed/sessions', { configurationId, ...more }, from)
  const ask = async (session: string, question = QUESTION, more: object = {}, from?: string | null) => {
    const answer = await send('POST', '/api/embed/ask', { session, question, ...more }, from)
    const isStream = answer.headers.get('content-type') === 'application/x-ndjson'
    const items = isStream
      ? answer.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : []
    return { ...answer, items, said: items.map(({ text = '' }) => text).join('') }
  }
  return { domain: saved.body.domain, configurationId, origin, send, open, ask }
}
