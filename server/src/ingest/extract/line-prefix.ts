type List = { ordered: boolean; next: number; indent: string }

/** What the lines of one paragraph begin with. */
export type Prefix = {
  /** Before the first line: indent, then the item's marker if the item begins here. */
  first: string
  /** Before the further lines. */
  rest: string
  inList: boolean
  /** The paragraph begins an item. */
  marked: boolean
}

export type LinePrefix = ReturnType<typeof createLinePrefix>

/** Deeper lists are drawn at this depth: the indent of a list bomb would otherwise grow with its square. */
const MAX_LIST_DEPTH = 12

/** Keeps track of open lists and quotes, and of the item marker that waits for its first line. */
export function createLinePrefix() {
  const lists: List[] = []
  let quotes = 0
  let marker: string | null = null
  return {
    openList(ordered: boolean, first: number) {
      const outer = lists.at(-1)
      const width = outer === undefined || lists.length >= MAX_LIST_DEPTH ? 0 : markerWidth(outer)
      lists.push({ ordered, next: first, indent: (outer?.indent ?? '') + ' '.repeat(width) })
    },
    closeList() {
      lists.pop()
      marker = null
    },
    openItem() {
      const list = lists.at(-1)
      marker = list?.ordered === true ? `${list.next++}. ` : '- '
    },
    /** The next paragraph is a term, or the meaning of one. */
    openTerm() {
      marker = ''
    },
    openDefinition() {
      marker = ': '
    },
    closeItem() {
      marker = null
    },
    openQuote() {
      quotes++
    },
    closeQuote() {
      quotes--
    },
    /** A marker that has met no line before a fence or a heading is lost: those stand at the margin. */
    dropMarker() {
      marker = null
    },
    /** The prefix of the next paragraph; takes the marker that waits. */
    take(): Prefix {
      const list = lists.at(-1)
      const inList = list !== undefined || marker !== null
      const indent = (quotes > 0 ? '> ' : '') + (list?.indent ?? '')
      const rest = inList ? indent + ' '.repeat(list === undefined ? 2 : markerWidth(list)) : indent
      const prefix = { first: marker === null ? rest : indent + marker, rest, inList, marked: marker !== null }
      marker = null
      return prefix
    },
  }
}

function markerWidth(list: List): number {
  return list.ordered ? 3 : 2
}
