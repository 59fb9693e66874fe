import { Marked, type Tokens } from 'marked'
import { type Document, linkedPath, pageName } from './documents.ts'

/** A part of a page below a heading, for the search. */
export type Section = { page: string; title: string; heading: string; anchor: string; text: string }
/** Addresses of files of the project that the site does not have, by their path. */
export type Elsewhere = Readonly<Record<string, string>>
export type Rendered = { title: string; html: string; sections: Section[]; files: string[] }

/**
 * Makes HTML of a document, with an anchor for each heading, links to pages of the site, and the sections that the
 * search finds. `files` are the files of the project that it links to: they are at `files/PATH` in the site.
 */
export function renderDocument({ path, name, text }: Document, elsewhere: Elsewhere = {}): Rendered {
  const files: string[] = []
  const anchors = new Map<string, number>()
  const sections: Section[] = []
  const [, title = name] = /^# (.+)/m.exec(text) ?? []
  const place = (href: string) => placeLink(path, href, { files, elsewhere })
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer)
        const anchor = unique(slugOfHeading(plain), anchors)
        sections.push({ page: name, title, heading: depth === 1 ? '' : plain, anchor, text: '' })
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
    },
    // Tables scroll in a box of their own, where the screen is narrow.
    hooks: {
      postprocess: (html) =>
        html.replaceAll('<table>', '<div class="table"><table>').replaceAll('</table>', '</table></div>'),
    },
    walkTokens(token) {
      if (token.type === 'link' || token.type === 'image') token['href'] = place((token as Tokens.Link).href)
    },
  })
  const html = marked.parse(text, { async: false })
  addTexts(sections, text)
  return { title, html, sections, files }
}

/** The anchor of a heading, as in the links between documents. */
export function slugOfHeading(heading: string): string {
  const kept = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return kept.trim().replaceAll(/\s/g, '-')
}

function unique(slug: string, anchors: Map<string, number>): string {
  const before = anchors.get(slug) ?? 0
  anchors.set(slug, before + 1)
  return before === 0 ? slug : `${slug}-${before}`
}

type Places = { files: string[]; elsewhere: Elsewhere }

function placeLink(document: string, href: string, { files, elsewhere }: Places): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [link = '', anchor] = href.split('#')
  const path = linkedPath(document, link)
  const page = pageName(path)
  if (page === null && elsewhere[path] === undefined) files.push(path)
  return addressOf(path, elsewhere) + (anchor === undefined ? '' : `#${anchor}`)
}

/** The address of a document or another file of the project, in the site. */
export function addressOf(path: string, elsewhere: Elsewhere): string {
  const page = pageName(path)
  return page === null ? (elsewhere[path] ?? `files/${path}`) : `${page}.html`
}

/** Gives each section the lines below its heading. */
function addTexts(sections: Section[], text: string): void {
  let fence: string | null = null
  let at = -1
  for (const line of text.split('\n')) {
    const [, marks] = /^ {0,6}(`{3,}|~{3,})/.exec(line) ?? []
    if (marks !== undefined) fence = fence === null ? marks : line.trim() === fence ? null : fence
    const isHeading = fence === null && /^#{1,6} /.test(line)
    if (isHeading) at++
    const section = sections[at]
    if (section && !isHeading) section.text += `${line}\n`
  }
}
