import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Plugin, defineConfig } from 'vite'
import { writeLicences } from '../scripts/licences.mjs'

const FILE = 'docent.js'

/** Writes the script in the encodings of browsers too, so that the service compresses nothing. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    writeBundle({ dir = '' }) {
      const bytes = readFileSync(join(dir, FILE))
      writeFileSync(join(dir, `${FILE}.gz`), gzipSync(bytes, { level: 9 }))
      writeFileSync(join(dir, `${FILE}.br`), brotliCompressSync(bytes))
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  plugins: [compressed(), writeLicences()],
  build: {
    outDir: '../dist/widget',
    emptyOutDir: true,
    // Browsers with light-dark() and constructable style sheets.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    lib: { entry: 'src/main.ts', formats: ['iife'], name: 'docent', fileName: () => FILE },
    reportCompressedSize: false,
  },
})
