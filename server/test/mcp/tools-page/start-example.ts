import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { makeArchive } from '../../support/lib/make-archive.ts'
import { startDocent } from '../../support/service/harness.ts'
import { archivePage, jsonPage, startSite } from '../../support/sites/site.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const read = (path: string): string => readFileSync(join(fixtures, path), 'utf8')

/** Addresses of the example in place of those on loopback. */
const SITE = 'https://mailer.example.com'
const HOST = 'https://github.com'

/** The service with the server of docs/tools.md: a handbook, an API description and a repository with issues. */
export async function startExample() {
  const site = await startSite(sitePages())
  const github = await startSite({})
  addRepository(github)
  const docent = await startDocent({ environment: { DOCENT_GITHUB_API_URL: github.url } })
  const { serverId, slug } = await docent.createServer({
    name: 'Acme Mailer',
    tools: BUILT_IN_TOOLS.map(({ name }) => name),
    sources: [{ url: `${site.url}/`, type: 'docs', label: 'Handbook' }],
  })
  // One after the other: a source's questions are tried on what is published by then.
  for (const source of [
    { url: `${site.url}/openapi.json`, type: 'api', label: 'API' },
    { url: `${github.url}/acme/mailer`, type: 'repo', label: 'Code' },
  ]) {
    await docent.request('POST', `/api/mcp/${serverId}/sources`, source)
    await docent.untilDone(serverId)
  }
  // Cursors depend on random ids.
  const published = (text: string) =>
    text
      .replaceAll(site.url, SITE)
      .replaceAll(github.url, HOST)
      .replaceAll(/(?<=cursor ")[\w-]+(?=")/g, '…')
  const local = (text: string) => text.replaceAll(SITE, site.url).replaceAll(HOST, github.url)
  return {
    /** The text of a tool's answer, with the addresses of the example. */
    async call(tool: string, args: object): Promise<string> {
      const given = JSON.parse(local(JSON.stringify(args))) as object
      const { result, error } = await docent.callTool(slug, tool, given)
      if (error) throw new Error(error.message)
      return published(result.content[0].text)
    },
    async [Symbol.asyncDispose]() {
      for (const part of [docent, site, github]) await part[Symbol.asyncDispose]()
    },
  }
}

function sitePages(): Record<string, string> {
  const files = globSync('site/**/*.*', { cwd: fixtures })
  const pages = files.map((path) => [`/${relative('site', path)}`, read(path)] as const)
  return { ...Object.fromEntries(pages), '/': read('site/index.html') }
}

/** GitHub's API for `acme/mailer`, for any query. Only first pages have items. */
function addRepository(github: Awaited<ReturnType<typeof startSite>>): void {
  const base = '/repos/acme/mailer'
  const thread = (number: number) => `${base}/issues/${number}`
  const issues = JSON.parse(read('github/issues.json')) as { number: number }[]
  const comments = JSON.parse(read('github/comments.json')) as { issue: number }[]
  const lists: Record<string, object> = {
    [base]: { default_branch: 'main', private: false, full_name: 'acme/mailer' },
    [`${base}/releases`]: [],
    [`${base}/issues`]: issues.map((one) => ({ ...one, html_url: `${github.url}/acme/mailer/issues/${one.number}` })),
    [`${base}/issues/comments`]: comments.map(({ issue, ...one }) => ({
      ...one,
      issue_url: github.url + thread(issue),
    })),
  }
  const files = globSync('repository/**/*.*', { cwd: fixtures })
  const archive = makeArchive(
    Object.fromEntries(files.map((path) => [`mailer-main/${relative('repository', path)}`, read(path)])),
  )
  github.pages.get = (address) => {
    const [path = '', query = ''] = address.split('?')
    if (path === `${base}/tarball/main`) return archivePage(archive)
    return path in lists ? jsonPage(/(?:^|&)page=(?!1(?:&|$))/.test(query) ? [] : lists[path]) : undefined
  }
}
