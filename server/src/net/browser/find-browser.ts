import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ConfigError } from '../../config.ts'

/** Names of Chromium and related browsers in distributions. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

type Where = {
  /** Path of a program, `off`, or empty to search. */
  wanted: string
  /** Folders to search, in PATH format. */
  searchPath: string
}

/** Finds the program that renders pages. Null if none is found or it is disabled. Throws `ConfigError`. */
export function findBrowser({ wanted, searchPath }: Where): string | null {
  if (wanted === 'off') return null
  if (wanted !== '') {
    if (isProgram(wanted)) return wanted
    throw new ConfigError(
      `DOCENT_BROWSER names no program that can be run: ${wanted}. Give the path of Chromium, or "off".`,
    )
  }
  const folders = searchPath.split(delimiter).filter(Boolean)
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return candidates.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
