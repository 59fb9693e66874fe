import { ConfigError } from '../../config.ts'

/** The installed packages that run a model, each by the address of its main file. */
export type OnnxRuntime = {
  runtime: string
  tokenizers: string
  /** Whether the runtime is native code, which a process has to be allowed. */
  isNative: boolean
}

/** Gives the address of a package's main file, and throws where it is not installed. */
type Resolve = (name: string) => string

const TOKENIZERS = '@huggingface/tokenizers'
/** The faster one first: who has installed both wants it. */
const RUNTIMES = [
  { name: 'onnxruntime-node', isNative: true },
  { name: 'onnxruntime-web', isNative: false },
] as const

/**
 * Finds what a model of this machine needs, which is no dependency of Docent: looked for as Node looks for packages, in
 * Docent's folder and those above it. Throws `ConfigError` with what to install.
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
    // Node's many ways to say that a package is not there.
    return null
  }
}
