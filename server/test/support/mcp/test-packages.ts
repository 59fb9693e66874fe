import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of packages that only tests use and that are too large for the development dependencies. */
export const TEST_PACKAGES = join(import.meta.dirname, '../../mcp/clients')

/** Whether the packages are installed. Says what is skipped if they are not. */
export function hasTestPackages(skipped: string): boolean {
  const found = existsSync(join(TEST_PACKAGES, 'node_modules', '.package-lock.json'))
  if (!found) {
    process.stderr.write(
      `\nSKIPPED: ${skipped}. The packages are not installed. Run: npm ci --prefix server/test/mcp/clients\n\n`,
    )
  }
  return found
}

const MODULES = join(TEST_PACKAGES, 'node_modules/@modelcontextprotocol')
export const CONFORMANCE_SUITE = join(MODULES, 'conformance/dist/index.js')
export const INSPECTOR = join(MODULES, 'inspector/clients/launcher/build/index.js')
