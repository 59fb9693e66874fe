// Collects the licences of bundled packages.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'licences.txt'
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/

/**
 * A plugin that writes the licences of all packages of a bundle to `licences.txt` beside it.
 *
 * @param {string[]} [others] folders of packages whose files are copied
 * @returns {import('rolldown').Plugin}
 */
export function writeLicences(others = []) {
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))
      const found = [...files, ...others].flatMap((id) => PACKAGE.exec(id.replaceAll('\\', '/'))?.[0] ?? [])
      const texts = [...new Set(found)].toSorted().map(licenceOf)
      this.emitFile({ type: 'asset', fileName: FILE, source: texts.join('\n') })
    },
  }
}

/**
 * Name, version and texts of the licence of a package.
 *
 * @param {string} folder of the package
 */
export function licenceOf(folder) {
  /** @type {{name: string, version: string, license?: string}} */
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${'-'.repeat(80)}\n${name} ${version}, ${license ?? 'licence below'}`, ...texts, ''].join('\n\n')
}

/**
 * The licences of several bundles, each package once.
 *
 * @param {string[]} folders
 */
export function joinLicences(folders) {
  const rule = `${'-'.repeat(80)}\n`
  const paths = folders.map((folder) => join(folder, FILE)).filter((path) => existsSync(path))
  const texts = paths.flatMap((path) => readFileSync(path, 'utf8').split(rule).slice(1))
  const all = [...new Set(texts.map((text) => text.trim()))].toSorted()
  return all.map((text) => `${rule}${text}\n`).join('\n')
}
