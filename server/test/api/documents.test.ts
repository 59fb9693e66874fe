import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'

let docent: Docent
const read = (path: string, headers: Record<string, string> = {}) => fetch(docent.url + path, { headers })
/** Bytes on the wire: the client would unpack them. */
const sizeOf = async (path: string, encoding: string) =>
  Number((await read(path, { 'accept-encoding': encoding })).headers.get('content-length'))

beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent[Symbol.asyncDispose]())

test('serves every document of docs/ by its name, without a key', async () => {
  const names = readdirSync(new URL('../../../docs/', import.meta.url)).filter((name) => name.endsWith('.md'))
  expect(names.length).toBeGreaterThan(20)
  for (const name of names.filter((one) => one !== 'README.md')) {
    const answer = await read(`/docs/${name.replace(/\.md$/, '')}`, { accept: 'text/html' })
    expect([name, answer.status, (await answer.text()).slice(0, 2)]).toEqual([name, 200, '# '])
  }
  expect(await (await read('/docs')).text()).toMatch(/^# Documents\n/)
  expect(await (await read('/docs/widget.md')).text()).toBe(await (await read('/docs/widget')).text())
})

test('serves the README, the security policy and the changelog among the documents', async () => {
  for (const name of ['getting-started', 'security', 'changelog'])
    expect((await read(`/docs/${name}`)).status).toBe(200)
})

test('lists in /docs/llms.txt every document that it serves, by kind', async () => {
  const text = await (await read('/docs/llms.txt')).text()
  expect(text.match(/^## .+/gm)).toEqual(['## Learn', '## Do', '## Look up', '## Understand'])
  const addresses = [...text.matchAll(/\]\((\S+)\)/g)].map(([, address = '']) => address)
  for (const address of addresses) expect([address, (await fetch(address)).status]).toEqual([address, 200])
  const names = readdirSync(new URL('../../../docs/', import.meta.url)).filter((name) => name.endsWith('.md'))
  const expected = names.filter((name) => name !== 'README.md').map((name) => name.toLowerCase())
  expected.push('getting-started.md', 'security.md', 'changelog.md')
  const listed = addresses.filter((address) => address.includes('/docs/')).map((address) => address.split('/').pop())
  expect(listed.toSorted()).toEqual(expected.toSorted())
})

test.each(['/docs/nothing', '/docs/..%2fpackage.json', '/docs/README.md%00', '/docs/openapi.json'])(
  'answers 404 for %s',
  async (path) => {
    const answer = await read(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
  },
)

test('sends the description of the API in at most 80 kB, and not again to a client that has it', async () => {
  expect(await sizeOf('/openapi.json', 'gzip')).toBeLessThan(80_000)
  expect(await sizeOf('/openapi.json', 'identity')).toBeGreaterThan(500_000)
  const etag = (await read('/openapi.json')).headers.get('etag') ?? ''
  expect((await read('/openapi.json', { 'if-none-match': etag })).status).toBe(304)
})
