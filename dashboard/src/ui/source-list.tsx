import type { ComponentChildren } from 'preact'
import { shortAddress } from '../lib/format.ts'
import { byText } from '../lib/listing.ts'
import { Listing } from './listing.tsx'
import type { Server } from './server-page.tsx'

type Source = Server['sources'][number]

type Props = {
  /** As the service lists them, the oldest first. */
  sources: readonly Source[]
  sizes: readonly [wide: number, narrow: number]
  query: URLSearchParams
  children: (shown: readonly Source[]) => ComponentChildren
}

const nameOf = ({ label, url }: Source): string => label ?? shortAddress(url)

const PLAN = {
  prefix: 'sources',
  textOf: ({ label, url, type }: Source) => `${label ?? ''} ${url} ${type}`,
  orders: [
    { name: 'newest', title: 'Newest first', compare: () => 0 },
    byText<Source>('name', 'By name', nameOf),
    { name: 'pages', title: 'Most pages first', compare: (a: Source, b: Source) => b.pagesIndexed - a.pagesIndexed },
  ],
  choices: [
    {
      name: 'state',
      every: 'Every state',
      options: [
        { value: 'complete', title: 'Ready' },
        { value: 'crawling', title: 'Reading' },
        { value: 'pending', title: 'Waiting' },
        { value: 'error', title: 'Needs you' },
      ],
      fits: ({ crawlStatus }: Source, value: string) => crawlStatus === value,
    },
  ],
}

/** The sources of a server, the newest first. */
export function SourceList({ sources, sizes, query, children }: Props) {
  return (
    <Listing items={sources.toReversed()} one="source" plan={PLAN} sizes={sizes} query={query}>
      {children}
    </Listing>
  )
}
