// Writes the documents as a static site: `npm run docs -- [FOLDER] [--widget URL --configuration ID]`.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeSite } from './write-site.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { widget: { type: 'string' }, configuration: { type: 'string' } },
})
const { widget: script, configuration } = values
if ((script === undefined) !== (configuration === undefined)) {
  process.stderr.write('--widget needs --configuration, and the reverse.\n')
  process.exitCode = 2
} else {
  const folder = resolve(positionals[0] ?? 'site')
  const pages = writeSite(folder, script && configuration ? { script, configuration } : null)
  process.stdout.write(`${pages} pages in ${folder}\n`)
}
