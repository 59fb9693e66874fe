import type { Output } from '@docent/sdk'
import { ago, bytes, count, duration, percent } from '../../lib/format.ts'
import type { Tone } from '../../ui/status.tsx'

type Instance = Output<'instance.get'>
type Finding = { title: string; tone: Tone; text: string; advice?: string }

/** As `docent doctor`: a site of a thousand pages takes about 20 MB. */
const FULL_BYTES = 100_000_000
const LOW_BYTES = 1_000_000_000
/** A read takes a fraction of a millisecond, or a few over a network. */
const SLOW_MS = 200
const LOW_MEMORY = 0.05
/** Jobs of one account wait for each other. Longer than this, the workers are too few or stopped. */
const LONG_WAIT_MS = 15 * 60_000

/** The meaning of the figures in words. */
export function healthOf(instance: Instance): Finding[] {
  return [databaseOf(instance), diskOf(instance), memoryOf(instance), queueOf(instance)]
}

function databaseOf({ database: { engine, answerMs } }: Instance): Finding {
  const isSlow = answerMs > SLOW_MS
  return {
    title: 'Database',
    tone: isSlow ? 'warn' : 'ok',
    text: `${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} answers within ${duration(Math.max(1, answerMs))}.`,
    ...(isSlow ? { advice: 'Look for long queries, or a busy machine.' } : {}),
  }
}

function diskOf({ disk: { freeBytes, totalBytes, folder } }: Instance): Finding {
  const tone = freeBytes < FULL_BYTES ? 'bad' : freeBytes < LOW_BYTES ? 'warn' : 'ok'
  return {
    title: 'Disk',
    tone,
    text: `${bytes(freeBytes)} of ${bytes(totalBytes)} are free for ${folder}.`,
    ...(tone === 'ok' ? {} : { advice: 'Free space, before indexing stops.' }),
  }
}

function memoryOf({ memory: { usedBytes, freeBytes, totalBytes, processors } }: Instance): Finding {
  const isLow = freeBytes < totalBytes * LOW_MEMORY
  return {
    title: 'Memory',
    tone: isLow ? 'warn' : 'ok',
    text: `The main process uses ${bytes(usedBytes)}. ${percent(freeBytes / totalBytes)} of ${bytes(totalBytes)} are free, with ${count(processors, 'processor')}.`,
    ...(isLow ? { advice: 'Systems count caches as used. Watch it, and lower DOCENT_READER_MEMORY if it stays.' } : {}),
  }
}

function queueOf({ queue: { queued, running, failed, oldestDueAt } }: Instance): Finding {
  const waits = oldestDueAt === null ? 0 : Date.now() - Date.parse(oldestDueAt)
  const isLong = waits > LONG_WAIT_MS
  const oldest = oldestDueAt === null ? '' : ` The oldest is due since ${ago(oldestDueAt)}.`
  return {
    title: 'Jobs',
    tone: isLong || failed > 0 ? 'warn' : 'ok',
    text: `${count(running, 'job')} running, ${queued} waiting, ${failed} failed.${isLong ? oldest : ''}`,
    ...(isLong ? { advice: 'Check that a node with the role all or worker runs.' } : {}),
  }
}
