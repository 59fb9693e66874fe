import { findBrowser } from '#net/browser/browser-process.ts'

/** The machine's Chromium, or null with a visible warning. */
export function installedBrowser(): string | null {
  const program = findBrowser({ wanted: '', searchPath: process.env['PATH'] ?? '' })
  if (program === null) process.stderr.write('\nSKIPPED: no Chromium here; nothing is rendered.\n\n')
  return program
}
