import { expect, test } from 'vitest'
import { allowsPath, parseRobots } from '#net/robots-rules.ts'
import { PagePool, parseRobotsInChild } from '#readers/page-pool.ts'

const URL = 'https://docs.example/robots.txt'
const bytes = (text: string) => new TextEncoder().encode(text)

test('returns the rules of the parser from a child process', async () => {
  await using pool = new PagePool({ workers: 1 })
  const file = bytes('User-agent: *\nDisallow: /private*/x$\nAllow: /private/a\nCrawl-delay: 2\nSitemap: /map.xml')
  const rules = await parseRobotsInChild(pool)(file, 'Docent', URL)
  expect(rules).toEqual(parseRobots(file, 'Docent', URL))
  expect(rules && [allowsPath(rules, '/private/b/x'), allowsPath(rules, '/private/a')]).toEqual([false, true])
  expect(pool.size).toBe(1)
})

test('stops reading a file that exceeds its time', async () => {
  await using pool = new PagePool({ workers: 1, killAfterMs: 1 })
  // The file is long, because a short one could be read within the grace period.
  const long = bytes(`User-agent: *\n${'Disallow: /a*b\n'.repeat(3_000_000)}`)
  expect(await parseRobotsInChild(pool)(long, 'Docent', URL)).toBe(null)
})
