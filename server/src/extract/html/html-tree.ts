import { Parser } from 'htmlparser2'
import { SLICE } from '#lib/text/in-slices.ts'
import { elementAt } from '#lib/element-at.ts'

/**
 * A node of a document, stored as a flat list in document order. `end` is the index after the node's last descendant.
 * So a subtree is a slice and every pass is a loop without recursion, whatever the depth. The first node is the
 * document.
 */
export type HtmlNode = {
  /** Lower-case element name, '' for text, '#document' for the first node. */
  tag: string
  attribs: Record<string, string>
  text: string
  /** Index of the parent, -1 for the document. */
  parent: number
  end: number
  /** Set by passes if the subtree is not part of the page's text. */
  dropped: boolean
}

export type HtmlTree = HtmlNode[]

/**
 * Upper bound for nesting. Real pages stay below 100 levels, pages with unclosed tags reach hundreds. The parser is
 * slow on deep stacks.
 */
const MAX_DEPTH = 3_000
/** Upper bound for nodes: about 60 MB. The largest single-page manuals have about 300,000. */
const MAX_NODES = 500_000
const NO_ATTRIBUTES: Record<string, string> = Object.freeze({})

/** Attributes that some pass reads. Skip all others, because a tag can have a million of them. */
const ATTRIBUTES = new Set(
  'alt alttext aria-hidden aria-label class colspan content data-component-part data-entry data-lang data-language data-latex data-line data-line-number data-math data-src data-tex display encoding hidden href http-equiv id itemprop lang language name property rel role rowspan shadowrootmode src start style title type xml:lang'.split(
    ' ',
  ),
)

/** Elements with content that is never shown. They can make up most of a page. */
const RAW = new Set(['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'svg'])
/** Obsolete predecessors of `pre`, which browsers still render like it. */
const OLD_PRE = new Set(['listing', 'plaintext', 'xmp'])

/**
 * Parses HTML leniently. Returns null for a document nested or fragmented beyond any real one. Skips the content of
 * script, style, svg and the like. Splits text longer than a slice into several nodes.
 */
export function parseHtml(html: string): HtmlTree | null {
  const document = createNode('#document', -1)
  const nodes: HtmlTree = [document]
  let current = 0
  let depth = 0
  /** Depth inside a skipped element. */
  let hidden = 0
  let last: HtmlNode = document
  const parser = new Parser(
    {
      onopentagname(tag) {
        depth++
        if (hidden > 0) {
          hidden++
          return
        }
        last = createNode(OLD_PRE.has(tag) ? 'pre' : tag, current)
        current = nodes.push(last) - 1
        if (RAW.has(tag)) {
          last.dropped = true
          hidden = 1
        }
      },
      onattribute(name, value) {
        if (hidden > 1 || !ATTRIBUTES.has(name) || last.attribs[name] !== undefined) return
        if (last.attribs === NO_ATTRIBUTES) last.attribs = {}
        last.attribs[name] = value
      },
      ontext(text) {
        if (hidden > 0) return
        if (last.tag === '' && last.parent === current && last.end === nodes.length && last.text.length < SLICE) {
          last.text += text
          return
        }
        last = createNode('', current)
        last.text = text
        last.end = nodes.push(last)
      },
      onclosetag() {
        depth--
        if (hidden > 0) hidden--
        if (hidden > 0) return
        const node = nodes[current]
        if (node === undefined || node === document) return
        node.end = nodes.length
        current = node.parent
        last = node
      },
    },
    { decodeEntities: true },
  )
  for (let at = 0; at < html.length; at += SLICE) {
    parser.write(html.slice(at, at + SLICE))
    if (depth > MAX_DEPTH || nodes.length > MAX_NODES) return null
  }
  parser.end()
  document.end = nodes.length
  return nodes
}

function createNode(tag: string, parent: number): HtmlNode {
  return { tag, attribs: NO_ATTRIBUTES, text: '', parent, end: 0, dropped: false }
}

/** Returns true if the text of the element is never shown. */
export function isRaw(tag: string): boolean {
  return RAW.has(tag)
}

/** Returns the value of an attribute, or '' if absent. */
export function attribute(node: HtmlNode, name: string): string {
  return node.attribs[name] ?? ''
}

/** Returns the text of a slice of the tree without dropped parts, cut soon after `limit` characters. */
export function textOf(tree: HtmlTree, start: number, end: number, limit = SLICE): string {
  let text = ''
  for (let i = start; i < end && text.length < limit; i++) {
    const node = tree[i]
    if (node === undefined) break
    if (node.dropped) i = node.end - 1
    else text += node.text
  }
  return text
}

/** Elements that start a new line. */
export const BLOCK_TAGS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option optgroup p pre search section summary table tbody td textarea tfoot th thead tr ul'.split(
    ' ',
  ),
)

/** Text length of each subtree, in total and inside links. Indices match the tree. */
export type TextWeight = { all: Float64Array; linked: Float64Array }

/** Counts visible characters bottom-up. Dropped subtrees count as empty. */
export function weighText(tree: HtmlTree): TextWeight {
  const all = new Float64Array(tree.length)
  const linked = new Float64Array(tree.length)
  for (let i = tree.length - 1; i >= 0; i--) {
    const node = tree[i]
    if (node === undefined) continue
    if (node.dropped) {
      all[i] = 0
      linked[i] = 0
      continue
    }
    if (node.tag === '') all[i] = visibleLength(node.text)
    if (node.tag === 'a' && node.attribs['href'] !== undefined) linked[i] = elementAt(all, i)
    if (node.parent >= 0) {
      all[node.parent] = elementAt(all, node.parent) + elementAt(all, i)
      linked[node.parent] = elementAt(linked, node.parent) + elementAt(linked, i)
    }
  }
  return { all, linked }
}

/** Length without surrounding white space: indentation between tags is not text. */
function visibleLength(text: string): number {
  return text.length < 2 ? (text.trim() === '' ? 0 : text.length) : text.trim().length
}

/**
 * Callbacks for the ends of open elements during a pass over the flat tree. The pass calls `closeUpTo` with every index
 * that it visits. That closes all elements that end there, innermost first.
 */
export type OpenElements = { push: (end: number, close: () => void) => void; closeUpTo: (index: number) => void }

export function createOpenElements(): OpenElements {
  const open: { end: number; close: () => void }[] = []
  return {
    push(end, close) {
      open.push({ end, close })
    },
    closeUpTo(index) {
      for (let last = open.at(-1); last !== undefined && last.end <= index; last = open.at(-1)) {
        open.pop()
        last.close()
      }
    },
  }
}
