import { EVERYDAY_STEMS } from './everyday-stems.ts'
import { stemmerFor } from './stem.ts'

/** Common documentation words missing from general English word lists. */
const TECHNICAL_WORDS = `
  admin async auth autocomplete autoscaling backend backoff backport backup base64 benchmark bitmap boolean breakpoint
  bytecode cache callback changelog checkbox checksum cluster codec config cron dashboard database dataset debounce
  decrypt deploy deprecate deserialize dialog docker dropdown email emoji encrypt endpoint enum failover favicon filename
  filesystem firewall framework frontend fullscreen gateway getter globals hardcode hash homepage hostname hotkey html
  http https hyperlink idempotent init inline invoice iterator json keyboard keystore kubernetes lambda latency linter
  linux localhost lockfile login logout lookup macro malloc manifest markdown memoize metadata microservice middleware
  migration mixin mutate mutex namespace node nullable oauth observability offline offset online onboarding opcode
  openapi override pagination param parser password payload permalink pipeline placeholder plugin polyfill popup postfix
  prefetch preload preprocess preset proxy python query queue quickstart quota readonly readme realtime rebase redirect
  redis refactor regex registry reload repo rerun resize retry rollback rollout router runtime sandbox schema scroll
  semaphore serialize setter shard shortcut sidebar signup slug snapshot snippet socket sqlite stacktrace startup stderr
  stdin stdout subdomain submodule subnet subprocess subscription symlink syntax telemetry template tenant theme throttle
  thread throughput timeout timestamp timezone toggle token toolbar tooltip topic traceback truncate tuple typo ubuntu
  undefined unicode unsubscribe upload uptime username utf8 validator variable viewport virtualize webhook webpack
  websocket whitelist whitespace widget wildcard workaround workflow workspace wrapper yaml`

const stem = stemmerFor('en')
const stems = new Set([...listed(EVERYDAY_STEMS), ...listed(TECHNICAL_WORDS).map(stem)])

function listed(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** True if a word of a question is a common English one in any inflection, and therefore not misspelt. */
export function isEverydayWord(raw: string): boolean {
  return stems.has(stem(raw.toLowerCase()))
}

/** True if two words share an English stem: singular and plural, or a verb and its `-ing` and `-ed`. */
export function isFormOf(word: string, other: string): boolean {
  return stem(word.toLowerCase()) === stem(other.toLowerCase())
}
