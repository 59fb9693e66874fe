import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A new folder for each test of a file. Its name has spaces, as a user's may. `write` writes text, or else JSON. */
export function useFolder() {
  const used = {
    folder: '',
    write(path: string, content: unknown) {
      mkdirSync(join(used.folder, path, '..'), { recursive: true })
      writeFileSync(join(used.folder, path), typeof content === 'string' ? content : JSON.stringify(content))
    },
  }
  beforeEach(() => {
    used.folder = mkdtempSync(join(tmpdir(), 'docent launch test-'))
  })
  afterEach(() => rmSync(used.folder, { recursive: true, force: true }))
  return used
}
