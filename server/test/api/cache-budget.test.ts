import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPEN_CRAWL_BYTES } from '#indexing/open-crawls.ts'
import { SECTION_CACHE_BYTES } from '#documents/library.ts'
import { ANSWER_BYTES } from '#mcp/threads/tool-pool.ts'
import { ROBOTS_BYTES } from '#net/robots.ts'
import { IMPACT_BYTES } from '#search/rank/impact-cache.ts'
import { TEXT_CACHE_BYTES } from '#search/retrieve.ts'

const BOUNDS = [IMPACT_BYTES, TEXT_CACHE_BYTES, SECTION_CACHE_BYTES, ANSWER_BYTES, ROBOTS_BYTES, OPEN_CRAWL_BYTES]

test('documents the bounds of all caches and their sum', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## Memory for caches')
  const [table = ''] = section.split('\n## ')
  const documented = [...table.matchAll(/^\|[^|]+\| +(\d+) MB/gm)].map(([, megabytes]) => Number(megabytes) * 1e6)
  const sum = BOUNDS.reduce((all, bytes) => all + bytes, 0)
  expect(documented).toEqual([...BOUNDS, sum])
})
