import { basename } from 'node:path'
import { CODE as SOURCE, ROOT } from '../../../src/lib/place.ts'

export { ROOT, dataAt, docentCommand, grammarAt, isBundle } from '../../../src/lib/place.ts'

const BUNDLE = new URL('dist/server/', ROOT)

/**
 * Stands for `#lib/place.ts` in tests: threads and processes run bundled programs, which start in half the processor
 * time. Programs of tests run from source.
 */
export const programAt = (path: string): URL => new URL(`${basename(path)}.mjs`, BUNDLE)

export const CODE: readonly URL[] = [BUNDLE, ...SOURCE]
