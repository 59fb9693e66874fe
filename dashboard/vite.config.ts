import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { type Plugin, defineConfig } from 'vite'
import { writeLicences } from '../scripts/licences.mjs'
import { pageResources } from './page-resources.ts'

const OPERATIONS = 'virtual:operations'
/** Packages whose files the style sheets name. */
const FONTS_FOLDER = join(import.meta.dirname, '../node_modules/@fontsource-variable')
const FONTS = readdirSync(FONTS_FOLDER).map((name) => join(FONTS_FOLDER, name))
/** Refused to members who see only some servers. */
const WIDE = new Set(['account', 'developer', 'operator'])

/**
 * Gives the browser the address of each operation and who may call it, without the schemas of the contract and their
 * library.
 */
function operationAddresses(): Plugin {
  return {
    name: 'operation-addresses',
    resolveId: (id) => (id === OPERATIONS ? `\0${OPERATIONS}` : null),
    load(id) {
      if (id !== `\0${OPERATIONS}`) return null
      const all = Object.entries<Operation>(operations)
      const addresses = Object.fromEntries(
        all.map(([name, { method, path, auth, needs, consumes }]) => {
          const role = needs?.[0] === 'viewer' ? {} : { role: needs?.[0] }
          return [
            name,
            { method, path, ...role, ...(consumes && { consumes }), ...(WIDE.has(auth) && { isWide: true }) },
          ]
        }),
      )
      return `export const OPERATIONS = ${JSON.stringify(addresses)}`
    },
  }
}

/** Writes each file in the encodings of browsers, so that the service compresses nothing. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!['.html', '.js', '.css', '.svg'].includes(extname(name))) continue
        const file = join(dir, name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength }
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [operationAddresses(), pageResources(), compressed(), writeLicences(FONTS)],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    // One file of 8 kB for all screens costs less than a further request for each.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // One chunk for all that several screens share, except what shows answers and documents, and the builder of widgets.
    // Over HTTP/1.1 browsers load six files at once: with a chunk for each combination of screens, the first queries wait
    // behind them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Otherwise the chunk of texts has the library of components too, and every screen loads it.
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'texts',
              test: /dashboard\/src\/(?:answer|rules|ui\/markdown)|widget\/src\/markdown/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'shared',
              test: /dashboard\/src\/(?!widgets\/).+\.tsx?$|\/(?:contract|sdk)\/|node_modules\/preact|virtual:/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
})
