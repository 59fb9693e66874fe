import type { Block, Entry, Section, Span } from '../document.ts'
import { nameHash } from '../name-key.ts'
import { itemsOf } from '../read-block.ts'

/** Fewer or more items of an ordered list are no procedure. */
const LEAST = 2
const MOST = 40
const LONGEST_NAME = 120

/** Headings that announce what somebody does: `How to …`, `Installing …`, `Create …`. */
const HOW_TO =
  /\b(?:how (?:to|do|can)|instructions?|procedure|quick ?-?start|getting started|set(?:ting)? up|steps|tutorial|walk-?through|(?:re|un)?install(?:ation|ing)?|configur(?:e|ing)|migrat(?:e|ing)|upgrad(?:e|ing))\b|^\W*(?:\d[\d.]* )?(?:[A-Z][a-z]+ing|Add|Build|Change|Check|Connect|Convert|Copy|Create|Debug|Define|Deploy|Disable|Download|Enable|Export|Generate|Get|Import|Make|Move|Open|Prepare|Publish|Register|Remove|Replace|Restore|Run|Send|Set|Start|Submit|Switch|Test|Turn|Update|Use|Verify|Write) /
/** An item that says what to do begins with a verb in its base form. */
const IMPERATIVE =
  /^(?:\*\*|_)?(?!(?:a|all|always|an|as|at|both|by|each|every|first|for|from|he|her|his|if|in|it|its|no|of|on|one|our|she|some|that|the|their|there|these|they|this|those|to|two|we|what|when|where|which|while|with|you|your)\b)\p{L}{2,20}(?<!\p{L}{2}(?:ed|ing|ly)|[^s]s)(?=[\s,])/iu
const STEP = /^step \d/i
const NUMBERED = /^\d{1,2}[.:)] \p{L}/u

/** True if a heading, or the one above it, announces what somebody does. */
function isHowTo({ heading, path }: Section, title: string): boolean {
  return HOW_TO.test(heading) || HOW_TO.test(path.at(-1) ?? title)
}

/** Tells headings of steps: `Step 2`, and numbered ones of a procedure. Chapters of a document are numbered too. */
export function stepHeadings(title: string, sections: readonly Section[]): (section: Section) => boolean {
  const isDivided = sections.some(({ heading }) => /^\d{1,2}\.\d/.test(heading))
  const numbered = isDivided ? [] : sections.filter(({ heading }) => NUMBERED.test(heading))
  const isProcedure = numbered.filter((section) => isHowTo(section, title)).length * 2 >= numbered.length
  const steps = new Set(isProcedure ? numbered : [])
  return (section) => STEP.test(section.heading) || steps.has(section)
}

/** The items of an ordered list as steps, if the heading announces what somebody does. */
export function stepEntries(text: string, block: Block, section: Section, title: string): Entry[] {
  if (block.kind !== 'list' || !isHowTo(section, title)) return []
  const items = itemsOf(text, block)
  const [first] = items
  const top = items.filter(({ indent, ordered }) => ordered && indent === first?.indent)
  if (first?.ordered !== true || top.length < LEAST || top.length > MOST) return []
  const imperative = top.filter(({ body }) => IMPERATIVE.test(text.slice(body, body + LONGEST_NAME)))
  if (imperative.length * 2 < top.length) return []
  return top.map(({ start, body }, at): Entry => {
    const end = top[at + 1]?.start ?? block.end
    const name = nameOf(text, { start: body, end })
    return { kind: 'step', start, end, name, keys: [nameHash(text.slice(name.start, name.end).toLowerCase())] }
  })
}

/** The first sentence or line of an item. */
function nameOf(text: string, { start, end }: Span): Span {
  const line = text.slice(start, Math.min(end, start + LONGEST_NAME)).split('\n', 1)[0] ?? ''
  const stop = /[.:!?](?=\s|$)/.exec(line)?.index ?? line.length
  return { start, end: start + Math.max(1, line.slice(0, stop).trimEnd().length) }
}
