import { expect, test } from 'vitest'
import { otherProducts } from './named-products.ts'

const source = (id: string, url: string, label: string | null = null) => ({ id, url, label })
const SOURCES = [
  source('react', 'https://react.dev/reference'),
  source('css', 'https://tailwindcss.com/docs'),
  source('django', 'https://docs.djangoproject.com/en/5.0/'),
  source('code', 'https://github.com/vitejs/vite'),
  source('wiki', 'https://wiki.example.com/', 'Harbor'),
]

test.each([
  ['How do I use variables in Django?', ['django']],
  ['tailwind dark mode', ['css']],
  ['Does Harbor run behind a proxy?', ['wiki']],
  ['env files with vite', ['code']],
  ['use state in react', ['react']],
  ['How does React render?', ['react']],
  ['Vite or Django?', ['django', 'code']],
])('names the product in "%s": %j', (question, named) => {
  const others = otherProducts(question, SOURCES)
  expect(SOURCES.map(({ id }) => id).filter((id) => !others.has(id))).toEqual(named)
})

test.each(['How do I use variables?', 'components react to changes', 'the docs of version 5', 'example com github'])(
  'names no product in "%s"',
  (question) => {
    expect(otherProducts(question, SOURCES)).toEqual(new Set())
  },
)

test('names no product if all sources are of it, or if there is one source', () => {
  const same = [source('a', 'https://vite.dev/guide'), source('b', 'https://github.com/vitejs/vite')]
  expect(otherProducts('Vite', same)).toEqual(new Set())
  expect(otherProducts('Vite', SOURCES.slice(0, 1))).toEqual(new Set())
})
