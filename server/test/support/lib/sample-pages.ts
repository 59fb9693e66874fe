import fc from 'fast-check'
import type { PageToBuild } from '#search/build-tasks.ts'
import type { Block } from '#documents/model/document.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import type { Chunk } from '#search/page.ts'
import { movedBlock } from '#search/passage.ts'

type Section = { heading: string; text: string; code?: { language: string | null; text: string } }
export type SamplePage = { page: PageToBuild['page']; markdown: string }

/** Builds a page from sections, one passage per section. */
export function samplePage(
  path: string,
  title: string,
  sections: readonly Section[],
  anchorTexts: string[] = [],
): SamplePage {
  let markdown = `# ${title}\n\n`
  const chunks: Chunk[] = sections.map(({ heading, text, code }, index) => {
    const start = index === 0 ? 0 : markdown.length
    markdown += `## ${heading}\n\n${text}\n\n`
    if (code !== undefined) markdown += `\`\`\`${code.language ?? ''}\n${code.text}\n\`\`\`\n\n`
    const [end, moved] = [markdown.length - 2, (block: Block) => movedBlock(block, start)]
    return {
      start,
      end,
      headings: [heading],
      anchor: index % 3 === 0 ? null : index % 3 === 1 ? heading.toLowerCase().replaceAll(' ', '-') : `part-${index}`,
      blocks: markdownBlocks(markdown.slice(start, end)).map(moved),
    }
  })
  const url = `https://docs.test/${path}`
  const textHash = Buffer.from(url).toString('hex').padStart(32, '0').slice(-32)
  return { page: { url, title, textHash, language: 'en', anchorTexts, chunks }, markdown }
}

const WORDS =
  'proxy server request config useEffect read_file path.join cache constructor __proto__ hooks render route 配置 サーバー réseau token build plugin'.split(
    ' ',
  )
const word = fc.constantFrom(...WORDS)
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const section = fc.record({ heading: sentence, text: sentence })

/** A query mostly of words found in sample pages. */
export const someQuery = fc
  .array(fc.oneof({ weight: 8, arbitrary: word }, { weight: 1, arbitrary: fc.string() }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join(' '))

/** Pages with distinct URLs. */
export function somePages(maxLength: number): fc.Arbitrary<SamplePage[]> {
  const page = fc.record({ title: sentence, sections: fc.array(section, { maxLength: 4 }) })
  return fc
    .array(page, { minLength: 1, maxLength })
    .map((pages) => pages.map(({ title, sections }, index) => samplePage(`page-${index}`, title, sections)))
}
