import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import process from 'node:process'

/** Fake of both packages that run models. A text may command an action; any other text yields its length. */
export const env = {}

/** Variables that every child process gets, for the allocator and the compiler. */
const OURS = new Set(['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'])

const CODES = ['hang', 'crash', 'fill memory', 'look around', 'give no numbers', 'give too few']

export class Tokenizer {
  encode(text: string): { ids: number[] } {
    const code = CODES.indexOf(text)
    return { ids: code === -1 ? [text.length + 100] : [code] }
  }
}

export class Tensor {
  readonly data: BigInt64Array
  readonly dims: readonly number[]
  constructor(_: string, data: BigInt64Array, dims: readonly number[]) {
    this.data = data
    this.dims = dims
  }
}

export class InferenceSession {
  readonly inputNames = ['input_ids']
  readonly outputNames = ['sentence_embedding']

  static async create(): Promise<InferenceSession> {
    return new InferenceSession()
  }

  async run({ input_ids: { data } }: { input_ids: Tensor }): Promise<object> {
    const ids = [...data].map(Number)
    const rows = ids.map((id) => [id - 100, 1])
    switch (CODES[ids[0] ?? -1]) {
      case 'hang':
        for (;;);
      case 'crash':
        process.abort()
        break
      case 'fill memory':
        for (const kept: Uint8Array[] = []; ;) kept.push(new Uint8Array(8 << 20).fill(1))
      case 'look around':
        // eslint-disable-next-line node/no-process-env -- the test checks its content
        rows[0] = [
          await refusals(),
          Object.keys(process.env).filter((name) => !OURS.has(name)).length +
            (process.env['ORT_DISABLE_TELEMETRY'] === '1' ? 100 : 0),
        ]
        break
      case 'give no numbers':
        rows[0] = [Number.NaN, 1]
        break
      case 'give too few':
        rows.length = 0
    }
    return { sentence_embedding: { data: Float32Array.from(rows.flat()), dims: [rows.length, 2] } }
  }
}

/** Number of blocked ways to the network, out of three. */
async function refusals(): Promise<number> {
  const isClosed = async (way: () => unknown): Promise<number> => {
    try {
      await way()
      return 0
    } catch (error) {
      const { cause, message } = error as Error
      return `${message} ${cause instanceof Error ? cause.message : ''}`.includes('has no network') ? 1 : 0
    }
  }
  const ways = [
    () => fetch('http://127.0.0.1:19151/'),
    () => connect(19151, '127.0.0.1'),
    () => createSocket('udp4').send('hello', 19151, '127.0.0.1'),
  ]
  return (await Promise.all(ways.map(isClosed))).reduce((sum, one) => sum + one, 0)
}
