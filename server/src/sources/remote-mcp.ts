import { DocentError } from '#errors.ts'
import { GiveUp } from '#jobs/lease.ts'
import { type RemoteCredential, connectRemoteMcp } from '#upstream/connect-remote-mcp.ts'
import type { RemoteSession, RemoteResource } from '#upstream/remote-session.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { RemotePart } from '#extract/mcp/describe-part.ts'
import { oneLineOf } from '#lib/text/one-line.ts'
import { reasonOfKill } from '#crawl/crawl-budget.ts'
import { paceRequests } from '#crawl/pace-requests.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import type { SourceDocument, SourceOmission, WholeReader } from './source-document.ts'

export type Deps = {
  /** Version of the service, sent to the server. */
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
  for (const entry of addressEntries(url, 'tool', tools, ({ name }) => name)) {
    if (entry.kind === 'entry') {
      const title = titleOf('tool', entry.item.name, server)
      yield describe(child, entry.url, title, { part: 'tool', facts: entry.item, server })
    } else yield entry
  }
  for (const entry of addressEntries(url, 'prompt', prompts, ({ name }) => name)) {
    if (entry.kind === 'entry') {
      const title = titleOf('prompt', entry.item.name, server)
      yield describe(child, entry.url, title, { part: 'prompt', facts: entry.item, server })
    } else yield entry
  }
  for (const entry of addressEntries(url, 'template', templates, ({ uriTemplate }) => uriTemplate)) {
    if (entry.kind === 'entry') {
      const facts = { ...entry.item, uri: entry.item.uriTemplate }
      const title = titleOf('resources', nameOf(facts), server)
      yield describe(child, entry.url, title, { part: 'template', facts, server })
    } else yield entry
  }
  const entries = addressEntries(url, 'resource', resources, ({ uri }) => uri)
  yield* readResources({ session, child }, entries, server)
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

async function* readResources(
  reading: Reading,
  entries: Iterable<AddressedEntry<RemoteResource>>,
  server: string,
): AsyncGenerator<Item> {
  let read = 0
  let failuresInARow = 0
  for (const entry of entries) {
    if (entry.kind !== 'entry') {
      yield entry
      continue
    }
    if (read++ >= MAX_READ) {
      const detail = `Of one server the contents of ${MAX_READ} resources are read.`
      yield { kind: 'skipped', url: entry.url, reason: 'too_many', detail }
      continue
    }
    const item = await readResource(reading, entry, server)
    failuresInARow = item.kind === 'failed' ? failuresInARow + 1 : 0
    if (failuresInARow >= GIVE_UP_AFTER) {
      throw new GiveUp(`${GIVE_UP_AFTER} resources in a row could not be read. ${detailOf(item)}`)
    }
    yield item
  }
}

async function readResource(
  { session, child }: Reading,
  { item: resource, url }: { item: RemoteResource; url: string },
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

function detailOf(item: Item): string {
  return 'detail' in item ? item.detail : ''
}

function nameOf({ title, name, uri }: { title: string | null; name: string | null; uri: string }): string {
  return title ?? name ?? uri
}

function titleOf(kind: string, name: string, server: string): string {
  return `${oneLineOf(name)} (${kind} of ${server})`
}

type List<T> = { items: T[]; malformed: number; cut: boolean }

/** Longer keys would make URLs that clients reject. */
const MAX_KEY = 1_000

/** An entry of a list with its URL, or the reason for its absence. */
type AddressedEntry<T> = { kind: 'entry'; item: T; url: string } | SourceOmission

/** Yields entries with their URLs. Those with too long a key, unreadable, or not sent become omissions. */
function* addressEntries<T>(
  source: string,
  parameter: string,
  { items, malformed, cut }: List<T>,
  keyOf: (item: T) => string,
): Generator<AddressedEntry<T>> {
  const addressOf = (key: string) => {
    const url = new URL(source)
    url.searchParams.append(parameter, key)
    return url.href
  }
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    if (key.length <= MAX_KEY) yield { kind: 'entry', item, url: addressOf(key) }
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
