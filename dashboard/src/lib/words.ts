import type { Outcome } from '@docent/contract/values/outcomes'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'

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
