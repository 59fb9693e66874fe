import { tooMuchText, MAX_HTML } from './document-writer.ts'
import type { HtmlFile } from './extract-file.ts'
import { pathOf, textOf } from './package-parts.ts'
import { damaged, type Parts, partOf, protectedByPassword } from './read-parts.ts'
import { type Attributes, readXml } from './read-xml.ts'

/** Attributes that readers of pages use. Links lead to other parts of the book, so only those to pages remain. */
const KEPT = new Set(['id', 'class', 'alt', 'colspan', 'rowspan', 'start', 'href'])
const SKIPPED = new Set(['script', 'style', 'svg', 'nav', 'head'])
/** Tables of contents by DocBook and Sphinx, and those that a book names as such. */
const CONTENTS = /(?:^|\s)(?:toc|toctree-wrapper)(?:\s|$)/
const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr', 'input'])
/** Scrambled fonts are the only encrypted parts of a book that can be read. */
const FONT_ALGORITHM = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc/

/** Converts a book (EPUB 2 and 3) to HTML: its chapters in order, without its table of contents. */
export function epubToHtml(parts: Parts): HtmlFile {
  let path = ''
  readXml(partOf(parts, 'META-INF/container.xml'), {
    open: (name, attributes) => void (name === 'rootfile' && (path ||= attributes['full-path'] ?? '')),
  })
  if (isEncrypted(parts.get('META-INF/encryption.xml'))) throw protectedByPassword()
  const description = partOf(parts, path)
  const chapters = chaptersOf(description, path)
  if (chapters.length === 0) throw damaged('it lists no chapters')
  let html = ''
  for (const chapter of chapters) {
    html += chapterHtml(partOf(parts, chapter))
    if (html.length > MAX_HTML) throw tooMuchText()
  }
  const language = textOf(description, 'language').slice(0, 2).toLowerCase()
  return { html, title: textOf(description, 'title'), language: /^[a-z]{2}$/.test(language) ? language : null }
}

function isEncrypted(part: Uint8Array | undefined): boolean {
  let isLocked = false
  if (part === undefined) return isLocked
  readXml(part, {
    open: (name, { Algorithm = '' }) =>
      void (isLocked ||= name === 'EncryptionMethod' && !FONT_ALGORITHM.test(Algorithm)),
  })
  return isLocked
}

/** Paths of the chapters in reading order. */
function chaptersOf(description: Uint8Array, path: string): string[] {
  const documents = new Map<string, string>()
  const order: string[] = []
  readXml(description, {
    open(name, { id = '', href = '', idref = '', properties = '', ...attributes }) {
      const isPage = /xhtml|html/.test(attributes['media-type'] ?? '') && !/\bnav\b/.test(properties)
      if (name === 'item' && isPage) documents.set(id, pathOf(href, path))
      else if (name === 'itemref') order.push(idref)
    },
  })
  return [...new Set(order.flatMap((id) => documents.get(id) ?? []))]
}

/** Returns the content of a chapter as HTML: its XML has elements that HTML would not close. */
function chapterHtml(part: Uint8Array): string {
  const pieces: string[] = []
  readXml(
    part,
    {
      open(name, attributes) {
        if (SKIPPED.has(name) || isContents(attributes)) return false
        if (name !== 'html' && name !== 'body') pieces.push(`<${name}${attributesOf(attributes)}>`)
        return true
      },
      text: (text) => pieces.push(text),
      close(name) {
        if (name !== 'html' && name !== 'body' && !VOID.has(name)) pieces.push(`</${name}>`)
      },
    },
    { asWritten: true },
  )
  return pieces.join('')
}

function isContents({ class: names = '', 'epub:type': type = '' }: Attributes): boolean {
  return CONTENTS.test(names) || CONTENTS.test(type)
}

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([name, value]) => KEPT.has(name) && (name !== 'href' || /^https?:/.test(value)))
    .map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`)
    .join('')
}
