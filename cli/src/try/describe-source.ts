import type { LeftOut } from '../local/list-files.ts'
import type { Terminal } from '../terminal.ts'
import type { Source } from './docent-api.ts'

const BAR_CELLS = 24
const count = new Intl.NumberFormat('en')

/** State of a source in one line, in the words of the dashboard, with found = indexed + skipped + failed + to go. */
export function describeSource(source: Source, colors: Terminal['colors'], etaSeconds: number | null): string {
  const { crawlStatus, pagesDiscovered: found } = source
  if (crawlStatus === 'pending') return 'Waiting'
  if (crawlStatus === 'error') return `${colors.red('Needs you')}  ${source.crawlError ?? 'It could not be indexed.'}`
  if (found === 0) return crawlStatus === 'crawling' ? 'Reading  looking for pages' : 'Ready'
  const toGo = Math.max(0, found - source.pagesIndexed - source.pagesSkipped - source.pagesFailed)
  const filled = Math.round((BAR_CELLS * (found - toGo)) / found)
  const bar = colors.cyan('█'.repeat(filled)) + colors.dim('░'.repeat(BAR_CELLS - filled))
  const parts = [
    `${count.format(source.pagesIndexed)} indexed`,
    source.pagesSkipped > 0 && `${count.format(source.pagesSkipped)} skipped`,
    source.pagesFailed > 0 && `${count.format(source.pagesFailed)} failed`,
    crawlStatus === 'crawling' && `${count.format(toGo)} to go`,
  ]
  const eta =
    crawlStatus === 'crawling' && toGo > 0 && etaSeconds !== null ? `, about ${duration(etaSeconds)} left` : ''
  return `${crawlStatus === 'crawling' ? 'Reading' : 'Ready'}  ${bar} ${count.format(found)} found = ${parts.filter(Boolean).join(' + ')}${eta}`
}

/** Skipped pages by reason with an example each, to print after the indexing. */
export function describeSkipped({ skipped }: Source): string[] {
  return skipped.map(({ reason, pages, example }) => {
    return `${count.format(pages)} × ${reason.replaceAll('_', ' ')}${example ? exampleText(example) : ''}`
  })
}

/** An example is an address, or a sentence such as `It is empty.`. */
const exampleText = (example: string): string => (example.endsWith('.') ? `: ${example}` : `, such as ${example}`)

/** Files that were not sent, by reason. */
export function describeLeft(left: readonly LeftOut[]): string[] {
  return left.map(({ reason, files, example }) => {
    return `${count.format(files)} × ${reason.replaceAll('_', ' ')}, such as ${example} (not sent)`
  })
}

function duration(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
