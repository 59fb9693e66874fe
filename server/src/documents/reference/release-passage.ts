import { compareVersions, isOfLine, parseVersion, type Version } from '#lib/text/version.ts'
import type { Passage } from '#search/passage.ts'
import { readReleases, type ReleaseNote } from '../changelog/read-releases.ts'
import type { Library, Scope } from '../library.ts'
import { chunksOf } from '../library-page.ts'
import { passageOfPage } from '../find-named.ts'

/** Pages read for one question. Sites have one changelog, or a page for each release. */
const MOST_PAGES = 6
/** Characters of the passage. An answer quotes a quarter of it. */
const MOST = 4_000

const RELEASE = /(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){0,3})(?![\w.]*\d)/
/** Questions about the contents of a release: `What is new in 2.1?`, `changes in version 3`. */
const CHANGES =
  /\b(?:what(?: is|['’]s| are| was| were)? (?:new|changed|different|added|removed|deprecated|fixed)|what did [^?]{1,60} (?:change|add|remove|deprecate|fix)|changes?|new features|release notes|changelog)\b/i
/** A number without a point is a release only after such a word or a capitalised name. */
const WHOLE_NUMBER = /(?:\b(?:version|release)|\b\p{Lu}[\p{L}.]{1,30}) v?\d{1,4}(?![\w.]*\d)/u

/** The release whose changes a question asks for, or null. */
export function askedRelease(question: string): Version | null {
  const number = RELEASE.exec(question)?.[1]
  if (number === undefined || !CHANGES.test(question)) return null
  return number.includes('.') || WHOLE_NUMBER.test(question) ? parseVersion(number) : null
}

/** The entry of the release whose changes a question asks for, the exact one before its line. Null without one. */
export async function releasePassage(
  library: Library,
  question: string,
  { score, scope = {} }: { score: number; scope?: Scope },
): Promise<Passage | null> {
  const asked = askedRelease(question)
  if (asked === null) return null
  const read = async (kind: ReleaseNote['kind']) => {
    const pages = await library.pagesOf([kind], scope)
    const wanted = kind === 'changelog' ? pages : pages.filter(({ title }) => names(title, asked))
    return (await library.open(wanted.slice(0, MOST_PAGES))).flatMap((page) => readReleases(page, kind))
  }
  const notes = [...(await read('changelog')), ...(await read('release'))]
  const isExact = ({ version }: ReleaseNote) => version !== null && compareVersions(version, asked) === 0
  const note = notes.find(isExact) ?? notes.findLast(({ version }) => version !== null && isOfLine(version, asked))
  return note ? passageOf(note, score) : null
}

/** True for a title with exactly this release: `Release 15`, not `Release 15.1`. */
function names(title: string, { text }: Version): boolean {
  return [...title.matchAll(/\d[\d.]*\d|\d/g)].some(([number]) => number === text)
}

function passageOf({ page, heading }: ReleaseNote, score: number): Passage | null {
  const section = page.sections.find((each) => each.heading === heading) ?? page.sections[0]
  const chunk = section && chunksOf(page).findLast(({ start }) => start <= section.start)
  if (!section || !chunk) return null
  const end = Math.min(section.close, section.start + MOST)
  const headings = section.level <= 1 ? [] : [section.heading]
  return passageOfPage(page, { ...chunk, start: section.start, end, headings }, { score })
}
