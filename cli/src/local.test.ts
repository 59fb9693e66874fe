import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace } from '../../server/test/support/database/engines.ts'
import { startDocent } from '../../server/test/support/service/harness.ts'
import { page, startSite } from '../../server/test/support/sites/site.ts'
import { listFiles } from './local/list-files.ts'
import { readLocal } from './local/read-local.ts'
import { sortPlaces } from './local/sort-places.ts'
import { runCli } from './run-cli.ts'
import { readCitations } from '@docent/server/mcp/passages/read-citations.ts'

let folder = ''
let work = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-local-test-'))
  work = join(folder, 'work')
  mkdirSync(work)
  write({
    'docs/README.md': '# Widgets\n\nWidgets are small parts that are put together.',
    'docs/guide/install.md': '# Installing the widget kit\n\nTo install the widget kit, run the installer kit-setup.',
    'docs/guide/@odd name.html': page('Colours', 'The palette of a widget is set to warm.'),
    'docs/logo.png': 'PNG',
    'pictures/logo.png': 'PNG',
    'docs/node_modules/a/README.md': '# Not ours',
    'docs/.git/config.md': '# Not ours',
    'notes.txt': 'The warehouse is closed on Sundays.',
  })
  symlinkSync('/etc/passwd', join(work, 'docs/passwd.md'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true })
    writeFileSync(join(work, path), text)
  }
}

const settings = () => ({
  DOCENT_DATA_DIR: join(folder, 'data'),
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'warn',
  DOCENT_BROWSER: 'off',
  INIT_CWD: work,
})

async function end(args: string[], env: NodeJS.ProcessEnv = {}) {
  const run = runCli(args, { env: { ...settings(), ...env } })
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr }
}

test('distinguishes addresses from paths', () => {
  const named = ['docs', './gone', '../up', '/abs', '.', '~/x', 'docs.example.org', 'https://a.example/', 'notes.txt']
  expect(sortPlaces(named, work)).toEqual({
    urls: ['https://docs.example.org', 'https://a.example/'],
    paths: ['docs', './gone', '../up', '/abs', '.', '~/x', 'notes.txt'],
  })
})

test('sends only API descriptions and the files they refer to among a folder’s data files', async () => {
  write({
    'api/openapi.yaml': 'openapi: 3.0.0\npaths:\n  /a: { $ref: parts/a.yaml }\n',
    'api/parts/a.yaml': 'get: {}',
    'notes/settings.json': '{}',
    'notes/more/readme.md': '# More',
  })
  expect(await listFiles(join(work, 'api'))).toEqual({ files: ['openapi.yaml', 'parts/a.yaml'], left: [] })
  expect(await listFiles(join(work, 'notes'))).toEqual({
    files: ['more/readme.md'],
    left: [{ reason: 'not_documentation', files: 1, example: 'settings.json' }],
  })
})

test('derives a unique name for each upload from its path', async () => {
  write({ 'My Manual.pdf': '%PDF-', 'a/My Manual.md': '# A', 'b/.md': '# B', 'kiln.json': '{}', 'b/oven.yml': 'a: 1' })
  const read = await readLocal(['My Manual.pdf', 'a/My Manual.md', 'b/.md', '.', 'kiln.json', 'b/oven.yml'], work)
  expect(read.map(({ name, fileName }) => [name, fileName])).toEqual([
    ['my-manual', 'My Manual.pdf'],
    ['my-manual-2', 'My Manual.md'],
    ['files', '.md'],
    ['work', 'work'],
    ['kiln', 'kiln.json'],
    ['oven', 'oven.yml'],
  ])
})

test.each([
  ['./gone', './gone does not exist.'],
  ['/dev/null', '/dev/null is neither a file nor a folder.'],
  ['pictures', 'pictures has no Markdown, HTML, PDF, office file, text or code'],
])('exits with 1 and an explanation for try %s', async (path, sentence) => {
  const { code, stdout, stderr } = await end(['try', path], { TMPDIR: folder })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(sentence)
  expect(stderr).not.toContain('    at ')
  expect(readdirSync(folder)).toEqual(['work'])
})

test('tries folders and files beside an address and leaves nothing behind', async () => {
  await using site = await startSite({ '/': page('Shop', 'The shop sells widgets by the dozen.') })
  const run = runCli(['try', 'docs', './notes.txt', site.url], {
    env: { ...settings(), DOCENT_ALLOW_NETWORKS: '127.0.0.0/8', TMPDIR: folder },
  })
  const endpoint = await run.until(/^(http\S+)$/m)
  expect(run.stderr).toMatch(/docs .*3 found = 3 indexed/)
  expect(run.stderr).toMatch(/notes\.txt .*1 found = 1 indexed/)
  expect(run.stderr).toContain('1 × binary, such as logo.png (not sent)')
  expect(run.stderr).toContain('1 × link, such as passwd.md (not sent)')
  expect(run.stderr).toContain('1 × vendored, such as node_modules/ (not sent)')
  const search = async (query: string) => {
    const params = { name: 'search_docs', arguments: { query } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const answer: any = await (await fetch(endpoint, { method: 'POST', body })).json()
    return readCitations(answer.result.content[0].text).passages.map(({ url }: any) => url)
  }
  const pages = `${endpoint}/pages/uploads`
  expect(await search('kit-setup')).toContain(`${pages}/docs/guide/install.md#installing-the-widget-kit`)
  expect((await search('palette warm'))[0]).toContain(`${pages}/docs/guide/%40odd%20name.html`)
  expect((await search('warehouse Sundays'))[0]).toContain(`${pages}/notes/notes.txt`)
  expect((await search('by the dozen'))[0]).toMatch(site.url)
  run.stop('SIGTERM')
  expect(await run.ended).toBe(0)
  expect(readdirSync(folder)).toEqual(['work'])
})

test('sends a watched folder again after a change, and only then', async () => {
  await using docent = await startDocent()
  const { slug } = (await docent.request('POST', '/api/mcp/create', { name: 'Watched', uploads: ['watched'] })).body
  write({ 'watched/a.md': '# Apples\n\nApples are red.' })
  const env = { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key }
  const run = runCli(['sources', 'watch', 'watched', '--server', slug], { env: { ...settings(), ...env } })
  await run.until(/sent watched\n/)
  await docent.untilDone(slug)
  const find = async (query: string) =>
    (await docent.callTool(slug, 'search_docs', { query })).result.content[0].text as string
  expect(await find('apples')).toContain('Apples are red.')
  write({ 'watched/a.md': '# Apples\n\nApples are green.', 'watched/logo.png': 'x' })
  await expect.poll(() => find('apples')).toContain('Apples are green.')
  write({ 'watched/b/c.md': '# Pears\n\nPears are yellow.' })
  await expect.poll(() => find('pears')).toContain('Pears are yellow.')
  run.stop('SIGTERM')
  expect(await run.ended).toBe(0)
  const missing = await end(['sources', 'watch', 'nothing-here', '--server', slug], env)
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('nothing-here does not exist.')])
})

test('keeps the folders of DOCENT_WATCH as sources while the service runs', async () => {
  await using place = await makePlace('sqlite')
  let key = ''
  {
    await using docent = await startDocent({ place })
    key = docent.key
    await docent.request('POST', '/api/mcp/create', { name: 'Watched', uploads: ['docs'] })
  }
  const env = { ...settings(), DOCENT_DATA_DIR: place.dataDir, DOCENT_WATCH: 'watched=docs,later=docs' }
  const run = runCli(['serve'], { env })
  const url = await run.until(/ready on (\S+)/)
  await run.until(/DOCENT_WATCH: There is no server later yet\./)
  const find = async (query: string, slug = 'watched'): Promise<string> => {
    const params = { name: 'search_docs', arguments: { query } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const answer: any = await (await fetch(`${url}/api/mcp/${slug}`, { method: 'POST', body })).json()
    return answer.result?.content[0].text ?? ''
  }
  await expect.poll(() => find('kit-setup')).toContain('kit-setup')
  write({ 'docs/new.md': '# Bathyscaphes\n\nBathyscaphes dive to the deepest places.' })
  await expect.poll(() => find('bathyscaphes')).toContain('deepest places')
  const server = JSON.stringify({ name: 'Later', uploads: ['docs'] })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  await fetch(`${url}/api/mcp/create`, { method: 'POST', body: server, headers })
  await expect.poll(() => find('bathyscaphes', 'later')).toContain('deepest places')
  run.stop('SIGTERM')
  expect(await run.ended).toBe(0)
  await using docent = await startDocent({ place, key: '' })
  const keys = await docent.inStore(({ read }) => read.selectFrom('apiKeys').selectAll().execute())
  expect(keys.filter(({ name }) => name === 'DOCENT_WATCH')).toMatchObject([
    { revokedAt: expect.any(Number) },
    { revokedAt: expect.any(Number) },
  ])
})

test('makes a server of the documents of Docent, and sends them to it again', async () => {
  await using docent = await startDocent()
  const env = { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key }
  const made = await end(['servers', 'docs', '--no-wait'], env)
  expect([made.code, made.stdout]).toEqual([0, `${docent.url}/api/mcp/docs\n`])
  expect((await end(['servers', 'docs', '--no-wait', '--server', 'docs'], env)).code).toBe(0)
  const { body } = await docent.request('GET', '/api/mcp/docs')
  expect(body.sources).toMatchObject([{ url: 'upload://docs/', label: 'docs' }])
})

describe('sources upload', () => {
  test('sends files to a running service and reports the result', async () => {
    await using docent = await startDocent()
    const made = await docent.request('POST', '/api/mcp/create', { name: 'My docs', uploads: ['docs'] })
    const env = { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key }
    const upload = (...args: string[]) => end(['sources', 'upload', '--server', made.body.slug, ...args], env)
    const { code, stdout, stderr } = await upload('docs', 'notes.txt')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/docs .*3 found = 3 indexed/)
    const { sources } = await docent.untilDone(made.body.slug)
    expect(sources.map(({ url, label }: any) => [url, label])).toEqual([
      ['upload://docs/', 'docs'],
      ['upload://notes/', 'notes.txt'],
    ])
    write({ 'docs/guide/new.md': '# New\n\nSomething new.' })
    expect((await upload('--no-wait', '--name', 'docs', './docs')).code).toBe(0)
    expect((await docent.untilDone(made.body.slug)).sources).toMatchObject([{ pagesIndexed: 4 }, { pagesIndexed: 1 }])
    write({ 'kit@1.0.md': '# Kit\n\nThe first.', 'kit-2.md': '# Kit\n\nThe second.' })
    expect((await upload('kit@1.0.md')).code).toBe(0)
    expect((await upload('--name', 'kit@2.0', 'kit-2.md')).code).toBe(0)
    const [, , kit] = (await docent.untilDone(made.body.slug)).sources
    expect(kit).toMatchObject({ url: 'upload://kit/', label: 'kit', versions: ['2.0', '1.0'], pagesIndexed: 2 })
    write({ 'bad.zip': 'PK\x03\x04' })
    const bad = await upload('bad.zip')
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('The archive cannot be read: it is damaged.')])
    const listed = await end(['servers', 'list'], env)
    expect(listed.stdout).toMatch(/^server +status +sources +visibility +endpoint\nmy-docs +active +4 +public +http/)
    expect(JSON.parse((await end(['servers', 'list', '--json'], env)).stdout)).toMatchObject([{ slug: 'my-docs' }])
    const asked = await end(['ask', 'my-docs', 'How', 'do I install the widget kit?'], env)
    expect(asked.stdout).toMatch(/run the installer kit-setup[^]+\/pages\/uploads\/docs\/guide\/install\.md/)
    const gone = await end(['sources', 'upload', '--server', 'nobody', 'docs'], env)
    expect([gone.code, gone.stderr]).toEqual([7, 'error  Server not found\n'])
  })

  test('sends a file under its full name if the server expects an upload of that name', async () => {
    await using docent = await startDocent()
    const uploads = ['notes.txt', 'docs']
    const made = await docent.request('POST', '/api/mcp/create', { name: 'My docs', uploads })
    const env = { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key }
    const sent = await end(['sources', 'upload', '--server', made.body.slug, 'notes.txt', 'docs'], env)
    expect(sent.code).toBe(0)
    const { sources } = await docent.untilDone(made.body.slug)
    expect(sources).toMatchObject([
      { url: 'upload://notes.txt/', crawlStatus: 'complete' },
      { url: 'upload://docs/', crawlStatus: 'complete' },
    ])
  })

  test.each([
    ['without a key', ['docs'], {}, 3, 'set DOCENT_API_KEY'],
    ['with one name for two', ['docs', 'notes.txt', '--name', 'x'], { DOCENT_API_KEY: 'k' }, 2, 'One name is for one'],
    ['to nowhere', ['docs'], { DOCENT_API_KEY: 'k', DOCENT_URL: 'http://127.0.0.1:1' }, 4, 'cannot be reached'],
    ['without a path', [], {}, 2, 'missing required argument'],
  ])('fails with a sentence %s', async (_, args, env, code, sentence) => {
    const run = await end(['sources', 'upload', '--server', 'a', ...args], env)
    expect([run.code, run.stdout]).toEqual([code, ''])
    expect(run.stderr).toContain(sentence)
    expect(run.stderr).not.toContain('    at ')
  })
})
