import { Parser } from 'htmlparser2'
import { oneLine } from '#lib/text/one-line.ts'

/** Metadata from the head of an HTML page. */
export type PageHead = { title: string | null; generator: string | null }

/** Reads the head of a page. `html` is the beginning of the page. */
export function readPageHead(html: string): PageHead {
  const head: PageHead = { title: null, generator: null }
  let title: string | null = null
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'title' && head.title === null) title = ''
      if (tag === 'meta' && attributes['name']?.toLowerCase() === 'generator') {
        head.generator ??= oneLine(attributes['content'] ?? '') || null
      }
    },
    ontext(text) {
      if (title !== null) title += text
    },
    onclosetag(tag) {
      if (tag !== 'title' || title === null) return
      head.title = oneLine(title) || null
      title = null
    },
  })
  parser.end(html)
  return head
}
