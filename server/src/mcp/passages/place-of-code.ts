import { type Section, sectionsOf } from '#library/sections.ts'
import { addressInPassage } from '#search/passage-of-chunk.ts'
import type { Passage, PassageCode } from '#search/passage.ts'
import { usualAnchor } from '#search/segment/usual-anchor.ts'
import { oneLine } from './frame.ts'

const BETWEEN = ' › '
const FENCE = /^\s*(?:`{3,}|~{3,})/

/** Location of a code block within its passage. */
export type CodePlace = {
  heading: string
  url: string
  /**
   * Description of the block: the last line of prose between its heading and it. If the block comes first, as in pages
   * made from source code, the line after it, unless that introduces another block. Can be empty.
   */
  context: string
}

/**
 * Locates a code block. A passage is cited by its first section. Passages of API members can contain parts with
 * headings, and those of an earlier version can combine several short sections. The address of a later section is known
 * if the page has standard anchors.
 */
export function placeOfCode(found: Passage, { text, start: at }: PassageCode): CodePlace {
  const { passage, heading } = found
  const url = addressInPassage(found, at)
  const sections = sectionsOf(passage)
  const own = sections.findLast(({ start, level }) => level > 0 && start < at)
  const before = lastProse(passage.slice(own?.body ?? 0, at))
  const context = before === '' ? proseAfter(passage.slice(at + text.length, own?.end)) : before
  const path = heading === '' ? [] : heading.split(BETWEEN)
  const cited = path.at(-1)
  if (own === undefined || cited === undefined || own.heading === cited || own.level === 1)
    return { heading, url, context }
  return { heading: pathTo(own, path, sections).join(BETWEEN), url: addressOf(own, { url, cited }), context }
}

/** Sections of one passage are siblings, or nested in one another. */
function pathTo(own: Section, path: readonly string[], sections: readonly Section[]): string[] {
  const first = sections.find(({ heading }) => heading === path.at(-1))
  return [...(first && own.level > first.level ? path : path.slice(0, -1)), own.heading]
}

function addressOf({ heading }: Section, { url, cited }: { url: string; cited: string }): string {
  const usual = `#${usualAnchor([cited])}`
  return usual !== '#' && url.endsWith(usual) ? `${url.slice(0, -usual.length)}#${usualAnchor([heading])}` : url
}

/** The last line is the opening fence. Text in earlier fences is code, not context. */
function lastProse(before: string): string {
  let inside = false
  const prose = before
    .split('\n')
    .slice(0, -1)
    .filter((line) => {
      if (FENCE.test(line)) {
        inside = !inside
        return false
      }
      return !inside && line.trim() !== ''
    })
  return oneLine(prose.at(-1) ?? '')
}

/** The first line is the closing fence. Code comments are wrapped, so the paragraph counts as one line. */
function proseAfter(after: string): string {
  const rest = after.replace(/^\n?[^\n]*\n/, '').trimStart()
  const [paragraph = ''] = rest.split('\n\n', 1)
  return FENCE.test(paragraph) || /^(?:#{1,6}\s|\|)|:$/.test(paragraph.trim()) ? '' : oneLine(paragraph)
}
