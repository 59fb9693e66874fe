import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import { llmsTxtOf } from '../../server/src/http/list-documents.ts'
import { linkedPath, pageName, readDocuments, ROOT } from './documents.ts'
import { pageOf, readKinds, type Widget } from './page.ts'
import { renderDocument, type Section } from './render-document.ts'

/** What the search stores and reads. `search.js` loads the index with the same fields. */
const FIELDS = { fields: ['heading', 'title', 'text'], storeFields: ['page', 'title', 'heading', 'anchor'] }

/** Writes the site into a folder, and returns the number of its pages. Other files in the folder stay. */
export function writeSite(folder: string, widget: Widget): number {
  const documents = readDocuments()
  const list = documents.find(({ name }) => name === 'index')?.text ?? ''
  const kinds = readKinds(list)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const sections: Section[] = []
  for (const document of documents) {
    const rendered = renderDocument(document)
    write(`${document.name}.html`, pageOf(document.name, rendered, kinds, widget))
    for (const file of rendered.files) copy(join(ROOT, file), join(folder, 'files', file))
    sections.push(...rendered.sections)
  }
  const addressOf = (link: string) => {
    const path = linkedPath('docs/README.md', link)
    const name = pageName(path)
    return name === null ? `files/${path}` : `${name}.html`
  }
  write('llms.txt', llmsTxtOf(list, addressOf))
  write('assets/search-index.js', `window.docentIndex = ${JSON.stringify(JSON.stringify(indexOf(sections)))}\n`)
  for (const asset of ['site.css', 'search.js'])
    copy(join(import.meta.dirname, 'assets', asset), join(folder, 'assets', asset))
  copy(
    join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../umd/index.js'),
    join(folder, 'assets/minisearch.js'),
  )
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
