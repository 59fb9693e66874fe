import { type Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import { requestOf } from '@docent/sdk/request'
import { type Plugin } from 'vite'
import { FRONT, FRONT_READS, SCREENS, SESSION_READS } from './src/lib/screen-list.ts'

/** The fonts that every screen shows. The others have letters that few names contain. */
const FONTS = /-latin-wght-normal-[^/]+\.woff2$/

/**
 * Writes `page-resources.json`: the paths of all screens, and the files and queries that each needs at once. The
 * service sends them with the page, so that the browser asks for all of it without waiting for scripts.
 */
export function pageResources(): Plugin {
  return {
    name: 'page-resources',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle)
        const chunks = new Map(files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
        const entry = [...chunks.values()].find(({ isEntry }) => isEntry)
        if (!entry) throw new Error('The dashboard has no entry.')
        const own = needed(entry.fileName)
        const screens = SCREENS.map(({ path, file, reads, ...rest }) => {
          const chunk = [...chunks.values()].find(({ facadeModuleId: id }) => id?.endsWith(`/screens/${file}.tsx`))
          if (!chunk) throw new Error(`There is no chunk of the screen ${file}.`)
          return {
            path,
            scripts: [...needed(chunk.fileName)].filter((name) => !own.has(name)).map((name) => `/${name}`),
            reads: reads.map(readOf),
            plainReads: 'plainReads' in rest ? rest.plainReads.map(readOf) : [],
          }
        })
        const resources = {
          fonts: files.map(({ fileName }) => `/${fileName}`).filter((name) => FONTS.test(name)),
          front: FRONT,
          frontReads: FRONT_READS.map((id) => readOf([id, {}])),
          sessionReads: SESSION_READS.map((id) => readOf([id, {}])),
          screens,
        }
        this.emitFile({ type: 'asset', fileName: 'page-resources.json', source: JSON.stringify(resources) })

        /** A chunk with everything that it imports. */
        function needed(name: string, found = new Set<string>()): Set<string> {
          // Chunks of styles alone are gone by now, but not from the lists of imports.
          if (found.has(name) || !chunks.has(name)) return found
          found.add(name)
          for (const next of chunks.get(name)?.imports ?? []) needed(next, found)
          return found
        }
      },
    },
  }
}

/** A query and its path, with `:name` for parts of the screen's path. */
function readOf([id, input]: readonly [OperationId, Readonly<Record<string, string>>]): [OperationId, string] {
  const operation: Operation = operations[id]
  const { pathname, search } = new URL(requestOf('http://localhost', operation, input).url)
  return [id, (pathname + search).replaceAll('%3A', ':')]
}
