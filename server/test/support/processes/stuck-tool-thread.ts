import { serveThread } from '#workers/serve-thread.ts'

/** Replaces the tool program: its calls never end, exhaust the memory, or exit the thread. */
async function run({ tool }: { tool: string }): Promise<unknown> {
  if (tool === 'spin') for (;;);
  if (tool === 'exit') process.exit(3)
  if (tool === 'fill memory') {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
  }
  return { result: { members: new Uint8Array(), citations: [] } }
}

serveThread<{ tool: string }>(() => ({ run, onNote: () => undefined }))
