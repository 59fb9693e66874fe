import type { OperationId } from '@docent/contract/operations'
import { SCREENS, type ScreenFile } from './screen-list.ts'

export type Found = {
  file: ScreenFile
  title: string
  help: string
  to: OperationId | null
  params: Readonly<Record<string, string>>
}

/** The screen of a path, with the named parts of the path. */
export function findScreen(path: string): Found | null {
  const parts = path.split('/')
  for (const { path: pattern, file, title, help, ...rest } of SCREENS) {
    const names = pattern.split('/')
    if (names.length !== parts.length) continue
    const fits = names.every((name, index) => name === parts[index] || (name.startsWith(':') && parts[index] !== ''))
    if (!fits) continue
    const named = names.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), parts[index] ?? '']] : []))
    return {
      file,
      title,
      help,
      to: 'to' in rest ? rest.to : null,
      params: Object.fromEntries(named) as Record<string, string>,
    }
  }
  return null
}

/** The heading of a screen before its content is here: a server is called by its slug. */
export const headingOf = (found: Found | null): string => found?.params['slug'] ?? found?.title ?? 'Docent'
