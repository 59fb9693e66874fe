import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Page, type Site, startSite } from '../support/sites/site.ts'

const FORGE = '/api/v1/repos/a/b'
const REFS = '/a/b.git/info/refs?service=git-upload-pack'

let docent: Docent
beforeAll(async () => void (docent = await startDocent()))
afterAll(async () => docent[Symbol.asyncDispose]())

const answer =
  (status: number, headers: Record<string, string> = {}): Page =>
  (_, response) =>
    void response.writeHead(status, headers).end()

/** Indexes the repository `a/b` of a host with these answers. Returns its source as the owner sees it, and requests. */
async function index(pages: Record<string, Page>) {
  await using site: Site = await startSite(pages)
  const sources = [{ url: `${site.url}/a/b`, type: 'repo' }]
  const { body } = await docent.request('POST', '/api/mcp/create', { name: 'A', sources })
  const [source] = (await docent.untilDone(body.slug)).sources
  return { source, asked: site.requests.filter(({ path }) => path === FORGE).length }
}

test.each<[string, Record<string, Page>, RegExp]>([
  ['that leads to a private address', { [FORGE]: answer(302, { location: 'http://10.1.2.3/' }) }, /private|internal/],
  [
    'whose git leads to a private address',
    { [REFS]: answer(302, { location: 'http://10.1.2.3/' }) },
    /private|internal/,
  ],
  ['that answers 401', { [REFS]: answer(401) }, /does not show the repository to everybody/],
  ['that answers 403', { [REFS]: answer(403) }, /does not show the repository to everybody/],
  ['that answers 404', {}, /does not lead to a repository/],
  ['that redirects in a loop', { [REFS]: answer(302, { location: REFS }) }, /circle/],
  ['that is a site', { [REFS]: '<title>Hello</title>' }, /does not lead to a repository/],
])('fails a repository %s with the reason after one attempt', async (_, pages, reason) => {
  const { source, asked } = await index(pages)
  const { crawlStatus, crawlError } = source
  expect(crawlStatus).toBe('error')
  expect(crawlError).toMatch(reason)
  expect(asked).toBe(1)
})
