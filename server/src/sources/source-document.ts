import { withoutSecrets } from '#lib/addresses/secret-address.ts'
import type { NetClient, NetRequest, NetResponse } from '#net/client.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Reading } from '#readers/parse-in-child.ts'
import type { Anchor } from '#chunk/anchors.ts'
import type { SourceRow } from '#store/sources/sources.ts'
import { GiveUp } from '#jobs/lease.ts'
import { NetError } from '#net/net-error.ts'
import { paceRequests } from '#crawl/pace-requests.ts'
import { failureOfStatus } from '#crawl/crawl-budget.ts'

/** One document of a non-site source: a file of a repository, an API operation, a PDF. */
export type SourceDocument = {
  kind: 'document'
  /** Absolute URL without fragment, unique within the source, where readers can look it up. */
  url: string
  title: string
  markdown: string
  /** ISO 639-1; null if unknown. */
  language: string | null
  /**
   * URL fragments of positions in the document, in order. Each applies from its offset (UTF-16 units into `markdown`,
   * which must then have no front matter or surrounding blanks) to the next. If undefined, headings get the usual
   * fragments; if empty, there are none.
   */
  anchors?: Anchor[]
  /** Number of pages, if it is a PDF. */
  pdfPages?: number
}

/** A raw document, to be processed as a page of a site. */
export type SourceFile = { kind: 'file'; url: string; contentType: string; bytes: Uint8Array<ArrayBuffer> }

/** A part of the source that gives no document, with its reason and a sentence, so that all counts add up. */
export type SourceOmission = { kind: 'skipped' | 'failed'; url: string; reason: string; detail: string }

/** Keeps all earlier documents and omissions with this URL prefix, and none of `except`, that this reading has not given. */
export type SourceKept = { kind: 'kept'; prefix: string; except?: readonly string[] }

/** Cursor of the next reading, saved once everything of this one is settled. */
export type SourceCursor = { kind: 'cursor'; value: string }

export type SourceItem = SourceDocument | SourceFile | SourceOmission | SourceKept | SourceCursor

/** The source to read. `cursor` is from its last complete reading, or null. `versions` is JSON, as stored. */
export type SourceToRead = Pick<SourceRow, 'id' | 'serverId' | 'url' | 'type'> & {
  cursor?: string | null
  versions?: string
}

export type ReaderDeps = Reading & {
  net: NetClient
  pacer: Pacer
}

/**
 * Reads a source completely, one document at a time, in a stable order. Removed documents are simply not given. With a
 * cursor from the last reading, a reader may give only changes, and mark the rest as kept. Throws `GiveUp` with a
 * sentence for the owner if the source as a whole cannot be read.
 */
export type SourceReader = (deps: ReaderDeps, source: SourceToRead) => AsyncIterable<SourceItem>

/** A reader that gives everything each time. */
export type WholeReader = (deps: ReaderDeps, source: SourceToRead) => AsyncIterable<SourceDocument | SourceOmission>

/** Fetches a document at its host's pace, with retries. Throws `GiveUp` with a sentence unless it succeeds. */
export async function fetchWhole(deps: ReaderDeps, url: string, request: NetRequest): Promise<NetResponse> {
  const paced = paceRequests(deps).fetch(url, { ...request, signal: deps.signal })
  const response = await paced.catch((error: unknown) => {
    deps.signal.throwIfAborted()
    throw error instanceof NetError ? new GiveUp(error.message, { cause: error }) : error
  })
  const failure = failureOfStatus(response.status)
  if (failure) throw new GiveUp(`${url}: ${failure.detail}`)
  // A redirect with a credential works once or for a while. The address that leads there stays.
  return withoutSecrets(response.url) === response.url ? response : { ...response, url }
}
