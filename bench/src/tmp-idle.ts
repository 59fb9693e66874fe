import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from './service/start-service.ts'
import { addManyServers } from './management/many-servers.ts'
const count = Number(process.argv[2] ?? 10)
const url = process.argv[3]
const secs = Number(process.argv[4] ?? 60)
await using s = await startService({
  prepare: url ? async () => {} : (d) => addManyServers(d, count),
  environment: url ? { DOCENT_DATABASE_URL: url } : {},
})
const all = () =>
  Object.fromEntries(
    readdirSync(`/proc/${s.pid}/task`).map((t) => {
      try {
        return [
          `${t} ${readFileSync(`/proc/${s.pid}/task/${t}/comm`, 'utf8').trim()}`,
          Number(readFileSync(`/proc/${s.pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
        ]
      } catch {
        return ['x', 0]
      }
    }),
  )
for (let round = 0; round < 3; round++) {
  await sleep(round === 0 ? 25_000 : 1000)
  const a = all()
  await sleep(secs * 1000)
  const b = all()
  const d = Object.entries(b)
    .map(([k, v]) => [k, ((v - (a[k] ?? 0)) * 60) / secs] as const)
    .filter(([, v]) => v > 0.5)
  console.log(
    'round',
    round,
    'total ms/min',
    Math.round(d.reduce((x, [, v]) => x + v, 0)),
    d.map(([k, v]) => `${k}:${v.toFixed(1)}`).join(' '),
  )
}
