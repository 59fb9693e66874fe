import { type Variants, chooseVariants } from './variants.ts'
import type { Section } from '../model/document.ts'
import { excerpt } from '../excerpt.ts'
import type { OpenPage } from '../library-page.ts'

type Phase = (typeof PHASES)[number]

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

/** The steps of a guide in order. Keeps one of several variants: the one in the topic, else the same one throughout. */
export function readSteps(page: OpenPage, topic?: string): { steps: Step[]; variants: Variants[] } {
  const { told, isLeftOut, partOf } = chooseVariants(page, topic)
  const steps = page.sections.flatMap((section): Step[] => {
    const { heading, level, start } = section
    const above = page.sections.filter((outer) => outer.start < start && start < outer.close)
    const isWithinAside = above.some((outer) => outer.level > 1 && isAside(outer.heading))
    if (isAside(heading) || isWithinAside || isLeftOut(section)) return []
    const { text, code } = partOf(section)
    // `Bash` below `Installation` is a way to install.
    const outer = above.findLast((each) => each.heading !== page.title && phaseOfHeading(each.heading) !== null)
    const inherited = phaseOfHeading(heading) === null ? phaseOfHeading(outer?.heading ?? '') : null
    const own = classifyStep(heading, code)
    const phase = own === 'use' ? (inherited ?? own) : own
    // Without code, only prerequisites are a step. Other prose introduces the sections below.
    if (phase === null || (code.length === 0 && (phase === 'use' || text.length < 80 || level <= 1))) return []
    const shown = code.map(({ language, text: own }) => ({ language, text: own }))
    return [{ phase, page, section, text: excerpt(text, MOST_TEXT), code: shown }]
  })
  return { steps, variants: told }
}

function isAside(heading: string): boolean {
  const words = heading.replace(NUMBER, '')
  return ASIDE.test(words) || /^(?:why|uninstall\w*)\b/i.test(words)
}

/** Phases of a guide, in the order in which a user follows them. */
export const PHASES = ['install', 'configure', 'use'] as const

const INSTALL_WORDS =
  /\b(?:install(?:ation|ing)?|prerequisites?|requirements?|set ?up|setting up|scaffold\w*|create (?:a |an |your |the )?(?:new )?(?:\w+ )?(?:project|app\w*)|download|add(?:ing)? (?:the )?dependenc\w+|before you (?:begin|start)|with (?:npm|yarn|pnpm|pip|cargo|docker|homebrew))\b/i
const CONFIGURE_WORDS =
  /\b(?:configur\w+|settings?|options|credentials?|authenticat\w+|api keys?|environment|env|config|connect(?:ing)?|initiali[sz]\w+)\b/i
const USE_WORDS =
  /\b(?:usage|use|using|hello,? world|first|example|run(?:ning)?|start(?:ing)?|try|make (?:a|your)|send|write|build|deploy|quick ?-?start|basic|getting started)\b/i

const INSTALL_CODE =
  /\b(?:npm (?:i|install|create|init)|npx (?:create|degit|giget)|yarn (?:add|create)|pnpm (?:add|create|i|install|dlx)|bun (?:add|create|install|x)|bunx|deno (?:add|install|init)|pip3? install|pipx install|uv (?:add|pip|tool)|poetry add|conda install|cargo (?:add|install|new)|go (?:get|install)|gem install|bundle add|composer (?:require|create-project)|brew install|apt(?:-get)? install|dnf install|choco install|winget install|docker (?:pull|run|compose)|dotnet (?:add|new|tool)|helm install|git clone)\b|<dependency>|<script [^<>]*src=|\bcurl [^\n|]{0,300}\| *(?:ba)?sh\b|\birm [^\n|]{0,300}\| *iex\b/i
const CONFIGURE_CODE =
  /^[ \t]*(?:export [A-Z_]+=|[A-Z][A-Z0-9_]{2,}=\S)|\b\w*config\.(?:[cm]?[jt]s|json|ya?ml|toml)\b|\bdefineConfig\b/m

/** Phase of a section, from its heading and code, or null if neither indicates one. */
export function classifyStep(
  heading: string,
  code: readonly { language: string | null; text: string }[],
): Phase | null {
  const said = phaseOfHeading(heading)
  if (said !== null && said !== 'use') return said
  if (code.some(({ text }) => INSTALL_CODE.test(text))) return 'install'
  if (code.some(({ text }) => CONFIGURE_CODE.test(text))) return 'configure'
  return said ?? (code.length > 0 ? 'use' : null)
}

/** Phase that a heading indicates. `Set up your environment` is configuration, although it begins with "set up". */
export function phaseOfHeading(heading: string): Phase | null {
  if (CONFIGURE_WORDS.test(heading)) return 'configure'
  if (INSTALL_WORDS.test(heading)) return 'install'
  return USE_WORDS.test(heading) ? 'use' : null
}
