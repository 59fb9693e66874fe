import { type Agent, request } from 'node:http'

/** Sends one request; the outcome is its status or error code. */
export function outcomeOf(url: string, agent?: Agent, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { headers, ...(agent ? { agent } : { agent: false }) }, (response) => {
      response.resume()
      response.once('end', () => resolve(String(response.statusCode)))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    sent.end()
  })
}
