import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import { licenceOf } from '../licences.mjs'
import { llmsTxtOf } from '../../server/src/http/list-documents.ts'
import { linkedPath, readDocuments, ROOT } from './documents.ts'
import { pageOf, readKinds, type Site } from './page.ts'
import { addressOf, type Elsewhere, renderDocument, type Section } from './render-document.ts'

/** What the search stores and reads. `search.js` loads the index with the same fields. */
const FIELDS = { fields: ['heading', 'title', 'text'], storeFields: ['page', 'title', 'heading', 'anchor'] }

/** What a service has at another address. */
const OF_INSTANCE: Elsewhere = { 'docs/openapi.json': '/openapi.json' }

/** Writes the site into a folder, and returns the number of its pages. Other files in the folder stay. */
export function writeSite(folder: string, site: Site): number {
  const documents = readDocuments()
  const list = documents.find(({ name }) => name === 'index')?.text ?? ''
  const kinds = readKinds(list)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const elsewhere = site.isInstance ? OF_INSTANCE : {}
  const sections: Section[] = []
  for (const document of documents) {
    const rendered = renderDocument(document, elsewhere)
    write(`${document.name}.html`, pageOf(document.name, rendered, kinds, site))
    for (const file of rendered.files) copy(join(ROOT, file), join(folder, 'files', file))
    sections.push(...rendered.sections)
  }
  if (!site.isInstance)
    write(
      'llms.txt',
      llmsTxtOf(list, (link) => addressOf(linkedPath('docs/README.md', link), {})),
    )
  write('assets/search-index.js', `window.docentIndex = ${JSON.stringify(JSON.stringify(indexOf(sections)))}\n`)
  for (const asset of ['site.css', 'search.js'])
    copy(join(import.meta.dirname, 'assets', asset), join(folder, 'assets', asset))
  const search = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../..')
  copy(join(search, 'dist/umd/index.js'), join(folder, 'assets/minisearch.js'))
  write('licences.txt', licenceOf(search))
  return documents.length
}

function indexOf(sections: readonly Section[]): MiniSearch {
  const index = new MiniSearch(FIELDS)
  index.addAll(sections.map((section, id) => ({ id, ...section })))
  return index
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}
