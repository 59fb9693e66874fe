type List = { ordered: boolean; next: number; indent: string }

/** Line prefixes of one paragraph. */
export type Prefix = {
  /** Prefix of the first line: the indent, then the marker if the item starts here. */
  first: string
  /** Prefix of the other lines. */
  rest: string
  inList: boolean
  /** True if the paragraph starts an item. */
  marked: boolean
}

export type LinePrefix = ReturnType<typeof createLinePrefix>

/** Maximum indent depth. Otherwise the indent of a list bomb grows with its square. */
const MAX_LIST_DEPTH = 12

/** Tracks open lists and quotes, and the item marker for the next line. */
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
    /** Makes the next paragraph a term. */
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
    /** Drops a pending marker before a fence or a heading, because those start at the left margin. */
    dropMarker() {
      marker = null
    },
    /** Returns the prefix of the next paragraph and consumes the pending marker. */
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
