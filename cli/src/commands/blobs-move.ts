import { BLOB_PLACES } from '@docent/server/lib/blob-settings.ts'
import { moveBlobs } from '@docent/server/store/pages/move-blobs.ts'
import { catchStop } from '../catch-stop.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { formatBytes } from '../format-bytes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent blobs move`: moves the bytes of indexes, uploads and texts to another place, while the service runs or not. */
export async function moveAllBlobs(terminal: Terminal, to: string): Promise<number> {
  using stop = catchStop(terminal)
  const place = BLOB_PLACES.find((name) => name === to)
  if (place === undefined) throw new CommandError(`--to must be one of ${BLOB_PLACES.join(', ')}.`)
  return withStore(terminal, async (store, { blobs }) => {
    if (place === 's3' && blobs.s3 === null) throw new CommandError('DOCENT_S3_BUCKET names no bucket.')
    let [count, total] = [0, 0]
    const onMoved = (bytes: number) => {
      count++
      total += bytes
    }
    try {
      await moveBlobs(store, { to: place, signal: stop.signal, onMoved })
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
    terminal.out(`Moved ${count.toLocaleString('en')} parts to ${place}, ${formatBytes(total)}.\n`)
    if (place !== blobs.place)
      terminal.err(`New indexes and uploads go to ${blobs.place} still: DOCENT_BLOBS says so.\n`)
    return stop.signal.aborted ? EXIT.interrupted : EXIT.ok
  })
}
