import type { operations } from '@docent/contract/operations'
import { type CitedTexts, readCitations } from '@docent/server/mcp/passages/read-citations.ts'
import { waitInWords } from '@docent/server/lib/clock.ts'
import { CommandError } from '../command-error.ts'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import { fetchAsDocent } from '../open-client.ts'
import type { LocalUpload } from '../local/read-local.ts'

type Output<Id extends keyof typeof operations> = (typeof operations)[Id]['output']['_output']
export type Created = Output<'servers.create'>
export type ServerDetail = Output<'servers.get'>
export type Source = ServerDetail['sources'][number]
export type Progress = Output<'servers.progress'>

export type DocentApi = {
  createServer(input: { name: string; sources: { url: string }[]; uploads: string[] }): Promise<Created>
  /** Sends files as a source of a server, and replaces an earlier upload of this name. */
  upload(server: string, upload: Omit<LocalUpload, 'left'>): Promise<Source>
  listServers(): Promise<Output<'servers.list'>>
  getServer(id: string): Promise<ServerDetail>
  getProgress(id: string): Promise<Progress>
  /** Questions that the server's pages answer. */
  listQuestions(id: string): Promise<string[]>
  /** Calls a tool at the server's MCP endpoint, as a client does, and parses its text answer. */
  callTool(slug: string, name: string, args: object, signal?: AbortSignal): Promise<CitedTexts>
}

/** A refusal by the service, in its own words. */
export class Refusal extends CommandError {
  override name = 'Refusal'
}

/** The management interface and the MCP endpoints of the service at `url`. Throws `Refusal`. */
export function connectApi(service: ServiceAddress): DocentApi {
  return {
    createServer: (input) => request(service, 'POST', '/api/mcp/create', { input }) as Promise<Created>,
    upload(server, { name, fileName, label, bytes }) {
      // Versions of one source share its label.
      const shown = name.includes('@') ? name.replace(/@.*/, '') : label
      const query = new URLSearchParams({ name, file: fileName, label: shown })
      const path = `/api/mcp/${encodeURIComponent(server)}/sources/upload?${query.toString()}`
      return request(service, 'POST', path, { bytes }) as Promise<Source>
    },
    listServers: () => request(service, 'GET', '/api/mcp/list') as Promise<Output<'servers.list'>>,
    getServer: (id) => request(service, 'GET', `/api/mcp/${encodeURIComponent(id)}`) as Promise<ServerDetail>,
    getProgress: (id) => request(service, 'GET', `/api/mcp/${encodeURIComponent(id)}/crawl-next`) as Promise<Progress>,
    async listQuestions(id) {
      const answer = await request(service, 'GET', `/api/mcp/${encodeURIComponent(id)}/questions`)
      return (answer as Output<'pages.questions'>).questions.map(({ question }) => question)
    },
    async callTool(slug, name, args, signal) {
      const { error, result } = await callTool(service, { slug, name, args }, signal)
      if (error || !result || result.isError) {
        const why = error?.message ?? result?.content?.[0]?.text ?? 'The tool failed.'
        throw new CommandError(why, EXIT.toolFailed)
      }
      return readCitations(result.content?.[0]?.text ?? '')
    },
  }
}

type ServiceAddress = {
  url: string
  /** Null: only public servers answer. */
  key: string | null
  /** Access token of the private server that is called. */
  accessToken?: string | null
}

type ToolCall = { slug: string; name: string; args: object }

/**
 * Calls a tool at the endpoint of its server, as a client does. A private server without an access token is called over
 * the management API, which answers its owner.
 */
async function callTool(
  service: ServiceAddress,
  { slug, name, args }: ToolCall,
  signal: AbortSignal | undefined,
): Promise<ToolReply> {
  const { url, key, accessToken = null } = service
  const path = `/api/mcp/${encodeURIComponent(slug)}`
  const input = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  try {
    return (await request({ url, key: accessToken }, 'POST', path, { input, signal })) as ToolReply
  } catch (error) {
    if (!(error instanceof Refusal) || error.exitCode !== EXIT.signIn || accessToken !== null) throw error
    if (key === null) throw new Refusal(`${error.message} ${NO_TOKEN}`, EXIT.signIn)
    const trial = request(service, 'POST', `${path}/try`, { input: { tool: name, arguments: args }, signal })
    // Another account's server does not exist for the key, but its endpoint does.
    const seen = (await trial.catch((cause: unknown) => {
      throw cause instanceof Refusal && cause.exitCode === EXIT.notFound ? error : cause
    })) as { response: ToolReply }
    return seen.response
  }
}

const NO_TOKEN = 'Give it with --token or DOCENT_ACCESS_TOKEN. As its owner, sign in with “docent login”.'

/** The body of a request: an object as JSON, or the bytes of a file. */
type Sent = { input?: object; bytes?: LocalUpload['bytes']; signal?: AbortSignal | undefined }

async function request(
  service: ServiceAddress,
  method: string,
  path: string,
  { input, bytes, signal }: Sent = {},
): Promise<unknown> {
  const body = bytes ?? (input === undefined ? undefined : JSON.stringify(input))
  const response = await reach(service, path, {
    method,
    headers: {
      ...(service.key === null ? {} : { authorization: `Bearer ${service.key}` }),
      'content-type': bytes ? 'application/octet-stream' : 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  const answer = await read(response)
  if (!response.ok) throw new Refusal(sentenceOf(answer as ErrorBody, response), exitCodeOf(response))
  return answer
}

async function reach({ url }: ServiceAddress, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetchAsDocent(url + path, init)
  } catch (error) {
    init.signal?.throwIfAborted()
    throw unreachable(url, error)
  }
}

/** The error of `fetch` for users. */
export function unreachable(url: string, error: unknown): CommandError {
  const why = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  const sentence = `The service at ${url} cannot be reached${why}. Is it running, and is the address right?`
  return new CommandError(sentence, EXIT.unreachable)
}

async function read(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new CommandError(`${new URL(response.url).origin} answered ${response.status}, and not as Docent does.`)
  }
}

/** Error body of the management interface or of JSON-RPC. */
type ErrorBody = { error?: string | { message?: string }; message?: string }

/** The service's message, with the time of Retry-After unless the message says when to try again. */
function sentenceOf({ error, message }: ErrorBody, { status, headers }: Response): string {
  const told = message ?? (typeof error === 'object' ? error.message : error) ?? `The service answered ${status}.`
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  if (!(seconds > 0) || told.includes('Try again')) return told
  return `${told} Try again in ${waitInWords(seconds)}.`
}

type ToolReply = {
  error?: { message: string }
  result?: { isError?: boolean; content?: { text?: string }[] }
}
