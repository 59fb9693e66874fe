import { zstdCompressSync } from 'node:zlib'
import { chunkPage } from '@docent/server/chunk/chunk-page.ts'
import { extractMarkdown } from '@docent/server/extract/markdown/extract-markdown.ts'
import { textHash } from '@docent/server/readers/text-hash.ts'
import type { PageToBuild } from '@docent/server/search/build-tasks.ts'
import { type Random, seededRandom } from './typo.ts'

/** Frequent words of documentation in order of frequency. Rarer words are made up. */
const FREQUENT =
  `the to a of and is in for you can this be with that are it use on as or an if from your by not will when using file
  code server function value example default set option config type data name add new object create run error request
  user client module plugin build key string method call return class path test version install page route handler
  component state query table field list format output input command update event service import export deploy`.split(
    /\s+/,
  )
const VOCABULARY = 60_000
const SYLLABLES = 'ba ce di fo gu ha ki lo me na pe qui ra so tu ve wi xa yo za'.split(' ')
const SECTIONS = 10
const WORDS = 90

/** A page to index, with its stored text. */
export type GeneratedPage = PageToBuild & { markdown: string; compressed: Uint8Array }

/** The word of a frequency rank: frequent ones are English, others are made of syllables. */
export function wordAt(rank: number): string {
  const frequent = FREQUENT[rank]
  if (frequent !== undefined) return frequent
  let word = ''
  for (let left = rank; left > 0; left = Math.floor(left / SYLLABLES.length)) word += SYLLABLES[left % SYLLABLES.length]
  return word
}

/** Page `number` of a site with `length` sections of Zipf-distributed words (Zipf 1949); the same in every run. */
export function generatePage(number: number, length = SECTIONS): GeneratedPage {
  const random = seededRandom(number * 7919 + 1)
  const words = (count: number) => Array.from({ length: count }, () => wordAt(zipf(random))).join(' ')
  const title = `${words(3)} ${number}`
  const sections = Array.from({ length }, (_, index) => {
    const code = index % 3 === 0 ? `\n\n\`\`\`js\nconst ${words(1)} = ${words(2).replace(' ', '.')}()\n\`\`\`` : ''
    return `## ${words(3)}\n\n${words(WORDS)}.${code}`
  })
  const url = `https://large.example.com/docs/${number}`
  const page = extractMarkdown(`# ${title}\n\n${sections.join('\n\n')}`, url)
  if (page.kind === 'rejected') throw new TypeError(`A generated page is none: ${page.detail}`)
  const { markdown } = page
  return {
    page: {
      url,
      title,
      textHash: textHash(title, markdown),
      language: 'en',
      anchorTexts: [],
      chunks: chunkPage(page),
    },
    markdown,
    compressed: zstdCompressSync(markdown),
  }
}

/** Ranks with the frequencies of 1, 1/2, 1/3 and so on. */
function zipf(random: Random): number {
  const share = random(1_000_000) / 1_000_000
  return Math.min(VOCABULARY - 1, Math.floor(Math.exp(share * Math.log(VOCABULARY))) - 1)
}
