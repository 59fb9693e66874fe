// A documentation search as a team would assemble it: `node assembled.mjs minisearch|fts5 SITE FOLDER < QUESTIONS`.
// crawlee crawls the site, Readability finds the article of each page, its sections become the entries of the index, and
// the index is written to FOLDER. Prints the figures as JSON.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import MiniSearch from 'minisearch'

const [engine = '', site = '', folder = ''] = process.argv.slice(2)
const { questions, rounds } = JSON.parse(readFileSync(0, 'utf8'))
const LIMIT = 5
/** Any word of a question can match, and words in titles and headings count more. */
const WORD = /[\p{L}\p{N}_]+/gu
mkdirSync(folder, { recursive: true })
// Its log goes to standard output.
log.setLevel(log.LEVELS.OFF)

const ENGINES = { minisearch: indexWithMiniSearch, fts5: indexWithFts5 }
const started = process.cpuUsage()
const pages = await crawl()
const search = ENGINES[engine](pages.flatMap(sectionsOf))
const indexCpuMs = cpuSince(started)
const peakMb = process.resourceUsage().maxRSS / 1000

const results = questions.map((question) => search(question))
const times = []
const searching = process.cpuUsage()
for (let round = 0; round < rounds; round++) {
  for (const question of questions) {
    const begun = performance.now()
    search(question)
    times.push(performance.now() - begun)
  }
}
const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
const answer = { pages: pages.length, indexCpuMs, peakMb, searchCpuMs: cpuSince(searching) / times.length }
process.stdout.write(JSON.stringify({ ...answer, p99: percentile(times, 0.99), bytes, results }))

async function crawl() {
  const found = []
  const configuration = new Configuration({ persistStorage: false })
  const crawler = new CheerioCrawler(
    {
      maxConcurrency: 8,
      async requestHandler({ request, body, enqueueLinks }) {
        if (String(body) !== '') found.push({ url: request.loadedUrl ?? request.url, html: String(body) })
        await enqueueLinks({ strategy: 'same-hostname' })
      },
    },
    configuration,
  )
  await crawler.run([site])
  return found
}

/** The article of a page, divided at its headings. */
function sectionsOf({ url, html }) {
  const { document } = parseHTML(html)
  if (!document.documentElement) return []
  const title = document.title
  const article = new Readability(document, { keepClasses: false }).parse()
  if (!article) return []
  const { document: content } = parseHTML(`<html><body>${article.content}</body></html>`)
  const sections = [{ url, title, heading: title, text: '' }]
  for (const element of content.querySelectorAll('h1, h2, h3, h4, p, li, pre, td, th')) {
    const text = element.textContent.trim()
    if (/^H[1-4]$/.test(element.tagName)) sections.push({ url, title, heading: text, text: '' })
    else sections.at(-1).text += `${text}\n`
  }
  return sections.filter(({ text }) => text !== '')
}

function indexWithMiniSearch(sections) {
  const options = { fields: ['title', 'heading', 'text'], storeFields: ['url', 'heading', 'text'] }
  const index = new MiniSearch({
    ...options,
    searchOptions: { boost: { title: 2, heading: 3 }, prefix: true, fuzzy: 0.2 },
  })
  index.addAll(sections.map((section, id) => ({ id, ...section })))
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index))
  return (question) =>
    index
      .search(question)
      .slice(0, LIMIT)
      .map(({ url }) => url)
}

function indexWithFts5(sections) {
  const database = new DatabaseSync(join(folder, 'index.sqlite'))
  database.exec(
    `create virtual table sections using fts5(url unindexed, title, heading, text, tokenize = 'porter unicode61')`,
  )
  const insert = database.prepare('insert into sections values (?, ?, ?, ?)')
  database.exec('begin')
  for (const { url, title, heading, text } of sections) insert.run(url, title, heading, text)
  database.exec('commit')
  const find = database.prepare(
    `select url from sections where sections match ? order by bm25(sections, 0, 2, 3, 1) limit ${LIMIT}`,
  )
  return (question) => {
    const words = [...question.matchAll(WORD)].map(([word]) => `"${word}"`)
    return find.all(words.join(' OR ')).map(({ url }) => url)
  }
}

function cpuSince(start) {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}
