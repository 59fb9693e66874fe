import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type Load = {
  /** Addresses of servers, each for the query at its place. One can serve all queries. */
  urls: string[]
  clients: number
  seconds: number
  /** Seconds of load before the measurement. */
  warmSeconds: number
  queries: string[]
  /** Sends them again as they are, so that they are answered from memory. */
  isRepeated?: boolean
  /** Process id of the service. */
  pid: number
}

export type LoadResult = {
  requests: number
  errors: number
  requestsPerSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  cpuMsPerRequest: number
}

/** Default `--warm`. Each thread of the service compiles its own code, which takes about that long under load. */
export const WARM_SECONDS = '15'

/** Runs a load in a separate process. */
export async function driveLoad(load: Load): Promise<LoadResult> {
  const driver = join(import.meta.dirname, 'load-driver.ts')
  const child = spawn(process.execPath, [driver, JSON.stringify(load)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout)) as LoadResult
}
