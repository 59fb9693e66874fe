import { Parser } from 'htmlparser2'

/**
 * A document as a flat list in document order. `end` is the index after the node's last descendant, so a subtree is a
 * slice and every pass is a loop: nothing recurses, whatever the depth. The first node is the document itself.
 */
export type HtmlNode = {
  /** Lower-case element name, '' for text, '#document' for the first node. */
  tag: string
  attribs: Record<string, string>
  text: string
  /** Index of the parent, -1 for the document. */
  parent: number
  end: number
  /** Set by the passes: the subtree is not part of the page's text. */
  dropped: boolean
}

export type HtmlTree = HtmlNode[]

/** Real pages stay below 100 levels; broken ones with unclosed tags reach hundreds. The parser is slow on deep stacks. */
const MAX_DEPTH = 3_000
/** About 60 MB of nodes; the largest single-page manuals have some 300,000. */
const MAX_NODES = 500_000
/** Characters handed to the parser between two looks at the limits. */
const SLICE = 1 << 16

const NO_ATTRIBUTES: Record<string, string> = Object.freeze({})
/** Their text is never shown, and can be most of a page. */
const RAW = new Set(['script', 'style', 'template', 'noscript', 'svg'])

/**
 * Parses HTML the forgiving way. Returns null for a document nested or fragmented beyond any real one.
 * Text inside script, style and svg is left out; JSON-LD is not needed and not kept.
 */
export function parseHtml(html: string): HtmlTree | null {
  const document: HtmlNode = { tag: '#document', attribs: NO_ATTRIBUTES, text: '', parent: -1, end: 0, dropped: false }
  const nodes: HtmlTree = [document]
  let current = 0
  let depth = 0
  let hidden = 0
  let last: HtmlNode | undefined
  const parser = new Parser(
    {
      onopentag(tag, attribs) {
        depth++
        const raw = RAW.has(tag)
        if (raw) hidden++
        last = { tag, attribs, text: '', parent: current, end: 0, dropped: raw }
        current = nodes.push(last) - 1
      },
      ontext(text) {
        if (hidden > 0) return
        if (last !== undefined && last.tag === '' && last.parent === current && last.end === nodes.length) {
          last.text += text
          return
        }
        last = { tag: '', attribs: NO_ATTRIBUTES, text, parent: current, end: nodes.length + 1, dropped: false }
        nodes.push(last)
      },
      onclosetag(tag) {
        const node = nodes[current]
        if (node === undefined || node === document) return
        depth--
        if (RAW.has(tag)) hidden--
        node.end = nodes.length
        current = node.parent
        last = undefined
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

/** Whether an element's text is never shown. */
export function isRaw(tag: string): boolean {
  return RAW.has(tag)
}

/** Value of an attribute, '' when it is absent. */
export function attribute(node: HtmlNode, name: string): string {
  return node.attribs[name] ?? ''
}

/** Text of a slice of the tree, dropped parts left out. */
export function textOf(tree: HtmlTree, start: number, end: number): string {
  let text = ''
  for (let i = start; i < end; i++) {
    const node = tree[i]
    if (node === undefined) break
    if (node.dropped) i = node.end - 1
    else text += node.text
  }
  return text
}
