import process from 'node:process'
import { type Targets, tryToEscape } from './escapes.ts'

/** The same program without a reader's flags. Its successes show that the attempts are real. */
process.on('uncaughtException', () => undefined)
process.on('message', (targets: Targets) => {
  void tryToEscape(targets).then((attempts) => process.send?.({ attempts }, () => process.disconnect()))
})
