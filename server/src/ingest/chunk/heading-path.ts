import type { Block } from '#ingest/extract/extracted-page.ts'

type Heading = Block & { kind: 'heading' }

/** The headings that a place in a page stands under. */
export type HeadingPath = { headings: string[]; anchor: string | null }

/**
 * Follows a page's headings in order. `enter` takes the next heading and returns the path below it, outermost first.
 * A heading that repeats the title is the title, and not part of the path: one of the first level, or the first of the
 * page whatever its level, as DocBook writes it. So is a first one of the first level that says more than the title.
 */
export function createHeadingTracker(title: string): {
  enter: (heading: Heading) => HeadingPath
  /** The path of what goes on below the last heading of this level or above. */
  leave: (level: number) => HeadingPath
} {
  const open: { level: number; text: string; anchor: string | null }[] = []
  let isFirst = true
  let titleAnchor: string | null = null
  // What a reference page is for stands behind its name.
  const name = title.replace(/\s—\s.*$/s, '')
  return {
    enter(heading) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
      const mayBeTitle = isFirst || heading.level === 1
      const isTitle =
        (mayBeTitle && (sameText(heading.text, title) || sameText(heading.text, name))) ||
        (isFirst && heading.level === 1 && begins(heading.text, name))
      isFirst = false
      if (isTitle) {
        titleAnchor = heading.anchor
        return { headings: [], anchor: titleAnchor }
      }
      // One that cannot be led to is found from the nearest around it that can.
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

/** `git-log(1) Manual Page` on the page `git-log(1)`. */
function begins(heading: string, title: string): boolean {
  return title.trim() !== '' && heading.trim().toLowerCase().startsWith(`${title.trim().toLowerCase()} `)
}

function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
