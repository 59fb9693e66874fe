import { ConfigError } from '../../config.ts'
import type { OnnxRuntime } from '#lib/model-settings.ts'

/** Returns the URL of a package's main file. Throws if it is not installed. */
type Resolve = (name: string) => string

const TOKENIZERS = '@huggingface/tokenizers'
/** The faster runtime comes first: an operator who installed both wants it. */
const RUNTIMES = [
  { name: 'onnxruntime-node', isNative: true },
  { name: 'onnxruntime-web', isNative: false },
] as const

/**
 * Finds the packages for a local model. They are not dependencies of Docent, so they are resolved like any Node
 * package, from Docent's folder upwards. Throws `ConfigError` with the packages to install.
 */
export function findOnnxRuntime(resolve: Resolve = (name) => import.meta.resolve(name)): OnnxRuntime {
  const tokenizers = tryTo(() => resolve(TOKENIZERS))
  for (const { name, isNative } of RUNTIMES) {
    const runtime = tryTo(() => resolve(name))
    if (runtime !== null && tokenizers !== null) return { runtime, tokenizers, isNative }
  }
  throw new ConfigError(
    'DOCENT_EMBEDDINGS_MODEL names a model of this machine, and what runs it is not installed. In the folder of Docent, ' +
      `or one above it: npm install --no-save --ignore-scripts ${TOKENIZERS} onnxruntime-web (or onnxruntime-node).`,
  )
}

function tryTo<T>(body: () => T): T | null {
  try {
    return body()
  } catch {
    // Node reports a missing package with several different errors.
    return null
  }
}
