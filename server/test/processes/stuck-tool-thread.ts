import { serveThread } from '#workers/serve-thread.ts'

/** In place of the program that runs tools: its calls never end, take all memory, or end the thread. */
async function run({ tool }: { tool: string }): Promise<unknown> {
  if (tool === 'spin') for (;;);
  if (tool === 'exit') process.exit(3)
  if (tool === 'fill memory') {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
  }
  return { result: { members: new Uint8Array(), citations: [] } }
}

serveThread<{ tool: string }>({ run, onNote: () => undefined })
