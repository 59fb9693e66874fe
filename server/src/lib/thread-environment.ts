import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Environment of a thread: the folder of the compile cache, and nothing else of the service's. Without the cache, each
 * thread strips the types of every module with WebAssembly, which doubles the time of its start. V8 can also lose track
 * of WebAssembly code that threads share, and then ends the process ("Check failed: jit_page.has_value()",
 * https://github.com/nodejs/node/issues/64500).
 */
export function threadEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
