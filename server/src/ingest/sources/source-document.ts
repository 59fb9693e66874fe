import type { NetClient } from '#net/client.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Reading } from '../parse-apart.ts'
import type { SourceRow } from '#store/sources.ts'

/** One document of a source that is no site: a file of a repository, an operation of an API, a chapter of a PDF. */
export type SourceDocument = {
  kind: 'document'
  /** Absolute, without fragment, unique within the source, and where a reader would look it up. */
  url: string
  title: string
  markdown: string
  /** ISO 639-1, or null when it is not known. */
  language: string | null
  /**
   * Fragments of the URL that lead to places of the document, in order: each holds from its offset (UTF-16 units into
   * `markdown`, which then is without front matter and surrounding blanks) to the next. Without them headings have the
   * usual fragments; with an empty list there are none.
   */
  anchors?: Anchor[]
}

/** A document as it was found, to be read as a page of a site would be. */
export type SourceFile = { kind: 'file'; url: string; contentType: string; bytes: Uint8Array<ArrayBuffer> }

export type Anchor = { offset: number; anchor: string }

/** Something of the source that gives no document, with its reason and a sentence, so that every count adds up. */
export type SourceOmission = { kind: 'skipped' | 'failed'; url: string; reason: string; detail: string }

/** All documents and omissions of an earlier reading whose addresses begin so, and that did not come anew, still hold. */
export type SourceKept = { kind: 'kept'; prefix: string }

/** Where the next reading goes on: given back to the reader once everything of this one is settled. */
export type SourceCursor = { kind: 'cursor'; value: string }

export type SourceItem = SourceDocument | SourceFile | SourceOmission | SourceKept | SourceCursor

/** What a reader is told of its source. `cursor` is what its last complete reading left, or null. */
export type SourceToRead = Pick<SourceRow, 'id' | 'serverId' | 'url' | 'type'> & { cursor?: string | null }

export type ReaderDeps = Reading & {
  net: NetClient
  pacer: Pacer
}

/**
 * Reads a source from its beginning to its end, one document at a time, in a stable order. What is not there any more
 * simply does not come. With a cursor from the last reading a reader may give what has changed alone, and say of the rest
 * that it is kept. Throws `GiveUp` with a sentence for the owner when the source as a whole cannot be read.
 */
export type SourceReader = (deps: ReaderDeps, source: SourceToRead) => AsyncIterable<SourceItem>

/** A reader that gives everything each time. */
export type WholeReader = (deps: ReaderDeps, source: SourceToRead) => AsyncIterable<SourceDocument | SourceOmission>

/** The same for files, some of which are read as pages are. */
export type FileReader = (
  ...given: Parameters<SourceReader>
) => AsyncIterable<SourceDocument | SourceFile | SourceOmission>
