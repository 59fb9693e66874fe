import { excerpt } from '../excerpt.ts'
import { type Code, codeOf } from '#documents/model/text-parts.ts'
import type { OpenPage } from '../library-page.ts'
import type { Section } from '#documents/model/document.ts'
import { type Variants, chooseVariants } from './variants.ts'
import { classifyStep, type Phase, phaseOfHeading } from './classify-step.ts'

export type Step = {
  phase: Phase
  page: OpenPage
  section: Section
  /** Markdown of the section, with its code, truncated. */
  text: string
  code: { language: string | null; text: string }[]
}

/** Maximum characters of one step. */
const MOST_TEXT = 1_500
/** Headings of closing or unrelated sections of a guide. */
const ASIDE =
  /^(?:next steps?|what.?s next|further reading|see also|learn more|community|contribut\w+|licen[cs]e|authors?|credits|sponsors?|acknowledg\w+|support|changelog|faq|troubleshooting|browser (?:support|compatibility)|table of contents|contents|links|resources|getting help|badges|status|features?|about|philosophy|benchmarks?|overview|background|roadmap|security|upgrad\w+|migrat\w+|(?:typographical )?conventions|documentation)\W*$/i
/** Number of a section: `4.2 `, `2 - `. */
const NUMBER = /^\d[\d.]{0,20} (?:- )?/

/**
 * Extracts the steps of a guide in order, each with its phase. Keeps one of several variants (operating systems,
 * package managers, languages): the one named in the topic, else the same one throughout.
 */
export function readSteps(page: OpenPage, topic?: string): { steps: Step[]; variants: Variants[] } {
  const { told, isLeftOut, textOf } = chooseVariants(page, topic)
  const steps = page.sections.flatMap((section): Step[] => {
    if (isAside(section.heading) || isWithinAside(page, section) || isLeftOut(section)) return []
    const body = textOf(section)
    const fences = codeOf(body)
    const own = classifyStep(section.heading, fences)
    // `Bash` below `Installation` is a way to install.
    const phase = own === 'use' && phaseOfHeading(section.heading) === null ? (phaseAbove(page, section) ?? own) : own
    // Without code, only prerequisites are a step. Other prose introduces the sections below.
    if (phase === null || (fences.length === 0 && (phase === 'use' || body.length < 80 || section.level <= 1)))
      return []
    const code = fences.map(({ language, text }: Code) => ({ language, text }))
    return [{ phase, page, section, text: excerpt(body, MOST_TEXT), code }]
  })
  return { steps, variants: told }
}

function isAside(heading: string): boolean {
  const words = heading.replace(NUMBER, '')
  return ASIDE.test(words) || /^(?:why|uninstall\w*)\b/i.test(words)
}

function phaseAbove({ sections, title }: OpenPage, { start }: Section): Phase | null {
  const above = sections.filter((outer) => outer.start < start && start < outer.close && outer.heading !== title)
  return above.reduceRight<Phase | null>((found, { heading }) => found ?? phaseOfHeading(heading), null)
}

function isWithinAside({ sections }: OpenPage, { start }: Section): boolean {
  return sections.some(
    (outer) => outer.start < start && start < outer.close && outer.level > 1 && isAside(outer.heading),
  )
}
