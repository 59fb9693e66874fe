// Writes the documents as a static site: `npm run docs -- [FOLDER] [--widget URL --configuration ID]`. With `--instance`,
// it is the site that a service shows at `/docs`.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeSite } from './write-site.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    widget: { type: 'string' },
    configuration: { type: 'string' },
    instance: { type: 'boolean', default: false },
  },
})
const { widget: script, configuration, instance } = values
if ((script === undefined) !== (configuration === undefined)) {
  process.stderr.write('--widget needs --configuration, and the reverse.\n')
  process.exitCode = 2
} else {
  const folder = resolve(positionals[0] ?? 'site')
  const pages = writeSite(folder, {
    widget: script && configuration ? { script, configuration } : null,
    isInstance: instance,
  })
  process.stdout.write(`${pages} pages in ${folder}\n`)
}
