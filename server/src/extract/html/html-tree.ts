import { Parser } from 'htmlparser2'
import { SLICE } from '#lib/text/in-slices.ts'
import { elementAt } from '#lib/arrays.ts'
import { oneLine } from '#lib/text/one-line.ts'
import names from './names.json' with { type: 'json' }

/**
 * A node of a document. The tree lists all nodes in document order, and `end` is the index after a node's last
 * descendant. So a subtree is a slice and every pass is a loop without recursion, whatever the depth. The first node is
 * the document.
 */
export type HtmlNode = {
  tree: HtmlTree
  index: number
  end: number
  parent: HtmlNode | null
  /** Lower-case element name, '' for text, '#document' for the first node. */
  tag: string
  attribs: Record<string, string>
  classes: ReadonlySet<string>
  text: string
  /** Set by passes if the subtree is not part of the page's text. */
  dropped: boolean
  /** Visible characters of the subtree, in total and inside links. */
  length: number
  linked: number
}

export type HtmlTree = HtmlNode[]

/** Real pages stay below 100 levels, pages with unclosed tags reach hundreds. The parser is slow on deep stacks. */
const MAX_DEPTH = 3_000
/** Upper bound for nodes: about 75 MB. The largest single-page manuals have about 300,000. */
const MAX_NODES = 500_000
const NO_ATTRIBUTES: Record<string, string> = Object.freeze({})
const NO_CLASSES: ReadonlySet<string> = new Set()

/** Attributes that some pass reads. Skip all others, because a tag can have a million of them. */
const ATTRIBUTES: ReadonlySet<string> = new Set(names.attributes)

/** Elements with content that is never shown. They can make up most of a page. */
const RAW = new Set(['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'svg'])
/** Obsolete predecessors of `pre`, which browsers still render like it. */
const OLD_PRE = new Set(['listing', 'plaintext', 'xmp'])

/**
 * Parses HTML leniently. Returns null for a document nested or fragmented beyond any real one. Skips the content of
 * script, style, svg and the like. Splits text longer than a slice into several nodes.
 */
export function parseHtml(html: string): HtmlTree | null {
  const tree: HtmlTree = []
  const document = addNode(tree, '#document', null)
  let current = document
  let depth = 0
  /** Depth inside a skipped element. */
  let hidden = 0
  let last = document
  /** The names of a class are the same object for all elements, because most classes recur. */
  const classes = new Map<string, ReadonlySet<string>>()
  const parser = new Parser(
    {
      onopentagname(tag) {
        depth++
        if (hidden > 0) {
          hidden++
          return
        }
        last = current = addNode(tree, OLD_PRE.has(tag) ? 'pre' : tag, current)
        if (RAW.has(tag)) {
          last.dropped = true
          hidden = 1
        }
      },
      onattribute(name, value) {
        if (hidden > 1 || !ATTRIBUTES.has(name) || last.attribs[name] !== undefined) return
        if (last.attribs === NO_ATTRIBUTES) last.attribs = {}
        last.attribs[name] = value
        if (name === 'class') last.classes = namesOf(value, classes)
      },
      ontext(text) {
        if (hidden > 0) return
        if (last.tag === '' && last.parent === current && last.end === tree.length && last.text.length < SLICE) {
          last.text += text
          return
        }
        last = addNode(tree, '', current)
        last.text = text
        last.end = tree.length
      },
      onclosetag() {
        depth--
        if (hidden > 0) hidden--
        if (hidden > 0 || current.parent === null) return
        current.end = tree.length
        last = current
        current = current.parent
      },
    },
    { decodeEntities: true },
  )
  for (let at = 0; at < html.length; at += SLICE) {
    parser.write(html.slice(at, at + SLICE))
    if (depth > MAX_DEPTH || tree.length > MAX_NODES) return null
  }
  parser.end()
  document.end = tree.length
  return tree
}

function addNode(tree: HtmlTree, tag: string, parent: HtmlNode | null): HtmlNode {
  // Without a spread, because this runs for every node.
  const node: HtmlNode = {
    tree,
    index: tree.length,
    end: 0,
    parent,
    tag,
    attribs: NO_ATTRIBUTES,
    classes: NO_CLASSES,
    text: '',
    dropped: false,
    length: 0,
    linked: 0,
  }
  tree.push(node)
  return node
}

function namesOf(value: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  let names = known.get(value)
  if (names === undefined) known.set(value, (names = new Set(value.split(/\s+/))))
  return names
}

export function attribute(node: HtmlNode, name: string): string {
  return node.attribs[name] ?? ''
}

/** Returns true if the element has one of the class names. */
export function hasClass(node: HtmlNode | null, names: ReadonlySet<string>): boolean {
  if (node !== null) for (const name of node.classes) if (names.has(name)) return true
  return false
}

/** Returns the text of a slice of the tree without dropped parts, cut soon after `limit` characters. */
export function textBetween(tree: HtmlTree, start: number, end: number, limit = SLICE): string {
  let text = ''
  for (let i = start; i < end && text.length < limit; i++) {
    const node = elementAt(tree, i)
    if (node.dropped) i = node.end - 1
    else text += node.text
  }
  return text
}

/** Returns the text inside an element, also of a dropped one, cut soon after `limit` characters. */
export function textOf(node: HtmlNode, limit = SLICE): string {
  return textBetween(node.tree, node.index + 1, node.end, limit)
}

/** Returns the text inside an element on one line. */
export function lineOf(node: HtmlNode, limit = SLICE): string {
  return oneLine(textOf(node, limit))
}

/** Returns true for a dropped node and for one without visible characters. */
export function isBlank(node: HtmlNode): boolean {
  return node.dropped || textBetween(node.tree, node.index, node.end).trim() === ''
}

export const HAS_TEXT = /[\p{L}\p{N}]/u

export function isShownText(node: HtmlNode): boolean {
  return node.tag === '' && node.text.trim() !== ''
}

/** Returns the first node inside `node` that passes the test. Tests fewer than `most` nodes. */
export function findInside(
  { tree, index, end }: HtmlNode,
  test: (node: HtmlNode) => boolean,
  most = Number.POSITIVE_INFINITY,
): HtmlNode | undefined {
  const stop = Math.min(end, index + most)
  for (let i = index + 1; i < stop; i++) {
    const node = elementAt(tree, i)
    if (test(node)) return node
  }
  return undefined
}

/** Returns the outermost nodes inside `node` that pass the test, in document order. */
export function outermostInside({ tree, index, end }: HtmlNode, test: (node: HtmlNode) => boolean): HtmlNode[] {
  const found: HtmlNode[] = []
  for (let i = index + 1; i < end; i++) {
    const node = elementAt(tree, i)
    if (!test(node)) continue
    found.push(node)
    i = node.end - 1
  }
  return found
}

export function childrenOf(node: HtmlNode): HtmlNode[] {
  return outermostInside(node, () => true)
}

/** Returns the node or its nearest ancestor that passes the test. */
export function closest(node: HtmlNode | null, test: (node: HtmlNode) => boolean): HtmlNode | null {
  let at = node
  while (at !== null && !test(at)) at = at.parent
  return at
}

export function isHeading({ tag }: HtmlNode): boolean {
  return tag.length === 2 && /^h[1-6]$/.test(tag)
}

/** Elements that start a new line. */
export const BLOCK_TAGS: ReadonlySet<string> = new Set(names.blocks)

/** Counts visible characters bottom-up. Dropped subtrees count as empty. */
export function weighText(tree: HtmlTree): void {
  for (let i = tree.length - 1; i >= 0; i--) {
    const node = elementAt(tree, i)
    if (node.dropped) {
      node.length = 0
      node.linked = 0
      continue
    }
    // Indentation between tags is not text.
    if (node.tag === '') node.length = node.text.trim().length
    if (node.tag === 'a' && node.attribs['href'] !== undefined) node.linked = node.length
    if (node.parent === null) continue
    node.parent.length += node.length
    node.parent.linked += node.linked
  }
}

export type OpenElements = ReturnType<typeof createOpenElements>

/**
 * Callbacks for the ends of open elements during a pass over the flat tree. The pass calls `closeUpTo` with every index
 * that it visits. That closes all elements that end there, innermost first.
 */
export function createOpenElements() {
  const open: { end: number; close: () => void }[] = []
  return {
    push: (end: number, close: () => void) => void open.push({ end, close }),
    closeUpTo(index: number) {
      for (let last = open.at(-1); last !== undefined && last.end <= index; last = open.at(-1)) {
        open.pop()
        last.close()
      }
    },
  }
}
