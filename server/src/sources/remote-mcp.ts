import { DocentError } from '#errors.ts'
import { GiveUp } from '#jobs/lease.ts'
import { type RemoteCredential, connectRemoteMcp } from '#upstream/connect-remote-mcp.ts'
import type { RemoteList, RemoteResource, RemoteSession } from '#upstream/remote-session.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { RemotePart } from '#extract/mcp/describe-part.ts'
import { oneLineOf } from '#lib/text/one-line.ts'
import { reasonOfKill } from '#crawl/crawl-budget.ts'
import { paceRequests } from '#crawl/pace-requests.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import type { SourceDocument, SourceOmission, WholeReader } from './source-document.ts'

export type Deps = {
  version: string
  /** Returns the credential for the source's server, or null. */
  credentialFor: (sourceId: string) => Promise<RemoteCredential | null>
}

/** Milliseconds for reading a whole server. */
const TOTAL_MS = 10 * 60_000
/** Resources that are read. A server with more is a search engine, which is better queried live. */
const MAX_READ = 1_000
/** Consecutive failures that end the reading: the server is down, and the previous index is better. */
const GIVE_UP_AFTER = 10

type Item = SourceDocument | SourceOmission

/**
 * Reads remote MCP servers of both protocol eras. The server itself and each tool, prompt, resource and resource
 * template become a document. Their URLs are the source's with a parameter: `?tool=NAME`, `?prompt=NAME`,
 * `?resource=URI`, `?template=URI`. Calls no tools, and indexes all texts as untrusted.
 */
export function createRemoteMcpReader({ version, credentialFor }: Deps): WholeReader {
  return async function* (deps, source) {
    const credential = await credentialFor(source.id).catch((error: unknown) => {
      // An operator must restore missing keys, so a retry is pointless.
      if (error instanceof DocentError) throw new GiveUp(error.message, { cause: error })
      throw error
    })
    const remote = { url: source.url, credential, signal: deps.signal, totalMs: TOTAL_MS }
    try {
      await using session = await connectRemoteMcp({ net: paceRequests(deps), version }, remote)
      await using child = new RepositoryProcess(deps)
      yield* readServer({ session, child }, source.url)
    } catch (error) {
      if (error instanceof UpstreamError) throw new GiveUp(sentenceFor(error, credential), { cause: error })
      throw error
    }
  }
}

function sentenceFor({ reason, message }: UpstreamError, credential: RemoteCredential | null): string {
  if (reason !== 'refused') return message
  return credential === null
    ? 'The MCP server asks for a credential. Add the one it gave you to this source.'
    : `${message} Give this source a new one.`
}

type Reading = { session: RemoteSession; child: RepositoryProcess }

async function* readServer({ session, child }: Reading, url: string): AsyncGenerator<Item> {
  const { about } = session
  const server = oneLineOf(about.name ?? '') || new URL(url).host
  const tools = await session.listTools()
  const prompts = await session.listPrompts()
  const templates = await session.listTemplates()
  const resources = await session.listResources()

  const offers = { tools: tools.items, prompts: prompts.items }
  yield describe(child, url, server, { part: 'server', facts: { ...about, name: server }, offers })
  yield* readList(tools, { url, parameter: 'tool', keyOf: ({ name }) => name }, (facts, at) =>
    describe(child, at, titleOf('tool', facts.name, server), { part: 'tool', facts, server }),
  )
  yield* readList(prompts, { url, parameter: 'prompt', keyOf: ({ name }) => name }, (facts, at) =>
    describe(child, at, titleOf('prompt', facts.name, server), { part: 'prompt', facts, server }),
  )
  yield* readList(templates, { url, parameter: 'template', keyOf: ({ uriTemplate }) => uriTemplate }, (item, at) => {
    const facts = { ...item, uri: item.uriTemplate }
    return describe(child, at, titleOf('resources', nameOf(facts), server), { part: 'template', facts, server })
  })
  const readNext = resourceReader({ session, child }, server)
  yield* readList(resources, { url, parameter: 'resource', keyOf: ({ uri }) => uri }, readNext)
}

/** Creates the document of a part in a child process, because schemas and texts are untrusted. */
async function describe(child: RepositoryProcess, url: string, title: string, part: RemotePart): Promise<Item> {
  const described = await child.run('remote', part)
  if (described.kind === 'killed') {
    return { kind: 'failed', url, ...reasonOfKill(described, 'Reading what the server says of it') }
  }
  if (described.value !== null) return { kind: 'document', url, title, markdown: described.value, language: null }
  return { kind: 'skipped', url, reason: 'not_text', detail: 'The resource holds no text that could be searched.' }
}

/** Reads one resource after the other, up to a number. Throws `GiveUp` if many in a row cannot be read. */
function resourceReader(reading: Reading, server: string) {
  let read = 0
  let failuresInARow = 0
  return async (resource: RemoteResource, url: string): Promise<Item> => {
    if (read++ >= MAX_READ) {
      const detail = `Of one server the contents of ${MAX_READ} resources are read.`
      return { kind: 'skipped', url, reason: 'too_many', detail }
    }
    const item = await readResource(reading, { resource, url }, server)
    failuresInARow = item.kind === 'failed' ? failuresInARow + 1 : 0
    if (item.kind === 'failed' && failuresInARow >= GIVE_UP_AFTER) {
      throw new GiveUp(`${GIVE_UP_AFTER} resources in a row could not be read. ${item.detail}`)
    }
    return item
  }
}

async function readResource(
  { session, child }: Reading,
  { resource, url }: { resource: RemoteResource; url: string },
  server: string,
): Promise<Item> {
  try {
    const parts = await session.readResource(resource.uri)
    const contents = parts.map((part) => ({ ...part, mimeType: part.mimeType ?? resource.mimeType }))
    const title = titleOf('resource', nameOf(resource), server)
    return await describe(child, url, title, { part: 'resource', facts: resource, server, contents })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { kind: 'failed', url, reason: 'unreadable', detail: error.message }
  }
}

function nameOf({ title, name, uri }: { title: string | null; name: string | null; uri: string }): string {
  return title ?? name ?? uri
}

function titleOf(kind: string, name: string, server: string): string {
  return `${oneLineOf(name)} (${kind} of ${server})`
}

/** Longer keys would make URLs that clients reject. */
const MAX_KEY = 1_000

/** URLs of the entries of a list: that of the source, with their keys as a parameter. */
type Addresses<T> = { url: string; parameter: string; keyOf: (item: T) => string }

/** Reads the entries of a list. Those with too long a key, malformed, or not sent become omissions. */
async function* readList<T>(
  { items, malformed, cut }: RemoteList<T>,
  { url: source, parameter, keyOf }: Addresses<T>,
  read: (item: T, url: string) => Promise<Item>,
): AsyncGenerator<Item> {
  const addressOf = (key: string) => {
    const url = new URL(source)
    url.searchParams.append(parameter, key)
    return url.href
  }
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    if (key.length <= MAX_KEY) yield read(item, addressOf(key))
    else {
      const detail = `The name of number ${index + 1} in the list has ${key.length} characters.`
      yield { kind: 'skipped', url: addressOf(`#${index + 1}`), reason: 'unreadable', detail }
    }
  }
  if (malformed > 0) {
    const detail = `${malformed === 1 ? 'One entry' : `${malformed} entries`} of the list cannot be read.`
    yield { kind: 'failed', url: addressOf('#malformed'), reason: 'unreadable', detail }
  }
  if (cut) {
    const detail = `The list goes on after ${items.length} entries; those are read.`
    yield { kind: 'skipped', url: addressOf('#more'), reason: 'too_many', detail }
  }
}
