import type { Block } from '#ingest/extract/extracted-page.ts'

type Heading = Block & { kind: 'heading' }

/** The headings that a place in a page stands under. */
export type HeadingPath = { headings: string[]; anchor: string | null }

/**
 * Follows a page's headings in order. `enter` takes the next heading and returns the path below it, outermost first.
 * A first-level heading that repeats the title is the title, and not part of the path.
 */
export function createHeadingTracker(title: string): { enter: (heading: Heading) => HeadingPath } {
  const open: { level: number; text: string }[] = []
  return {
    enter(heading) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
      if (heading.level === 1 && sameText(heading.text, title)) return { headings: [], anchor: heading.anchor }
      open.push({ level: heading.level, text: heading.text })
      return { headings: open.map(({ text }) => text), anchor: heading.anchor }
    },
  }
}

function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
