/** A code block of a page. */
export type Fence = {
  /** As the page names it, or null. */
  language: string | null
  text: string
  /** Offsets of the whole fence. */
  start: number
  end: number
}

/** The fenced code of a Markdown text, in order. A fence that is never closed goes to the end. */
export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { start: number; body: number; mark: string; language: string | null } | null = null
  for (const { index, 0: line, 1: mark = '', 2: info = '' } of markdown.matchAll(/^[ \t]*(`{3,}|~{3,})(.*)$/gm)) {
    const after = Math.min(markdown.length, index + line.length + 1)
    if (open === null) {
      open = { start: index, body: after, mark, language: /[\w+#.-]+/.exec(info)?.[0] ?? null }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push(finish(open, index - 1, index + line.length))
      open = null
    }
  }
  if (open !== null) fences.push(finish(open, markdown.length, markdown.length))
  return fences

  function finish({ start, body, language }: NonNullable<typeof open>, last: number, end: number): Fence {
    return { language, text: markdown.slice(body, Math.max(body, last)), start, end }
  }
}
