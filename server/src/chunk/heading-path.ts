import type { Block } from '#documents/model/document.ts'

type Heading = Block & { kind: 'heading' }

/** The headings above a position in a page. */
export type HeadingPath = { headings: string[]; anchor: string | null }

/**
 * Tracks a page's headings in order. `enter` takes the next heading and returns the path below it, outermost first. A
 * heading that repeats the title is not part of the path. It must be of level one or the first heading of the page, as
 * DocBook writes it. A first heading of level one that begins with the title counts too.
 */
export function createHeadingTracker(title: string): {
  enter: (heading: Heading) => HeadingPath
  /** Returns the path of text that resumes below the last heading of this level or above. */
  leave: (level: number) => HeadingPath
} {
  const open: { level: number; text: string; anchor: string | null }[] = []
  let isFirst = true
  let titleAnchor: string | null = null
  // Reference pages append their purpose to the name.
  const name = plain(title.replace(/\s—\s.*$/s, ''))
  return {
    enter(heading) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
      const mayBeTitle = isFirst || heading.level === 1
      const text = plain(heading.text)
      // For example `git-log(1) Manual Page` on the page `git-log(1)`.
      const begins = isFirst && heading.level === 1 && name !== '' && text.startsWith(`${name} `)
      const isTitle = begins || (mayBeTitle && (text === plain(title) || text === name))
      isFirst = false
      if (isTitle) {
        titleAnchor = heading.anchor
        return { headings: [], anchor: titleAnchor }
      }
      // A heading without an anchor uses that of the nearest enclosing one.
      const anchor = heading.anchor ?? open.at(-1)?.anchor ?? null
      open.push({ level: heading.level, text: heading.text, anchor })
      return { headings: open.map(({ text }) => text), anchor }
    },
    leave(level) {
      while ((open.at(-1)?.level ?? 0) > level) open.pop()
      return {
        headings: open.map(({ text }) => text),
        anchor: open.length > 0 ? (open.at(-1)?.anchor ?? null) : titleAnchor,
      }
    },
  }
}

const plain = (text: string): string => text.trim().toLowerCase()
