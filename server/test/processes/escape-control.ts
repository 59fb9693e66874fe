import process from 'node:process'
import { type Targets, tryToEscape } from './escapes.ts'

/** The same program without the flags of a reader: what it can do there shows that the attempts are real. */
process.on('uncaughtException', () => undefined)
process.on('message', (targets: Targets) => {
  void tryToEscape(targets).then((attempts) => process.send?.({ attempts }, () => process.disconnect()))
})
