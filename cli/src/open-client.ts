import { type ClientOptions, type DocentClient, createDocentClient } from '@docent/sdk'
import { VERSION } from '@docent/server/version.ts'

/** Names the command line to the service, whose log shows it as the client of a call. */
const USER_AGENT = `docent/${VERSION}`

type Service = { url: string; apiKey: string | null }

/** A client of a service, with the API key if there is one. */
export const openClient = (
  { url, apiKey }: Service,
  options: Pick<ClientOptions, 'retries' | 'fetch'> = {},
): DocentClient =>
  createDocentClient({ baseUrl: url, ...(apiKey === null ? {} : { apiKey }), fetch: fetchAsDocent, ...options })

export const fetchAsDocent: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('user-agent', USER_AGENT)
  return fetch(input, { ...init, headers })
}
