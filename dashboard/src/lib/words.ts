import type { Outcome } from '@docent/contract/values/outcomes'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { count, shortAddress } from './format.ts'

/** Kinds of uploaded files by the end of their names. */
const FILE_KINDS: readonly [RegExp, string][] = [
  [/\.pdf$/i, 'PDF'],
  [/\.docx$/i, 'Word document'],
  [/\.pptx$/i, 'presentation'],
  [/\.xlsx$/i, 'workbook'],
  [/\.odt$/i, 'OpenDocument text'],
  [/\.epub$/i, 'EPUB'],
  [/\.ipynb$/i, 'notebook'],
  [/\.org$/i, 'Org'],
  [/\.(?:md|mdx|markdown)$/i, 'Markdown'],
  [/\.html?$/i, 'HTML'],
  [/\.(?:zip|tar|tgz|gz)$/i, 'archive'],
  [/\.(?:txt|text)$/i, 'text'],
  [/\.(?:json|ya?ml)$/i, 'JSON or YAML'],
]
const UPLOAD = /^upload:\/\/([^/]+)/

type Named = { label: string | null; url: string; type: SourceType }

/** The name of an upload in its address. Null for other sources. */
export const uploadOf = ({ url }: Pick<Named, 'url'>): string | null => UPLOAD.exec(url)?.[1] ?? null

/** How a source is called: by its display name, or else by its file or its address. */
export const sourceName = ({ label, url }: Pick<Named, 'label' | 'url'>): string =>
  label ?? uploadOf({ url }) ?? shortAddress(url)

/** The kind of a source, or of the file that was uploaded. PDFs with their number of pages. */
export function kindOf(source: Named & { pdfPages: number | null }): string {
  const kind = nameOfKind(source)
  return source.pdfPages === null ? kind : `${kind}, ${count(source.pdfPages, 'page')}`
}

function nameOfKind(source: Named): string {
  const file = uploadOf(source)
  if (file === null) return typeTitle(source.type)
  const kindIn = (name: string) => FILE_KINDS.find(([end]) => end.test(name))?.[1]
  // The address keeps the name of the first file, the label has that of the present one.
  return kindIn(source.label ?? '') ?? kindIn(file) ?? 'file'
}

/** Pages of a site. A file is one document, whatever the number of its printed pages. */
export const unitOf = (source: Pick<Named, 'url'>): string => (uploadOf(source) === null ? 'page' : 'document')

export const typeTitle = (type: SourceType): string => sourceKind(type).title

/** How a call ended. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  answered: 'answered',
  related: 'only related',
  none: 'no answer',
  refused: 'refused',
  failed: 'failed',
}

type Reason = { word: string; tone: 'bad' | 'warn' | 'mute'; byPattern?: true }

/** Reasons of pages that were left out, in the words after their number. Others are shown by their name. */
export const REASONS: Readonly<Record<string, Reason>> = {
  not_found: { word: 'not found', tone: 'bad' },
  gone: { word: 'gone', tone: 'bad' },
  forbidden: { word: 'refused', tone: 'bad' },
  http_error: { word: 'answered with an error', tone: 'bad' },
  server_error: { word: 'failed at the site', tone: 'bad' },
  unreachable: { word: 'unreachable', tone: 'bad' },
  unreadable: { word: 'unreadable', tone: 'bad' },
  invalid_description: { word: 'not valid', tone: 'bad' },
  timeout: { word: 'timed out', tone: 'warn' },
  rate_limited: { word: 'put off by the site', tone: 'warn' },
  too_large: { word: 'too large', tone: 'warn' },
  too_long: { word: 'with too long an address', tone: 'warn' },
  page_limit: { word: 'beyond the page limit', tone: 'warn' },
  text_limit: { word: 'beyond the text limit', tone: 'warn' },
  robots: { word: 'excluded by robots.txt', tone: 'mute' },
  noindex: { word: 'marked noindex', tone: 'mute' },
  excluded: { word: 'excluded', tone: 'mute', byPattern: true },
  out_of_scope: { word: 'outside the address', tone: 'mute', byPattern: true },
  duplicate: { word: 'skipped as duplicates', tone: 'mute' },
  not_documentation: { word: 'not documentation', tone: 'mute' },
  not_text: { word: 'not text', tone: 'mute' },
  empty: { word: 'empty', tone: 'mute' },
  redirect: { word: 'redirected', tone: 'mute' },
}
