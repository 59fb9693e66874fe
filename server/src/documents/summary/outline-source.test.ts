import { expect, test } from 'vitest'
import type { LibraryPage } from '../library-page.ts'
import { outlineSource } from './outline-source.ts'

async function outline(...urls: string[]) {
  const pages = urls.map((url) => ({ url }) as LibraryPage)
  return (await outlineSource(pages, 9)).map(({ path, pages: count, first }) => [path, count, first[0]?.url])
}

const BASE = 'https://x.example/o/r.git?docent-file='

test('groups a repository by folder if its host has no pages, README first', async () => {
  expect(await outline(`${BASE}src/a.ts`, `${BASE}src/b.ts`, `${BASE}docs/c.md`, `${BASE}README.md`)).toEqual([
    ['/o/r.git', 1, `${BASE}README.md`],
    ['/o/r.git/src', 2, `${BASE}src/a.ts`],
    ['/o/r.git/docs', 1, `${BASE}docs/c.md`],
  ])
})

test('groups pages at one URL by the kind of their parts', async () => {
  const pages = ['page=1', 'page=2'].map((query) => `https://x.example/a.pdf?docent-${query}`)
  expect(await outline(...pages, 'https://x.example/b/c')).toEqual([
    ['/a.pdf', 2, pages[0]],
    ['/b', 1, 'https://x.example/b/c'],
  ])
})
