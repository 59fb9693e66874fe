import { type Variants, chooseVariants } from './variants.ts'
import type { Block, Section } from '../model/document.ts'
import { itemsOf } from '../model/read-block.ts'
import { joinHeadings } from '../model/sections.ts'
import { excerpt } from '../excerpt.ts'
import { headingPath, type OpenPage } from '../library-page.ts'

type Phase = (typeof PHASES)[number]

export type Step = {
  phase: Phase
  page: OpenPage
  section: Section
  /** Markdown of the section, with its code, truncated. */
  text: string
  code: { language: string | null; text: string }[]
}

/** Maximum characters of one step. Larger ones are chapters. */
const MOST_TEXT = 5_000
/** Shorter prose only leads to the next section. */
const LEAST_PROSE = 80
/** Headings of closing or unrelated sections of a guide. */
const ASIDE =
  /^(?:next steps?|what.?s next|further reading|see also|learn more|community|contribut\w+|licen[cs]e|authors?|credits|sponsors?|acknowledg\w+|support|changelog|faq|troubleshooting|browser (?:support|compatibility)|table of contents|contents|links|resources|getting help|badges|status|features?|about|philosophy|benchmarks?|overview|introduction|background|roadmap|security|upgrad\w+|migrat\w+|(?:typographical )?conventions|documentation|name|synopsis|development|test(?:s|ing)?|maintainers?|thanks|(?:version )?compatibility|copyright|disclaimer|exit (?:status|codes?)|(?:reporting )?bugs)\W*$|\bvs\.? /i
/** Number of a section: `4.2 `, `2 - `. */
const NUMBER = /^\d[\d.]{0,20} (?:- )?/

type Wanted = {
  topic?: string | undefined
  /** Headings of the section that is the guide. The whole page without them. */
  within?: readonly string[] | undefined
  /** The page is about the topic. */
  isAbout?: boolean
  /** The page is about how to do something, so that its prose has steps too. */
  isGuide?: boolean
}

/** The steps of a guide in order. Keeps one of several variants: the one in the topic, else the same one throughout. */
export function readSteps(
  page: OpenPage,
  { topic, within, isAbout = false, isGuide = false }: Wanted = {},
): { steps: Step[]; variants: Variants[] } {
  const { told, isLeftOut, partOf } = chooseVariants(page, topic)
  const path = joinHeadings(within ?? [])
  const guide = within && page.sections.find((section) => headingPath(page, section) === path)
  const whole = page.sections.filter(({ start }) => !guide || (start >= guide.start && start < guide.close))
  const sections = guide ? whole : beginningOf(page, whole)
  const read = (isProse: boolean) =>
    sections.flatMap((section): Step[] => {
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
      const isListed = section.blocks.some((block) => isProcedure(page.markdown, block))
      // Other prose introduces the sections below.
      const isParted = page.sections.some((inner) => inner.start > start && inner.start < section.close)
      const isTold = text.length >= LEAST_PROSE && level > 1 && !(isProse && isParted)
      const isStep = code.length > 0 || isListed || (isTold && (isProse || (phase !== null && phase !== 'use')))
      if (!isStep || (phase === null && !isProse && !isListed)) return []
      const shown = code.map(({ language, text: own }) => ({ language, text: own }))
      return [{ phase: phase ?? 'use', page, section, text: excerpt(text, MOST_TEXT), code: shown }]
    })
  const steps = read(isGuide)
  return { steps: steps.length === 0 && isAbout ? read(true) : steps, variants: told }
}

/** Sections of a README with which somebody begins. */
const BEGINNING =
  /^\W*(?:(?:\d[\d.]* )?(?:basic|simple|quick) )?(?:install\w*|quick ?-?start|get(?:ting)? started|usage|using|examples?|set ?-?up|setting up|configur\w+|requirements|prerequisites|first steps|how to use|download\w*|tutorial|running|try)\b/i
const README = /(?:^|=)readme\b/i

/** Of a README, the sections to begin with. The others are the reference of a small project. */
function beginningOf({ url, title }: OpenPage, sections: readonly Section[]): readonly Section[] {
  const isReadme = README.test(url.slice(url.lastIndexOf('/') + 1))
  const begins = isReadme ? sections.filter(({ heading }) => heading !== title && BEGINNING.test(heading)) : []
  const phases = new Set(begins.map(({ heading }) => phaseOfHeading(heading)))
  if (!phases.has('use')) return sections
  return sections.filter(({ start }) => begins.some((outer) => start >= outer.start && start < outer.close))
}

/** True for an ordered list of several items. */
function isProcedure(text: string, block: Block): boolean {
  return (
    block.kind === 'list' && itemsOf(text, block).filter(({ ordered, indent }) => ordered && indent === 0).length > 1
  )
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
  /\b(?:npm (?:i|install|create|init)|npx (?:create|degit|giget)|yarn (?:add|create)|pnpm (?:add|create|i|install|dlx)|bun (?:add|create|install|x)|bunx|deno (?:add|install|init)|pip3? install|pipx install|uv (?:add|pip|tool)|poetry add|conda install|cargo (?:add|install|new)|go (?:get|install)|gem install|bundle add|composer (?:require|create-project)|brew install|apt(?:-get)? install|dnf install|choco install|winget install|docker (?:pull|run|compose)|dotnet (?:add|new|tool)|helm install|git clone|make install)\b|\.\/configure\b|<dependency>|<script [^<>]*src=|\bcurl [^\n|]{0,300}\| *(?:ba)?sh\b|\birm [^\n|]{0,300}\| *iex\b/i
const CONFIGURE_CODE =
  /^[ \t]*(?:export [A-Z_]+=|[A-Z][A-Z0-9_]{2,}=\S)|\b\w*config\.(?:[cm]?[jt]s|json|ya?ml|toml)\b|\bdefineConfig\b/m

/** Phase of a section, from its heading and code, or null if neither indicates one. */
export function classifyStep(
  heading: string,
  code: readonly { language: string | null; text: string }[],
): Phase | null {
  const said = phaseOfHeading(heading)
  if (said !== null && said !== 'use') return said
  const isInstall = ({ text }: { text: string }) => INSTALL_CODE.test(text)
  // What somebody does first can need a package or a file more.
  if (said === 'use') return code.length > 0 && code.every(isInstall) ? 'install' : 'use'
  if (code.some(isInstall)) return 'install'
  if (code.some(({ text }) => CONFIGURE_CODE.test(text))) return 'configure'
  return code.length > 0 ? 'use' : null
}

/** Phase that a heading indicates. `Set up your environment` is configuration, although it begins with "set up". */
export function phaseOfHeading(heading: string): Phase | null {
  if (CONFIGURE_WORDS.test(heading)) return 'configure'
  if (INSTALL_WORDS.test(heading)) return 'install'
  return USE_WORDS.test(heading) ? 'use' : null
}
