import { BuildPool } from '#search/build-pool.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { samplePage } from '../lib/sample-pages.ts'

/* Builds a segment of one page and prints its page count. */

await using pool = new BuildPool()
const segment = openSegment(await pool.build([samplePage('page', 'Page', [{ heading: 'Text', text: 'A word.' }])]))
process.stdout.write(`${segment.pageCount}\n`)
